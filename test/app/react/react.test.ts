import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { react } from '../../../lambdas/app/react/react.ts';
import type { KnownRegion, ReactWorld, Reread, Sighting } from '../../../lambdas/ports/reacting.ts';
import { ENI, eventFilesOf, record, room, SUBNET_A, SUBNET_B } from '../../support/events.ts';

const NOW = Date.parse('2026-11-30T10:01:30Z');

/** A world that remembers what was done to it. What is not set throws, so that no test leans on what it did not say. */
function world(set: {
  known?: KnownRegion;
  enis?: Readonly<Record<string, string>>;
  fail?: Partial<Record<'snapshot' | 'interfaces' | 'note' | 'reread' | 'lag', true>>;
}) {
  const did = {
    snapshots: 0,
    lookups: [] as (readonly string[])[],
    noted: [] as Sighting[],
    asked: [] as Reread[],
    lags: [] as number[],
    lines: [] as { level: string; message: string; fields: object }[],
  };
  const failing = (what: keyof NonNullable<typeof set.fail>) => {
    if (set.fail?.[what]) throw new Error(`${what} is down`);
  };
  const made: ReactWorld = {
    snapshot: {
      read: async () => {
        did.snapshots++;
        failing('snapshot');
        return set.known;
      },
    },
    interfaces: {
      subnetsOf: async (ids) => {
        did.lookups.push(ids);
        failing('interfaces');
        return new Map(ids.flatMap((id) => (set.enis?.[id] === undefined ? [] : [[id, set.enis[id]]])));
      },
    },
    book: {
      note: async (sightings) => {
        if (set.fail?.note) return new Map(sightings.map(({ finding }) => [finding.id, new Error('busy')]));
        did.noted.push(...sightings);
        return new Map();
      },
    },
    reread: {
      ask: async (reread) => {
        failing('reread');
        did.asked.push(reread);
      },
    },
    lag: {
      put: async (seconds) => {
        failing('lag');
        did.lags.push(seconds);
      },
    },
    log: (level, message, fields) => did.lines.push({ level, message, fields }),
    now: () => NOW,
  };
  return { made, did };
}

const message = (document: unknown, id = 'm-1') => ({ id, body: JSON.stringify(document) });
const failedCall = (change: object = {}) => record({ errorCode: 'Client.InsufficientCidrBlocks', ...change });

test('a storm of a thousand nodes is one read, one lookup and one finding', async () => {
  const enis = Object.fromEntries(
    Array.from({ length: 1000 }, (_, i) => [`eni-${String(i).padStart(17, '0')}`, SUBNET_A]),
  );
  const ids = Object.keys(enis);
  const { made, did } = world({
    known: { rooms: [room()], enis: new Map(ids.slice(0, 600).map((id) => [id, SUBNET_A])) },
    enis,
  });
  const storm = ids.map((networkInterfaceId, i) =>
    message(
      failedCall({ eventID: `event-${i}`, requestParameters: { networkInterfaceId, ipv4PrefixCount: 1 } }),
      `m-${i}`,
    ),
  );
  expect(await react(made, storm)).toEqual({ failed: [], events: 1000, findings: 1 });
  expect(did.snapshots).toBe(1);
  expect(did.lookups).toEqual([ids.slice(600)]);
  expect(did.noted).toHaveLength(1);
  expect(did.noted[0]?.eventIds).toHaveLength(1000);
  expect(did.noted[0]?.finding).toMatchObject({
    code: 'PREFIX_EXHAUSTED',
    severity: 'critical',
    evidence: { count: 1000 },
  });
});

test('an event delivered twice counts once, within a batch', async () => {
  const { made, did } = world({ known: { rooms: [room()], enis: new Map([[ENI, SUBNET_A]]) } });
  const outcome = await react(made, [message(failedCall(), 'm-1'), message(failedCall(), 'm-2')]);
  expect(outcome).toEqual({ failed: [], events: 1, findings: 1 });
  expect(did.noted[0]?.finding.evidence.count).toBe(1);
});

test('what does not speak of a subnet costs no read at all', async () => {
  const { made, did } = world({});
  const quiet = [
    'Client.UnauthorizedOperation',
    'Client.RequestLimitExceeded',
    'Client.DryRunOperation',
    'Client.PrivateIpAddressLimitExceeded',
  ];
  const outcome = await react(
    made,
    quiet.map((errorCode, i) => message(record({ errorCode, eventID: errorCode }), `m-${i}`)),
  );
  expect(outcome).toEqual({ failed: [], events: 4, findings: 0 });
  expect(did).toMatchObject({ snapshots: 0, lookups: [], noted: [], asked: [] });
});

test('the real events make one critical finding, on the one subnet', async () => {
  const subnetId = 'subnet-00350000000000001';
  const known = {
    rooms: [room({ subnetId, availableIps: 0, freePrefixes: { min: 0, max: 0 } })],
    enis: new Map<string, string>(),
  };
  const { made, did } = world({ known, enis: { 'eni-00350000000000001': subnetId } });
  const outcome = await react(
    made,
    [...eventFilesOf('c35-cloudtrail-events').values()].map((event, i) => message(event, `m-${i}`)),
  );
  expect(outcome).toMatchObject({ failed: [], events: 14, findings: 2 });
  expect(did.noted.map(({ finding }) => [finding.code, finding.severity, finding.subnetId])).toEqual([
    ['ELB_HEADROOM_LOW', 'warning', subnetId],
    ['SUBNET_EXHAUSTED', 'critical', subnetId],
  ]);
  expect(did.asked).toEqual([{ subnetIds: [subnetId], vpcIds: ['vpc-00000000000000001'] }]);
});

