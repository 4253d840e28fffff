import * as events from 'aws-cdk-lib/aws-events';
import * as targets from 'aws-cdk-lib/aws-events-targets';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type { Config } from '../../lambdas/contract/config.ts';
import { type FunctionCode, HeadroomFunction } from '../function/headroom-function.ts';
import { WorkQueue } from '../function/work-queue.ts';
import { consumeQueue, useKey } from '../iam/basics.ts';
import { reactPermissions } from '../iam/react.ts';
import type { Storage } from '../storage/storage.ts';
import { FAILURE_PATTERNS } from './failure-patterns.ts';

const TIMEOUT_SECONDS = 60;
const MEMORY_MIB = 512;
/** A storm is 17 failed calls a second: a second's worth goes in one call, and a finding is out within ten seconds of the first. */
const FAILURES = { size: 200, windowSeconds: 2 };

export interface ReactorProps {
  readonly config: Config;
  readonly code: FunctionCode;
  readonly key: IKey;
  readonly storage: Storage;
  readonly bus: events.EventBus;
}

/** Hears of failed allocations, and says within seconds which subnet it was and why. */
export class Reactor extends Construct {
  readonly function: HeadroomFunction;
  readonly work: WorkQueue;

  constructor(scope: Construct, id: string, props: ReactorProps) {
    super(scope, id);
    const { config, key, storage, bus } = props;
    this.work = new WorkQueue(this, 'Failures', { key, functionTimeoutSeconds: TIMEOUT_SECONDS });
    this.function = new HeadroomFunction(this, 'React', {
      name: 'react',
      description: 'Headroom: says why an allocation failed, and in which subnet',
      code: props.code,
      config,
      memoryMiB: MEMORY_MIB,
      timeoutSeconds: TIMEOUT_SECONDS,
      environment: {
        table: storage.table.tableName,
        bucket: storage.bucket.bucketName,
        bus: bus.eventBusName,
      },
      permissions: [
        ...reactPermissions({
          tableArn: storage.table.tableArn,
          bucketArn: storage.bucket.bucketArn,
          busArn: bus.eventBusArn,
        }),
        consumeQueue(this.work.queue.queueArn),
        useKey(key.keyArn, ['sqs', 's3']),
      ],
    });
    this.work.feed(this.function.function, FAILURES);
    const target = new targets.SqsQueue(this.work.queue, { deadLetterQueue: this.work.deadLetters });
    for (const [name, eventPattern] of Object.entries(FAILURE_PATTERNS)) {
      new events.Rule(this, name, { description: 'Headroom: a failed allocation', eventPattern, targets: [target] });
    }
  }
}
