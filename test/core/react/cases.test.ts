/** Every event of the real cases gets the class and subnets that were worked out by hand. */
import { describe, expect, test } from '@jest/globals';
import { classify } from '../../../lambdas/core/react/classify.ts';
import { eventFindings } from '../../../lambdas/core/react/event-findings.ts';
import { fold } from '../../../lambdas/core/react/fold.ts';
import { enisToResolve, resolve } from '../../../lambdas/core/react/resolve.ts';
import { documentEvent } from '../../../lambdas/core/report/event-document.ts';
import { expectedOf } from '../../support/cases.ts';
import { eventFilesOf, roomsOfCase } from '../../support/events.ts';

const C35 = 'c35-cloudtrail-events';
const SUBNET = 'subnet-00350000000000001';
const ENI = 'eni-00350000000000001';

interface ExpectedEvent {
  readonly class: string;
  readonly subnets: readonly string[];
  readonly partial?: boolean;
  readonly ignored?: readonly string[];
  readonly needsEniLookup?: boolean;
}
const expected = (expectedOf(C35) as unknown as { readonly events: Readonly<Record<string, ExpectedEvent>> }).events;
const files = eventFilesOf(C35);

async function resolvedC35() {
  const rooms = await roomsOfCase(C35, new Map([[ENI, SUBNET]]));
  const all = [...files].map(([file, document]) => {
    const [event] = classify(document);
    if (event === undefined) throw new Error(`${file} holds no event`);
    return [file, resolve(event, rooms)] as const;
  });
  return { rooms, events: new Map(all) };
}

test('every event of the case is there', () => {
  expect([...files.keys()]).toEqual(Object.keys(expected).map((name) => `${name}.json`));
});

test.each(Object.entries(expected))(
  '%s has its class and subnets, and what else the case says',
  async (name, wanted) => {
    const event = (await resolvedC35()).events.get(`${name}.json`);
    if (event === undefined) throw new Error(`no ${name}`);
    const document = documentEvent(`${name}.json`, 0, event);
    expect(document).toMatchObject({ class: wanted.class, subnets: wanted.subnets });
    for (const key of ['partial', 'ignored', 'needsEniLookup'] as const) {
      if (wanted[key] !== undefined) expect(document[key]).toEqual(wanted[key]);
    }
  },
);

test('only the failure that names no subnet costs a lookup of its interface', () => {
  const asked = [...files].flatMap(([file, document]) => enisToResolve(classify(document)).map((eni) => [file, eni]));
  expect(asked).toEqual([['e04.json', ENI]]);
});

test('repeats fold into one finding with their count, first and last time', async () => {
  const { rooms, events } = await resolvedC35();
  const same = ['e01.json', 'e02.json', 'e03.json', 'e19.json']
    .map((file) => events.get(file))
    .filter((e) => e !== undefined);
  const later = same.map((event, i) => ({
    ...event,
    eventId: `later-${i}`,
    time: (event.time ?? 0) + 60_000 * (i + 1),
  }));
  const found = eventFindings(fold([...same, ...later, ...same], rooms));
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({
    code: 'SUBNET_EXHAUSTED',
    severity: 'critical',
    subnetId: SUBNET,
    evidence: { count: 8, firstTime: '2026-11-30T10:00:00Z', lastTime: '2026-11-30T10:04:00Z' },
  });
});

test('nothing but the subnet in trouble raises an alarm', async () => {
  const { rooms, events } = await resolvedC35();
  const found = eventFindings(fold([...events.values()], rooms));
  expect(found.filter(({ severity }) => severity === 'critical').map(({ subnetId }) => subnetId)).toEqual([SUBNET]);
  const quiet = ['e06', 'e09', 'e10', 'e11', 'e12', 'e17', 'e20'].map((name) => events.get(`${name}.json`));
  expect(
    fold(
      quiet.filter((event) => event !== undefined),
      rooms,
    ),
  ).toEqual([]);
});

test('no encoded authorisation message comes through', async () => {
  const { events } = await resolvedC35();
  expect(JSON.stringify([...events.values()])).not.toMatch(/QUJDQUJD/);
});

describe('events of other cases', () => {
  test('c03: free addresses and a request for a prefix rule out that addresses were missing', async () => {
    const name = 'c03-create-eni-invalidparameter-650-free';
    const rooms = await roomsOfCase(name);
    const events = classify(eventFilesOf(name).get('event.json')).map((event) => resolve(event, rooms));
    expect(events[0]).toMatchObject({ class: 'PREFIX_EXHAUSTED', subnets: ['subnet-00030000000000001'] });
    expect(eventFindings(fold(events, rooms))).toEqual([
      expect.objectContaining({
        code: 'PREFIX_EXHAUSTED',
        severity: 'critical',
        subnetId: 'subnet-00030000000000001',
        evidence: expect.objectContaining({
          confidence: 'inferred-from-event-and-count; confirm with ENI scan',
          availableIps: 650,
          usedImplied: 369,
        }) as unknown,
      }),
    ]);
  });

  test('c08: a subnet that the event names twice is one finding of one request', async () => {
    const name = 'c08-one-az-exhausted';
    const rooms = await roomsOfCase(name);
    const events = classify(eventFilesOf(name).get('event.json')).map((event) => resolve(event, rooms));
    expect(events[0]).toMatchObject({ class: 'IP_EXHAUSTED', subnets: ['subnet-00080000000000004'] });
    const [found, ...more] = eventFindings(fold(events, rooms));
    expect(more).toEqual([]);
    expect(found).toMatchObject({ code: 'SUBNET_EXHAUSTED', zone: 'us-east-1d', evidence: { count: 1 } });
  });

  test('c18: what Kubernetes quotes of a load balancer’s error is understood', async () => {
    const name = 'c18-elb-needs-8-in-28';
    const rooms = await roomsOfCase(name);
    const events = classify(eventFilesOf(name).get('event.text.json')).map((event) => resolve(event, rooms));
    expect(events[0]).toMatchObject({ class: 'ELB_HEADROOM', subnets: ['subnet-00180000000000001'] });
    expect(eventFindings(fold(events, rooms))[0]).toMatchObject({
      code: 'ELB_HEADROOM_LOW',
      observed: 7,
      threshold: 8,
    });
  });
});
