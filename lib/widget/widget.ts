import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type { Config } from '../../lambdas/contract/config.ts';
import { type FunctionCode, HeadroomFunction } from '../function/headroom-function.ts';
import { widgetPermissions } from '../iam/widget.ts';
import type { Storage } from '../storage/storage.ts';

/** A dashboard waits no longer than a reader does. */
const TIMEOUT_SECONDS = 20;
/** A snapshot of a thousand subnets is some megabytes of JSON; processor time comes with memory. */
const MEMORY_MIB = 1024;

export interface WidgetProps {
  readonly config: Config;
  readonly code: FunctionCode;
  readonly key: IKey;
  readonly storage: Storage;
}

/** The function behind the dashboard's map. It is called by the dashboard itself, with the rights of whoever looks: no queue, nothing to retry. */
export class Widget extends Construct {
  readonly function: HeadroomFunction;

  constructor(scope: Construct, id: string, { config, code, key, storage }: WidgetProps) {
    super(scope, id);
    this.function = new HeadroomFunction(this, 'Widget', {
      name: 'widget',
      description: 'Headroom: draws the worst subnets inside the dashboard',
      code,
      config,
      memoryMiB: MEMORY_MIB,
      timeoutSeconds: TIMEOUT_SECONDS,
      environment: { bucket: storage.bucket.bucketName },
      permissions: widgetPermissions({ bucketArn: storage.bucket.bucketArn, keyArn: key.keyArn }),
    });
  }
}
