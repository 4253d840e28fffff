import type { Permission } from './permission.ts';
import { RUN_TIME_ALARM_ARNS } from './resources.ts';

export interface CleanupResources {
  readonly bucketArn: string;
  readonly scheduleRuleArn: string;
  readonly observeFunctionArn: string;
}

/** What cleanup may do: stop the service and remove what it made at run time. */
export function cleanupPermissions(own: CleanupResources): readonly Permission[] {
  return [
    {
      sid: 'StopSchedule',
      actions: ['events:DisableRule'],
      resources: [own.scheduleRuleArn],
      why: 'no scan may begin any more',
    },
    {
      sid: 'StopObserve',
      actions: ['lambda:PutFunctionConcurrency'],
      resources: [own.observeFunctionArn],
      why: 'nor one that the queue of changes asks for',
    },
    {
      sid: 'FindAlarms',
      actions: ['cloudwatch:DescribeAlarms'],
      resources: ['*'],
      why: 'CloudWatch shows composite alarms only to those who may read all alarms',
    },
    {
      sid: 'RemoveAlarms',
      actions: ['cloudwatch:DeleteAlarms'],
      resources: RUN_TIME_ALARM_ARNS,
      why: 'alarms are named after clusters and zones that are found by themselves',
    },
    { sid: 'ListObjects', actions: ['s3:ListBucket'], resources: [own.bucketArn], why: 'to empty the bucket' },
    {
      sid: 'RemoveObjects',
      actions: ['s3:DeleteObject'],
      resources: [`${own.bucketArn}/*`],
      why: 'the whole bucket goes, or CloudFormation could not delete it',
    },
  ];
}
