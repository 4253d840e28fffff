/** Runs once, when the stack is destroyed: a custom resource of our own, which needs nothing but this bundle. */
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import type { CloudFormationCustomResourceEvent, Context } from 'aws-lambda';
import { awsLeftovers } from '../adapters/cleanup/aws-leftovers.ts';
import { answer, type Outcome } from '../adapters/cloudformation/custom-resource.ts';
import { cleanUp } from '../app/cleanup.ts';
import { readEnvironment } from '../contract/environment.ts';

const clients = {
  cloudwatch: new CloudWatchClient(),
  events: new EventBridgeClient(),
  lambda: new LambdaClient(),
  s3: new S3Client(),
};

const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** Never replaced: CloudFormation deletes a resource whose id changes, and deleting is all that this one does. */
const PHYSICAL_ID = 'headroom-cleanup';

export async function handler(event: CloudFormationCustomResourceEvent, context: Context): Promise<void> {
  await answer(event, PHYSICAL_ID, event.RequestType === 'Delete' ? await outcomeOf(context) : { status: 'SUCCESS' });
}

async function outcomeOf(context: Context): Promise<Outcome> {
  try {
    const patience = { remaining: () => context.getRemainingTimeInMillis(), wait };
    await cleanUp(awsLeftovers(clients, readEnvironment('cleanup', process.env)), patience);
    return { status: 'SUCCESS' };
  } catch (error) {
    return { status: 'FAILED', reason: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }
}
