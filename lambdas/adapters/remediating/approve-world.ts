/** Everything that approve touches, on AWS: it notes an answer and wakes remediate, and needs nothing of what reads or changes a network. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { Environment } from '../../contract/environment.ts';
import type { Log } from '../../ports/observing.ts';
import type { ApproveWorld } from '../../ports/remediating.ts';
import { dynamoStateTable } from '../dynamodb/state-table.ts';
import { eventBus } from '../eventbridge/event-bus.ts';
import { wakeRemediate } from '../sqs/wake.ts';

export interface LastingApprove {
  readonly dynamodb: DynamoDBClient;
  readonly events: EventBridgeClient;
  readonly sqs: SQSClient;
}

export function lastingApprove(): LastingApprove {
  return { dynamodb: new DynamoDBClient(), events: new EventBridgeClient(), sqs: new SQSClient() };
}

export function approveWorld(clients: LastingApprove, env: Environment<'approve'>, log: Log): ApproveWorld {
  return {
    state: dynamoStateTable(clients.dynamodb, env.table),
    bus: eventBus(clients.events, env.bus),
    wake: wakeRemediate(clients.sqs, env.queueUrl),
    clock: { now: () => Date.now() },
    log,
  };
}
