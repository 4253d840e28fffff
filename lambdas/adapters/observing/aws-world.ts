/** Everything that observe touches, on AWS. */
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import type { Config } from '../../contract/config.ts';
import type { Environment } from '../../contract/environment.ts';
import type { BusEvent, Clock, EventBus, Log, ObserveWorld } from '../../ports/observing.ts';
import { alarmControl } from '../cloudwatch/alarm-control.ts';
import { metricPublisher } from '../cloudwatch/metric-publisher.ts';
import { dynamoStateTable } from '../dynamodb/state-table.ts';
import { lateBus } from '../eventbridge/late-bus.ts';
import { liveSource } from '../live/live-source.ts';
import { Bucket } from '../snapshots/bucket.ts';
import type { InsidePart } from '../snapshots/inside-parts.ts';
import { s3InsideSource } from '../snapshots/s3-inside-source.ts';
import { s3ScanStore } from '../snapshots/s3-scan-store.ts';

/** What outlives a run: clients with their connections, and files that were decoded. */
export interface Lasting {
  readonly cloudwatch: CloudWatchClient;
  readonly dynamodb: DynamoDBClient;
  readonly bus: EventBus<BusEvent>;
  readonly s3: S3Client;
  readonly insideFiles: Map<string, { readonly etag: string; readonly part: InsidePart }>;
}

export function lasting(env: Environment<'observe'>): Lasting {
  return {
    cloudwatch: new CloudWatchClient(),
    dynamodb: new DynamoDBClient(),
    bus: lateBus(async () => (await import('../eventbridge/open-bus.ts')).openBus(env.bus)),
    s3: new S3Client(),
    insideFiles: new Map(),
  };
}

export function awsWorld(
  clients: Lasting,
  env: Environment<'observe'>,
  config: Config,
  clock: Clock,
  log: Log,
): ObserveWorld {
  const { account, region } = env;
  const bucket = new Bucket(clients.s3, env.bucket);
  const { vpcs, subnets } = config.scope;
  const check = async () =>
    (await import('./service-checks.ts')).serviceCheck([
      { arn: env.criticalTopicArn, level: 'critical' },
      { arn: env.warningTopicArn, level: 'warning' },
    ]);
  return {
    open: ({ subnetIds = subnets, ...options }) =>
      liveSource({
        ...options,
        region,
        scope: { vpcIds: vpcs, subnetIds },
        apiShare: config.schedule.apiShare,
      }),
    inside: s3InsideSource(clients.s3, env.bucket, bucket, clients.insideFiles),
    state: dynamoStateTable(clients.dynamodb, env.table),
    store: s3ScanStore(bucket, { account, region }, log),
    metrics: metricPublisher(clients.cloudwatch),
    alarms: alarmControl(clients.cloudwatch),
    bus: clients.bus,
    check: {
      trails: async () => (await check()).trails(),
      topics: async () => (await check()).topics(),
      clusterExists: async (name) => (await check()).clusterExists(name),
    },
    clock,
    log,
  };
}
