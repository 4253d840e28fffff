import type { SQSClient } from '@aws-sdk/client-sqs';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
} from '@aws-sdk/client-sqs';
import { waitFor } from './wait-for.ts';

/** A queue that remembers all that came. */
export interface Tap<T> {
  /** Fetches what came since, and gives everything that came so far, each message once, in the order of delivery. */
  readonly drain: () => Promise<readonly T[]>;
  /** Drains until `wanted` gives something; throws with what had come instead. */
  readonly waitUntil: <W>(
    what: string,
    wanted: (all: readonly T[]) => W | undefined | false,
    timeoutMs: number,
  ) => Promise<W>;
}

/** How the messages of a queue are read, and called where what was waited for did not come. */
export interface Reading<T> {
  readonly read: (body: string) => T;
  readonly call: (message: T) => string;
}

export interface QueueTap<T> extends Tap<T> {
  readonly queueUrl: string;
  readonly queueArn: string;
}

/** Makes a queue of that name. Who fills it is the caller's business. */
export const tapQueue = async <T>(
  sqs: SQSClient,
  queueName: string,
  { read, call }: Reading<T>,
): Promise<QueueTap<T>> => {
  const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName: queueName }));
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }));
  const all: T[] = [];

  const fetchOnce = async (): Promise<number> => {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 0 }),
    );
    for (const { Body = '', ReceiptHandle } of Messages) {
      all.push(read(Body));
      await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    }
    return Messages.length;
  };
  const drain = async (): Promise<readonly T[]> => {
    while ((await fetchOnce()) > 0);
    return [...all];
  };
  return {
    queueUrl: QueueUrl,
    queueArn: Attributes?.QueueArn ?? '',
    drain,
    waitUntil: async (what, wanted, timeoutMs) => {
      try {
        return await waitFor(async () => wanted(await drain()), { what, timeoutMs });
      } catch (error) {
        const came = JSON.stringify(all.map(call), undefined, 2);
        throw new Error(`${what}: not seen; what came: ${came}`, { cause: error });
      }
    },
  };
};
