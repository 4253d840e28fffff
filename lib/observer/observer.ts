import { Duration } from 'aws-cdk-lib';
import * as events from 'aws-cdk-lib/aws-events';
import * as targets from 'aws-cdk-lib/aws-events-targets';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { Construct } from 'constructs';
import type { Config } from '../../lambdas/contract/config.ts';
import { type FunctionCode, HeadroomFunction } from '../function/headroom-function.ts';
import { WorkQueue } from '../function/work-queue.ts';
import { consumeQueue, sendDeadLetters, useKey } from '../iam/basics.ts';
import { observePermissions } from '../iam/observe.ts';
import type { Storage } from '../storage/storage.ts';
import type { Topics } from '../topics/topics.ts';
import { CHANGE_PATTERNS } from './change-patterns.ts';

/** A whole read of a large region takes seconds; throttled it takes minutes, and what is not done by then waits for the next tick. */
export const OBSERVE_TIMEOUT_SECONDS = 180;
/** The reader needs far less memory; Lambda gives processor time by memory, and pays back by the millisecond. */
export const OBSERVE_MEMORY_MIB = 1024;
/** A burst of changes becomes one call: as many messages as fit in Lambda's 6 MB, gathered for a few seconds. */
const CHANGES = { size: 1000, windowSeconds: 5 };
/** A tick that could not start is of no use once several others came after it. */
const TICK_MAX_AGE = Duration.minutes(5);
const TICK_RETRIES = 2;

export interface ObserverProps {
  readonly config: Config;
  readonly code: FunctionCode;
  readonly key: IKey;
  readonly storage: Storage;
  readonly topics: Topics;
  readonly bus: events.EventBus;
}

/** Measures on every tick, and soon after every change. */
export class Observer extends Construct {
  readonly function: HeadroomFunction;
  readonly work: WorkQueue;
  readonly schedule: events.Rule;

  constructor(scope: Construct, id: string, props: ObserverProps) {
    super(scope, id);
    const { config, key, storage, topics, bus } = props;
    this.work = new WorkQueue(this, 'Changes', {
      key,
      functionTimeoutSeconds: OBSERVE_TIMEOUT_SECONDS,
      delaySeconds: config.schedule.settle,
    });
    this.function = new HeadroomFunction(this, 'Observe', {
      name: 'observe',
      description: 'Headroom: reads the subnets, publishes metrics, keeps alarms, finds what is wrong',
      code: props.code,
      config,
      memoryMiB: OBSERVE_MEMORY_MIB,
      timeoutSeconds: OBSERVE_TIMEOUT_SECONDS,
      environment: {
        table: storage.table.tableName,
        bucket: storage.bucket.bucketName,
        bus: bus.eventBusName,
        criticalTopicArn: topics.critical.topicArn,
        warningTopicArn: topics.warning.topicArn,
      },
      permissions: [
        ...observePermissions({
          tableArn: storage.table.tableArn,
          bucketArn: storage.bucket.bucketArn,
          busArn: bus.eventBusArn,
          alarmTopicArns: alarmTopics(config, topics),
        }),
        consumeQueue(this.work.queue.queueArn),
        sendDeadLetters(this.work.deadLetters.queueArn),
        useKey(key.keyArn, ['sqs', 's3']),
      ],
    });
    this.function.function.configureAsyncInvoke({
      maxEventAge: TICK_MAX_AGE,
      retryAttempts: TICK_RETRIES,
      onFailure: new SqsDestination(this.work.deadLetters),
    });
    this.work.feed(this.function.function, CHANGES);
    this.schedule = this.tick(config.schedule.tick);
    this.watchChanges();
  }

  private tick(seconds: number): events.Rule {
    return new events.Rule(this, 'Tick', {
      description: 'Headroom: measure',
      schedule: events.Schedule.rate(Duration.seconds(seconds)),
      targets: [
        new targets.LambdaFunction(this.function.function, {
          deadLetterQueue: this.work.deadLetters,
          maxEventAge: TICK_MAX_AGE,
          retryAttempts: TICK_RETRIES,
        }),
      ],
    });
  }

  private watchChanges(): void {
    const target = new targets.SqsQueue(this.work.queue, { deadLetterQueue: this.work.deadLetters });
    for (const [name, eventPattern] of Object.entries(CHANGE_PATTERNS)) {
      new events.Rule(this, name, { description: 'Headroom: measure again', eventPattern, targets: [target] });
    }
  }
}

/** Every topic that an alarm of a cluster may speak to, once each. */
function alarmTopics(config: Config, topics: Topics): readonly string[] {
  const ofClusters = Object.values(config.clusters).flatMap(({ criticalTopicArn, warningTopicArn }) =>
    [criticalTopicArn, warningTopicArn].filter((arn) => arn !== undefined),
  );
  return [...new Set([topics.critical.topicArn, topics.warning.topicArn, ...ofClusters])];
}
