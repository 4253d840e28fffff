import type { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { DisableRuleCommand, type EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { type LambdaClient, PutFunctionConcurrencyCommand } from '@aws-sdk/client-lambda';
import type { S3Client } from '@aws-sdk/client-s3';
import type { Environment } from '../../contract/environment.ts';
import type { Leftovers } from '../../ports/leftovers.ts';
import { deleteRunTimeAlarms } from './alarm-sweep.ts';
import { deleteEveryObject } from './bucket-sweep.ts';

export interface CleanupClients {
  readonly cloudwatch: CloudWatchClient;
  readonly events: EventBridgeClient;
  readonly lambda: LambdaClient;
  readonly s3: S3Client;
}

/** The leftovers of a deployed stack. */
export function awsLeftovers(clients: CleanupClients, stack: Environment<'cleanup'>): Leftovers {
  return {
    async stopObserving() {
      await ignoringNotFound(clients.events.send(new DisableRuleCommand({ Name: stack.scheduleRule })));
      // The queue of changes would go on waking the function; without room to run it cannot.
      const noRoom = new PutFunctionConcurrencyCommand({
        FunctionName: stack.observeFunction,
        ReservedConcurrentExecutions: 0,
      });
      await ignoringNotFound(clients.lambda.send(noRoom));
    },
    deleteAlarms: () => deleteRunTimeAlarms(clients.cloudwatch),
    deleteObjects: () => deleteEveryObject(clients.s3, stack.bucket),
  };
}

/** What is gone need not be stopped: a second attempt at deleting a stack finds things gone. */
async function ignoringNotFound(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') return;
    throw error;
  }
}
