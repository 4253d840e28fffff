/** Everything that remediate touches, on AWS. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { S3Client } from '@aws-sdk/client-s3';
import { SSMClient } from '@aws-sdk/client-ssm';
import type { Config } from '../../contract/config.ts';
import type { Environment } from '../../contract/environment.ts';
import type { Clock, Log } from '../../ports/observing.ts';
import type { NetworkReader, NetworkWriter, RemediateWorld } from '../../ports/remediating.ts';
import { dynamoStateTable } from '../dynamodb/state-table.ts';
import { eventBus } from '../eventbridge/event-bus.ts';
import { openRegion } from '../live/open-region.ts';
import { Bucket } from '../snapshots/bucket.ts';
import type { InsidePart } from '../snapshots/inside-parts.ts';
import { s3InsideSource } from '../snapshots/s3-inside-source.ts';
import { stopParameter } from '../ssm/stop-parameter.ts';
import { networkReader } from './network-reader.ts';
import { networkWriter } from './network-writer.ts';

/** What outlives a run. */
export interface LastingRemediate {
  readonly dynamodb: DynamoDBClient;
  readonly events: EventBridgeClient;
  readonly s3: S3Client;
  readonly ssm: SSMClient;
  readonly writer: NetworkWriter;
  readonly reader: NetworkReader;
  readonly insideFiles: Map<string, { readonly etag: string; readonly part: InsidePart }>;
}

export function lastingRemediate({ region }: Environment<'remediate'>): LastingRemediate {
  return {
    dynamodb: new DynamoDBClient(),
    events: new EventBridgeClient(),
    s3: new S3Client(),
    ssm: new SSMClient(),
    writer: networkWriter({ region }),
    reader: networkReader({ region }),
    insideFiles: new Map(),
  };
}

export function remediateWorld(
  clients: LastingRemediate,
  env: Environment<'remediate'>,
  config: Config,
  clock: Clock,
  log: Log,
): RemediateWorld {
  const bucket = new Bucket(clients.s3, env.bucket);
  return {
    open: (vpcId, now) =>
      openRegion({ region: env.region, scope: { vpcIds: [vpcId] }, now, apiShare: config.schedule.apiShare }),
    inside: s3InsideSource(clients.s3, env.bucket, bucket, clients.insideFiles),
    state: dynamoStateTable(clients.dynamodb, env.table),
    writer: clients.writer,
    reader: clients.reader,
    bus: eventBus(clients.events, env.bus),
    stop: stopParameter(clients.ssm, config.remediation.stopParameter),
    clock,
    log,
  };
}
