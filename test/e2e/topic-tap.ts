import type { SNSClient } from '@aws-sdk/client-sns';
import { SubscribeCommand, UnsubscribeCommand } from '@aws-sdk/client-sns';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { DeleteQueueCommand } from '@aws-sdk/client-sqs';
import { type Tap, tapQueue } from './queue-tap.ts';

/** A notification that SNS delivered. */
export interface Notification {
  readonly topicArn: string;
  readonly subject: string | undefined;
  readonly message: string;
  readonly attributes: Readonly<Record<string, { readonly Type: string; readonly Value: string }>>;
}

/** A queue that is subscribed to a topic and remembers all that came. */
export interface TopicTap extends Tap<Notification> {
  readonly close: () => Promise<void>;
}

interface Envelope {
  readonly TopicArn: string;
  readonly Subject?: string;
  readonly Message: string;
  readonly MessageAttributes?: Notification['attributes'];
}

function notificationOf(body: string): Notification {
  const { TopicArn, Subject, Message, MessageAttributes = {} } = JSON.parse(body) as Envelope;
  return { topicArn: TopicArn, subject: Subject, message: Message, attributes: MessageAttributes };
}

/** Subscribes a new queue of that name to a topic. */
export const tapTopic = async (
  { sns, sqs }: { readonly sns: SNSClient; readonly sqs: SQSClient },
  topicArn: string,
  queueName: string,
): Promise<TopicTap> => {
  const { queueUrl, queueArn, ...tap } = await tapQueue<Notification>(sqs, queueName, {
    read: notificationOf,
    call: ({ subject, message }) => `${subject ?? '(no subject)'}: ${message}`,
  });
  const { SubscriptionArn } = await sns.send(
    new SubscribeCommand({ TopicArn: topicArn, Protocol: 'sqs', Endpoint: queueArn, ReturnSubscriptionArn: true }),
  );
  return {
    ...tap,
    close: async () => {
      await sns.send(new UnsubscribeCommand({ SubscriptionArn }));
      await sqs.send(new DeleteQueueCommand({ QueueUrl: queueUrl }));
    },
  };
};
