import { Duration } from 'aws-cdk-lib';
import * as events from 'aws-cdk-lib/aws-events';
import * as targets from 'aws-cdk-lib/aws-events-targets';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Config } from '../../lambdas/contract/config.ts';
import { DETAIL_TYPES, EVENT_SOURCE } from '../../lambdas/contract/event-names.ts';
import { ANSWERED_CODES } from '../../lambdas/contract/plan.ts';
import { type FunctionCode, HeadroomFunction } from '../function/headroom-function.ts';
import { WorkQueue } from '../function/work-queue.ts';
import { approvePermissions } from '../iam/approve.ts';
import { consumeQueue, useKey } from '../iam/basics.ts';
import { remediatePermissions } from '../iam/remediate.ts';
import type { Storage } from '../storage/storage.ts';

/** A read of a VPC takes seconds; 200 deletions, at two a second, minutes. The lease of a run is a minute longer. */
const TIMEOUT_SECONDS = 600;
/** As observe: processor time comes with memory, and the whole VPC is read and assessed. */
const MEMORY_MIB = 1024;
const APPROVE_TIMEOUT_SECONDS = 20;
const APPROVE_MEMORY_MIB = 256;
/** What ripens without anything being found: a quarantine that is over, a window that opens, a limit of yesterday. */
const LOOK_AGAIN = Duration.hours(1);

export interface RemediatorProps {
  readonly config: Config;
  readonly code: FunctionCode;
  readonly key: IKey;
  readonly storage: Storage;
  readonly bus: events.EventBus;
}

/** Plans and acts, and takes what people answer. Made only where the mode of some action asks for it: else there is no role that can change anything. */
export class Remediator extends Construct {
  readonly function: HeadroomFunction;
  readonly work: WorkQueue;
  readonly approve: HeadroomFunction;
  readonly approvalUrl: string;

  constructor(scope: Construct, id: string, props: RemediatorProps) {
    super(scope, id);
    const { config, code, key, storage, bus } = props;
    const state = { table: storage.table.tableName, bus: bus.eventBusName };
    this.work = new WorkQueue(this, 'Looks', { key, functionTimeoutSeconds: TIMEOUT_SECONDS });
    this.function = new HeadroomFunction(this, 'Remediate', {
      name: 'remediate',
      description: 'Headroom: plans, and makes room where the mode or a person allows it',
      code,
      config,
      memoryMiB: MEMORY_MIB,
      timeoutSeconds: TIMEOUT_SECONDS,
      environment: { ...state, bucket: storage.bucket.bucketName },
      permissions: [
        ...remediatePermissions({
          config,
          tableArn: storage.table.tableArn,
          bucketArn: storage.bucket.bucketArn,
          busArn: bus.eventBusArn,
        }),
        consumeQueue(this.work.queue.queueArn),
        useKey(key.keyArn, ['sqs', 's3']),
      ],
    });
    this.work.feed(this.function.function, { size: 10, windowSeconds: 5 });
    this.wake(bus);
    this.approve = new HeadroomFunction(this, 'Approve', {
      name: 'approve',
      description: 'Headroom: takes approvals, refusals and undos from those who may give them',
      code,
      config,
      memoryMiB: APPROVE_MEMORY_MIB,
      timeoutSeconds: APPROVE_TIMEOUT_SECONDS,
      environment: { ...state, queueUrl: this.work.queue.queueUrl },
      permissions: [
        ...approvePermissions({
          tableArn: storage.table.tableArn,
          busArn: bus.eventBusArn,
          queueArn: this.work.queue.queueArn,
        }),
        useKey(key.keyArn, ['sqs']),
      ],
    });
    // IAM verifies the caller, and Lambda hands on who it is: an event on a bus would carry no identity.
    this.approvalUrl = this.approve.function.addFunctionUrl({ authType: lambda.FunctionUrlAuthType.AWS_IAM }).url;
  }

  private wake(bus: events.EventBus): void {
    const deadLetterQueue = this.work.deadLetters;
    new events.Rule(this, 'Findings', {
      description: 'Headroom: plan',
      eventBus: bus,
      eventPattern: {
        source: [EVENT_SOURCE],
        detailType: [DETAIL_TYPES.findingRaised],
        detail: { finding: { code: [...ANSWERED_CODES] } },
      },
      targets: [new targets.SqsQueue(this.work.queue, { deadLetterQueue })],
    });
    new events.Rule(this, 'LookAgain', {
      description: 'Headroom: look at open plans again',
      schedule: events.Schedule.rate(LOOK_AGAIN),
      targets: [
        new targets.SqsQueue(this.work.queue, {
          deadLetterQueue,
          message: events.RuleTargetInput.fromObject({ look: [] }),
        }),
      ],
    });
  }
}
