import { CfnCustomResource } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { Config } from '../../lambdas/contract/config.ts';
import { type FunctionCode, HeadroomFunction } from '../function/headroom-function.ts';
import { cleanupPermissions } from '../iam/cleanup.ts';
import type { Observer } from '../observer/observer.ts';
import type { Storage } from '../storage/storage.ts';

/** Lambda's longest: a month of snapshots is some 40,000 objects, a thousand to a call. */
const TIMEOUT_SECONDS = 900;
const MEMORY_MIB = 256;

export interface CleanupProps {
  readonly config: Config;
  readonly code: FunctionCode;
  readonly observer: Observer;
  readonly storage: Storage;
}

/**
 * Runs when the stack is deleted: stops the service, then removes what it made at run time.
 *
 * CloudFormation deletes what depends before what it depends on, so this goes first, while bucket, schedule and function still stand.
 */
export class Cleanup extends Construct {
  readonly function: HeadroomFunction;

  constructor(scope: Construct, id: string, props: CleanupProps) {
    super(scope, id);
    const { observer, storage } = props;
    const observe = observer.function.function;
    this.function = new HeadroomFunction(this, 'Cleanup', {
      name: 'cleanup',
      description: 'Headroom: removes run-time alarms and snapshots when the stack is deleted',
      code: props.code,
      config: props.config,
      memoryMiB: MEMORY_MIB,
      timeoutSeconds: TIMEOUT_SECONDS,
      environment: {
        bucket: storage.bucket.bucketName,
        scheduleRule: observer.schedule.ruleName,
        observeFunction: observe.functionName,
      },
      permissions: cleanupPermissions({
        bucketArn: storage.bucket.bucketArn,
        scheduleRuleArn: observer.schedule.ruleArn,
        observeFunctionArn: observe.functionArn,
      }),
    });
    const resource = new CfnCustomResource(this, 'OnDelete', { serviceToken: this.function.function.functionArn });
    resource.node.addDependency(observer, storage);
  }
}
