/** What observe asks once a day, or when an alarm is about to go: clients that a scan does not need, in a file that is loaded when somebody asks. */
import { CloudTrailClient } from '@aws-sdk/client-cloudtrail';
import { EKSClient } from '@aws-sdk/client-eks';
import { SNSClient } from '@aws-sdk/client-sns';
import type { ServiceCheck } from '../../ports/observing.ts';
import { readTrails } from '../cloudtrail/trails.ts';
import { clusterExists } from '../eks/cluster-exists.ts';
import { readTopics } from '../sns/topics.ts';

const cloudtrail = new CloudTrailClient();
const eks = new EKSClient();
const sns = new SNSClient();

/** @param topics that alarms go to. */
export function serviceCheck(topics: Parameters<typeof readTopics>[1]): ServiceCheck {
  return {
    trails: () => readTrails(cloudtrail),
    topics: () => readTopics(sns, topics),
    clusterExists: (name) => clusterExists(eks, name),
  };
}
