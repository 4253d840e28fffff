import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { afterEach, expect, test } from '@jest/globals';
import { eventBus } from '../../../lambdas/adapters/eventbridge/event-bus.ts';
import { lateBus } from '../../../lambdas/adapters/eventbridge/late-bus.ts';
import type { FindingEvent } from '../../../lambdas/core/publish/finding-events.ts';
import { type AwsStandIn, startAwsStandIn } from '../../support/aws-stand-in.ts';

let standIn: AwsStandIn | undefined;
afterEach(async () => standIn?.stop());

interface Entry {
  readonly Detail: string;
}

/** @param refuses whether the bus refuses the event of this id, the nth time that it is sent. */
async function bus(refuses: (id: string, time: number) => boolean) {
  const seen = new Map<string, number>();
  const running = await startAwsStandIn(({ parameters }) => {
    const Entries = (parameters.Entries as readonly Entry[]).map(({ Detail }) => {
      const { id } = JSON.parse(Detail) as { readonly id: string };
      const time = (seen.get(id) ?? 0) + 1;
      seen.set(id, time);
      return refuses(id, time) ? { ErrorCode: 'ThrottlingException', ErrorMessage: 'slow down' } : { EventId: id };
    });
    return { headers: { 'content-type': 'application/x-amz-json-1.1' }, body: JSON.stringify({ Entries }) };
  });
  standIn = running;
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = new EventBridgeClient({ endpoint: running.url, region: 'us-east-1', maxAttempts: 1, credentials });
  return { seen, running, events: eventBus(client, 'headroom') };
}

function event(id: string, padding = 0): FindingEvent {
  const at = '2026-11-30T12:00:00.000Z';
  return {
    type: 'Subnet Finding Raised',
    at: Date.parse(at),
    detail: {
      schemaVersion: 1,
      id,
      account: '111111111111',
      region: 'us-east-1',
      at,
      finding: { id, code: 'SUBNET_LOW', severity: 'warning', observed: 1, message: 'x'.repeat(padding), evidence: {} },
      firstSeen: at,
      lastSeen: at,
      count: 1,
      firstScan: false,
      origin: 'observe',
    },
  };
}
const many = (count: number) => Array.from({ length: count }, (_, n) => event(`e${n}`));

test('ten entries a request, under our source, on our bus', async () => {
  const { running, events } = await bus(() => false);
  const { taken, errors } = await events.send(many(25));
  expect(running.calls.map(({ parameters }) => (parameters.Entries as unknown[]).length)).toEqual([10, 10, 5]);
  expect(running.calls[0]?.parameters).toMatchObject({
    Entries: expect.arrayContaining([
      expect.objectContaining({ Source: 'headroom', EventBusName: 'headroom', DetailType: 'Subnet Finding Raised' }),
    ]),
  });
  expect(taken.size).toBe(25);
  expect(errors).toEqual([]);
});

test('an entry that the bus refuses while it takes the others is sent again, alone', async () => {
  const { seen, events } = await bus((id, time) => id === 'e3' && time < 3);
  const { taken, errors } = await events.send(many(10));
  expect(taken.size).toBe(10);
  expect(errors).toEqual([]);
  expect([seen.get('e3'), seen.get('e4')]).toEqual([3, 1]);
});

test('one that it goes on refusing is named as not taken, and the next batch goes out', async () => {
  const { events } = await bus((id) => id === 'e3');
  const { taken, errors } = await events.send(many(20));
  expect(taken.size).toBe(19);
  expect(taken.has('e3')).toBe(false);
  expect(errors).toHaveLength(1);
});

test('no request is larger than the bus takes', async () => {
  const { running, events } = await bus(() => false);
  const large = Array.from({ length: 5 }, (_, n) => event(`large${n}`, 90_000));
  const { taken } = await events.send(large);
  expect(taken.size).toBe(5);
  expect(running.calls.map(({ parameters }) => (parameters.Entries as unknown[]).length)).toEqual([2, 2, 1]);
});

test('a late bus is opened for the first event, once, and not for none', async () => {
  const { running, events } = await bus(() => false);
  let opened = 0;
  const late = lateBus(async () => {
    opened++;
    return events;
  });
  expect(await late.send([])).toEqual({ taken: new Set(), errors: [] });
  expect([opened, running.calls.length]).toEqual([0, 0]);
  const answers = await Promise.all([late.send([event('one')]), late.send([event('two')])]);
  expect(answers.map(({ taken }) => [...taken])).toEqual([['one'], ['two']]);
  expect([opened, running.calls.length]).toEqual([1, 2]);
});
