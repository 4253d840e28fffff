import type { SNSClient } from '@aws-sdk/client-sns';
import { SubscribeCommand, UnsubscribeCommand } from '@aws-sdk/client-sns';
import type { SQSClient } from '@aws-sdk/client-sqs';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
} from '@aws-sdk/client-sqs';
import { waitFor } from './wait-for.ts';

/** A notification that SNS delivered. */
export interface Notification {
  readonly topicArn: string;
  readonly subject: string | undefined;
  readonly message: string;
  readonly attributes: Readonly<Record<string, { readonly Type: string; readonly Value: string }>>;
}

/** A queue that is subscribed to a topic and remembers all that came. */
export interface TopicTap {
  /** Fetches what came since, and gives everything that came so far, in the order of delivery. */
  readonly drain: () => Promise<readonly Notification[]>;
  /** Drains until `wanted` gives something; throws with what had come instead. */
  readonly waitUntil: <T>(
    what: string,
    wanted: (all: readonly Notification[]) => T | undefined | false,
    timeoutMs: number,
  ) => Promise<T>;
  readonly close: () => Promise<void>;
}

interface Envelope {
  readonly TopicArn: string;
  readonly Subject?: string;
  readonly Message: string;
  readonly MessageAttributes?: Notification['attributes'];
}

/** Subscribes a new queue of that name to a topic. */
export const tapTopic = async (
  clients: { readonly sns: SNSClient; readonly sqs: SQSClient },
  topicArn: string,
  queueName: string,
): Promise<TopicTap> => {
  const { QueueUrl } = await clients.sqs.send(new CreateQueueCommand({ QueueName: queueName }));
  const { Attributes } = await clients.sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }),
  );
  const { SubscriptionArn } = await clients.sns.send(
    new SubscribeCommand({
      TopicArn: topicArn,
      Protocol: 'sqs',
      Endpoint: Attributes?.QueueArn,
      ReturnSubscriptionArn: true,
    }),
  );
  const all: Notification[] = [];

  const fetchOnce = async (): Promise<number> => {
    const { Messages = [] } = await clients.sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 0 }),
    );
    for (const message of Messages) {
      const envelope = JSON.parse(message.Body ?? '') as Envelope;
      all.push({
        topicArn: envelope.TopicArn,
        subject: envelope.Subject,
        message: envelope.Message,
        attributes: envelope.MessageAttributes ?? {},
      });
      await clients.sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message.ReceiptHandle }));
    }
    return Messages.length;
  };

  const drain = async (): Promise<readonly Notification[]> => {
    while ((await fetchOnce()) > 0);
    return [...all];
  };

  return {
    drain,
    waitUntil: async (what, wanted, timeoutMs) => {
      try {
        return await waitFor(async () => wanted(await drain()), { what, timeoutMs });
      } catch (error) {
        const seen = all.map((notification) => `${notification.subject ?? '(no subject)'}: ${notification.message}`);
        throw new Error(`${what}: not seen; what came: ${JSON.stringify(seen, undefined, 2)}`, { cause: error });
      }
    },
    close: async () => {
      await clients.sns.send(new UnsubscribeCommand({ SubscriptionArn }));
      await clients.sqs.send(new DeleteQueueCommand({ QueueUrl }));
    },
  };
};