test('the lag is from the oldest call to now', async () => {
  const { made, did } = world({});
  await react(made, [
    message(record({ eventID: 'a', eventTime: '2026-11-30T10:01:00Z' }), 'm-1'),
    message(record({ eventID: 'b', eventTime: '2026-11-30T10:00:00Z' }), 'm-2'),
  ]);
  expect(did.lags).toEqual([90]);
});

test('a clock that runs behind gives no negative lag', async () => {
  const { made, did } = world({});
  await react(made, [message(record({ eventTime: '2026-11-30T10:05:00Z' }))]);
  expect(did.lags).toEqual([0]);
});

describe('what leaves something open has its subnets measured again', () => {
  test('parts left out', async () => {
    const { made, did } = world({ known: { rooms: [room()], enis: new Map() } });
    const responseElements = { omitted: true };
    await react(made, [
      message(record({ eventName: 'CreateFleet', requestParameters: { subnetId: SUBNET_A }, responseElements })),
    ]);
    expect(did.asked.flatMap(({ subnetIds }) => subnetIds)).toEqual([SUBNET_A]);
  });

  test('one subnet of several', async () => {
    const { made, did } = world({ known: { rooms: [room(), room({ subnetId: SUBNET_B })], enis: new Map() } });
    const requestParameters = { vpcConfig: { subnetIds: [SUBNET_A, SUBNET_B] } };
    await react(made, [message(record({ errorCode: 'SubnetIPAddressLimitReachedException', requestParameters }))]);
    expect(did.noted).toEqual([]);
    expect(did.asked).toEqual([{ subnetIds: [SUBNET_A, SUBNET_B], vpcIds: ['vpc-00000000000000001'] }]);
  });
});

describe('when the world fails', () => {
  const events = [
    message(failedCall(), 'm-1'),
    message(record({ errorCode: 'Client.DryRunOperation', eventID: 'other' }), 'm-2'),
  ];
  const known = { rooms: [room()], enis: new Map([[ENI, SUBNET_A]]) };

  test('a finding that could not be noted brings its own messages back, and no other', async () => {
    const { made } = world({ known, fail: { note: true } });
    expect(await react(made, events)).toMatchObject({ failed: ['m-1'], findings: 0 });
  });

  test('interfaces that could not be looked up bring theirs back', async () => {
    const { made } = world({ known: { rooms: [room()], enis: new Map() }, fail: { interfaces: true } });
    expect((await react(made, events)).failed).toEqual(['m-1']);
  });

  test('a snapshot that cannot be read holds nothing up', async () => {
    const { made, did } = world({ enis: { [ENI]: SUBNET_A }, fail: { snapshot: true } });
    expect((await react(made, events)).failed).toEqual([]);
    expect(did.noted.map(({ finding }) => finding.id)).toEqual([`PREFIX_EXHAUSTED/${SUBNET_A}`]);
    expect(did.lines).toContainEqual(
      expect.objectContaining({ level: 'error', message: 'the newest snapshot could not be read' }),
    );
  });

  test('a subnet that could not be marked brings its messages back', async () => {
    const { made } = world({ known, fail: { reread: true } });
    expect((await react(made, events)).failed).toEqual(['m-1']);
  });

  test('a lag that could not be published holds nothing up', async () => {
    const { made, did } = world({ known, fail: { lag: true } });
    expect((await react(made, events)).failed).toEqual([]);
    expect(did.noted).toHaveLength(1);
  });

  test('an interface that is gone keeps the class and is no reason to come again', async () => {
    const { made, did } = world({ known: { rooms: [room()], enis: new Map() } });
    expect(await react(made, events)).toEqual({ failed: [], events: 2, findings: 0 });
    expect(did.lines.at(-1)?.fields).toMatchObject({ classes: { PREFIX_EXHAUSTED: 1, DRY_RUN: 1 } });
  });
});

describe('what is not understood', () => {
  test('is logged by its names, counted, and never shown', async () => {
    const { made, did } = world({});
    const outcome = await react(made, [
      message({ 'detail-type': 'Something New', id: 'x', detail: 7, secret: 'QUJD'.repeat(40) }, 'm-1'),
      { id: 'm-2', body: '{"cut off' },
      message([], 'm-3'),
    ]);
    expect(outcome.failed).toEqual([]);
    expect(did.lines.at(-1)).toMatchObject({ message: 'events taken up', fields: { unknownShapes: 3 } });
    expect(did.lines.filter(({ level }) => level === 'warn')).toHaveLength(3);
    expect(JSON.stringify(did.lines)).not.toMatch(/QUJD/);
  });

  test('never throws, and every message is taken up or given back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(fc.string(), fc.json()), { maxLength: 10 }), async (bodies) => {
        const { made, did } = world({});
        const outcome = await react(
          made,
          bodies.map((body, i) => ({ id: `m-${i}`, body })),
        );
        expect(outcome.failed).toEqual([]);
        expect(did.lines.at(-1)?.message).toBe('events taken up');
      }),
      { numRuns: 200 },
    );
  });
});
