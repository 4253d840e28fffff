/** Everything that react touches, on AWS. */
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { S3Client } from '@aws-sdk/client-s3';
import type { Config } from '../../contract/config.ts';
import type { Environment } from '../../contract/environment.ts';
import { settingsFromConfig } from '../../core/assess/settings.ts';
import type { EventBus, MetricSink } from '../../ports/observing.ts';
import type { InterfaceLookup, LagMetric, LastSnapshot, ReactLog } from '../../ports/reacting.ts';
import type { StateTable } from '../../ports/state-table.ts';
import { metricPublisher } from '../cloudwatch/metric-publisher.ts';
import { dynamoStateTable } from '../dynamodb/state-table.ts';
import { InterfaceCalls } from '../ec2/interface-calls.ts';
import { interfaceLookup } from '../ec2/interface-subnets.ts';
import { eventBus } from '../eventbridge/event-bus.ts';
import { clientConfig } from '../live/client-config.ts';
import { Pace } from '../pace.ts';
import { Bucket } from '../snapshots/bucket.ts';
import { type Decoded, lastSnapshot } from './last-snapshot.ts';

/** What outlives a run: clients with their connections, and what was looked up. */
export interface Lasting {
  readonly cloudwatch: CloudWatchClient;
  readonly dynamodb: DynamoDBClient;
  readonly events: EventBridgeClient;
  readonly s3: S3Client;
  readonly ec2: InterfaceCalls;
  readonly interfaces: Map<string, string>;
  readonly decoded: Decoded;
}

export function lasting({ region }: Environment<'react'>, config: Config): Lasting {
  return {
    cloudwatch: new CloudWatchClient(),
    dynamodb: new DynamoDBClient(),
    events: new EventBridgeClient(),
    s3: new S3Client(),
    ec2: new InterfaceCalls(clientConfig({ region, now: 0 }), new Pace({ apiShare: config.schedule.apiShare })),
    interfaces: new Map(),
    decoded: {},
  };
}

/** The parts of react's world that are AWS's. */
export interface AwsParts {
  readonly snapshot: LastSnapshot;
  readonly interfaces: InterfaceLookup;
  readonly state: StateTable;
  readonly bus: EventBus;
  readonly lag: LagMetric;
}

export function awsParts(
  clients: Lasting,
  env: Environment<'react'>,
  config: Config,
  now: () => number,
  log: ReactLog,
): AwsParts {
  const { account, region } = env;
  return {
    snapshot: lastSnapshot({
      bucket: new Bucket(clients.s3, env.bucket),
      place: { account, region },
      settings: settingsFromConfig(config),
      decoded: clients.decoded,
      now,
      log,
    }),
    interfaces: interfaceLookup(clients.ec2, clients.interfaces),
    state: dynamoStateTable(clients.dynamodb, env.table),
    bus: eventBus(clients.events, env.bus),
    lag: lagMetric(metricPublisher(clients.cloudwatch)),
  };
}

export function lagMetric(sink: MetricSink): LagMetric {
  return {
    async put(seconds, at) {
      const { errors } = await sink.put([{ key: 'eventLagSeconds', dimensions: {}, value: seconds }], at);
      if (errors.length > 0) throw errors[0];
    },
  };
}
