import { PutRuleCommand, PutTargetsCommand } from '@aws-sdk/client-eventbridge';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
} from '@aws-sdk/client-sqs';
import { EVENT_SOURCE, type FindingDetail, type RemediationDetail } from '../../lambdas/contract/events.ts';
import type { Clients } from './clients.ts';
import { waitFor } from './wait-for.ts';

/** An event as a rule on the bus delivers it; which detail it has depends on its type. */
export interface BusEvent {
  readonly source: string;
  readonly 'detail-type': string;
  readonly detail: Partial<FindingDetail> & Partial<RemediationDetail>;
}

/** A rule with a queue behind it that remembers all that Headroom sent. */
export interface BusTap {
  /** Fetches what came since, and gives everything that came so far, each event once, in the order of delivery. */
  readonly drain: () => Promise<readonly BusEvent[]>;
  readonly waitUntil: <T>(
    what: string,
    wanted: (all: readonly BusEvent[]) => T | undefined | false,
    timeoutMs: number,
  ) => Promise<T>;
}

/** Puts a rule for everything that Headroom sends on a bus. */
export const tapBus = async ({ events, sqs }: Pick<Clients, 'events' | 'sqs'>, bus: string): Promise<BusTap> => {
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: 'tap-of-bus' }));
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }));
  await events.send(
    new PutRuleCommand({ Name: 'tap', EventBusName: bus, EventPattern: JSON.stringify({ source: [EVENT_SOURCE] }) }),
  );
  await events.send(
    new PutTargetsCommand({ Rule: 'tap', EventBusName: bus, Targets: [{ Id: 'queue', Arn: Attributes?.QueueArn }] }),
  );
  const all: BusEvent[] = [];

  const fetchOnce = async (): Promise<number> => {
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
    for (const { Body = '', ReceiptHandle } of Messages) {
      all.push(JSON.parse(Body) as BusEvent);
      await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    }
    return Messages.length;
  };
  const drain = async (): Promise<readonly BusEvent[]> => {
    while ((await fetchOnce()) > 0);
    return [...all];
  };
  return {
    drain,
    waitUntil: async (what, wanted, timeoutMs) => {
      try {
        return await waitFor(async () => wanted(await drain()), { what, timeoutMs });
      } catch (error) {
        const seen = all.map(({ 'detail-type': type, detail }) => `${type}: ${detail.finding?.id ?? detail.id}`);
        throw new Error(`${what}: not seen; what came: ${JSON.stringify(seen, undefined, 2)}`, { cause: error });
      }
    },
  };
};
