import { Duration } from 'aws-cdk-lib';
import * as events from 'aws-cdk-lib/aws-events';
import * as targets from 'aws-cdk-lib/aws-events-targets';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type { Config } from '../../lambdas/contract/config.ts';
import { DETAIL_TYPES, EVENT_SOURCE } from '../../lambdas/contract/event-names.ts';
import { type FunctionCode, HeadroomFunction } from '../function/headroom-function.ts';
import { WorkQueue } from '../function/work-queue.ts';
import { consumeQueue, useKey } from '../iam/basics.ts';
import { notifyPermissions } from '../iam/notify.ts';
import type { Storage } from '../storage/storage.ts';
import type { Topics } from '../topics/topics.ts';

/** Slack answers within a second or asks for a pause (429, Retry-After), which a batch waits out. */
const TIMEOUT_SECONDS = 60;
const MEMORY_MIB = 256;
/** The findings of one scan come together and make one message where that is right. */
/** How late a held message may be: the first scan's digest, and what quiet hours and mutes held. */
const HELD_CHECK = Duration.minutes(1);
const MESSAGES = { size: 100, windowSeconds: 5 };

export interface NotifierProps {
  readonly config: Config;
  readonly code: FunctionCode;
  readonly key: IKey;
  readonly storage: Storage;
  readonly topics: Topics;
  readonly bus: events.EventBus;
}

/** Tells people what came on the bus. */
export class Notifier extends Construct {
  readonly function: HeadroomFunction;
  readonly work: WorkQueue;

  constructor(scope: Construct, id: string, props: NotifierProps) {
    super(scope, id);
    const { config, key, storage, topics } = props;
    const secretArn = config.notifications.slackWebhookSecretArn;
    this.work = new WorkQueue(this, 'Messages', { key, functionTimeoutSeconds: TIMEOUT_SECONDS });
    this.function = new HeadroomFunction(this, 'Notify', {
      name: 'notify',
      description: 'Headroom: tells mail and chat what was found and done',
      code: props.code,
      config,
      memoryMiB: MEMORY_MIB,
      timeoutSeconds: TIMEOUT_SECONDS,
      environment: {
        table: storage.table.tableName,
        messagesTopicArn: topics.messages.topicArn,
        chatTopicArn: topics.chat.topicArn,
        criticalTopicArn: topics.critical.topicArn,
        warningTopicArn: topics.warning.topicArn,
      },
      permissions: [
        ...notifyPermissions({
          tableArn: storage.table.tableArn,
          topicArns: [topics.messages, topics.chat, topics.critical, topics.warning].map(({ topicArn }) => topicArn),
          ...(secretArn === undefined ? {} : { secretArn }),
        }),
        consumeQueue(this.work.queue.queueArn),
        useKey(key.keyArn, ['sqs', 'sns']),
      ],
    });
    this.work.feed(this.function.function, MESSAGES);
    new events.Rule(this, 'Findings', {
      description: 'Headroom: tell people',
      eventBus: props.bus,
      eventPattern: { source: [EVENT_SOURCE], detailType: Object.values(DETAIL_TYPES) },
      targets: [new targets.SqsQueue(this.work.queue, { deadLetterQueue: this.work.deadLetters })],
    });
    // On the account's own bus: a schedule runs on no other.
    new events.Rule(this, 'LetGo', {
      description: 'Headroom: tell what was held until now',
      schedule: events.Schedule.rate(HELD_CHECK),
      // A minute later comes the next.
      targets: [new targets.SqsQueue(this.work.queue, { retryAttempts: 0 })],
    });
  }
}
