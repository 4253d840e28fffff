import { Duration } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

/** SQS asks for at least the function's timeout; AWS advises six times as much, since a batch may wait for room to run (Lambda developer guide, SQS). */
const VISIBILITY_FACTOR = 6;
/** Attempts before a message is a dead letter. */
const ATTEMPTS = 3;

export interface WorkQueueProps {
  readonly key: IKey;
  readonly functionTimeoutSeconds: number;
  /** Seconds that a message waits before it can be taken up. */
  readonly delaySeconds?: number;
}

/** A queue that feeds a function, and the queue of what the function could not do. */
export class WorkQueue extends Construct {
  readonly queue: sqs.Queue;
  readonly deadLetters: sqs.Queue;

  constructor(scope: Construct, id: string, props: WorkQueueProps) {
    super(scope, id);
    const encrypted = { encryption: sqs.QueueEncryption.KMS, encryptionMasterKey: props.key, enforceSSL: true };
    this.deadLetters = new sqs.Queue(this, 'DeadLetters', { ...encrypted, retentionPeriod: Duration.days(14) });
    this.queue = new sqs.Queue(this, 'Queue', {
      ...encrypted,
      deliveryDelay: Duration.seconds(props.delaySeconds ?? 0),
      visibilityTimeout: Duration.seconds(VISIBILITY_FACTOR * props.functionTimeoutSeconds),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: ATTEMPTS },
    });
  }

  /**
   * Lets the queue drive the function.
   *
   * @param batch - most messages in one call, and the seconds to gather them.
   */
  feed(target: lambda.Function, batch: { readonly size: number; readonly windowSeconds: number }): void {
    target.addEventSource(
      new SqsEventSource(this.queue, {
        batchSize: batch.size,
        maxBatchingWindow: Duration.seconds(batch.windowSeconds),
        // The least that Lambda allows: more would scan or tell the same thing side by side.
        maxConcurrency: 2,
        reportBatchItemFailures: true,
      }),
    );
  }
}
