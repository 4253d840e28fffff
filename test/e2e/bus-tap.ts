import { PutRuleCommand, PutTargetsCommand } from '@aws-sdk/client-eventbridge';
import { EVENT_SOURCE } from '../../lambdas/contract/event-names.ts';
import type { FindingDetail, RemediationDetail } from '../../lambdas/contract/events.ts';
import type { Clients } from './clients.ts';
import { type Tap, tapQueue } from './queue-tap.ts';

/** An event as a rule on the bus delivers it; which detail it has depends on its type. */
export interface BusEvent {
  readonly source: string;
  readonly 'detail-type': string;
  readonly detail: Partial<FindingDetail> & Partial<RemediationDetail>;
}

/** A rule with a queue behind it that remembers all that Headroom sent. */
export type BusTap = Tap<BusEvent>;

/** Puts a rule for everything that Headroom sends on a bus. */
export const tapBus = async ({ events, sqs }: Pick<Clients, 'events' | 'sqs'>, bus: string): Promise<BusTap> => {
  const tap = await tapQueue<BusEvent>(sqs, 'tap-of-bus', {
    read: (body) => JSON.parse(body) as BusEvent,
    call: ({ 'detail-type': type, detail }) => `${type}: ${detail.finding?.id ?? detail.id}`,
  });
  await events.send(
    new PutRuleCommand({ Name: 'tap', EventBusName: bus, EventPattern: JSON.stringify({ source: [EVENT_SOURCE] }) }),
  );
  await events.send(
    new PutTargetsCommand({ Rule: 'tap', EventBusName: bus, Targets: [{ Id: 'queue', Arn: tap.queueArn }] }),
  );
  return tap;
};
