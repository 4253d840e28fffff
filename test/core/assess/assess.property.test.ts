/** What holds of every assessment, whatever the region is: random subnets, interfaces, reservations and instances. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FINDING_CODES } from '../../../lambdas/contract/finding.ts';
import { formatIpv4 } from '../../../lambdas/core/ip/ipv4.ts';
import type { EniRecord, RegionFacts } from '../../../lambdas/core/subnet/snapshot.ts';
import { assessed } from '../../support/assessing.ts';
import { type EniFields, eni, reservation, subnet } from '../../support/builders.ts';
import { cluster, cni, instance, M5_LARGE, nodegroup, prefixMode, read } from '../../support/cluster-facts.ts';

const NOW = Date.parse('2026-11-30T12:00:00Z');
const IDS = ['subnet-0000000000000000a', 'subnet-0000000000000000b', 'subnet-0000000000000000c'] as const;
const CIDRS = ['10.0.0.0/24', '10.0.1.0/26', '10.0.2.0/28'] as const;
const SIZES = [256, 64, 16] as const;

const kinds: readonly EniFields[] = [
  { attachment: { instanceId: 'i-1', deviceIndex: 0 } },
  { attachment: { instanceId: 'i-2', deviceIndex: 1 }, description: 'aws-K8S-i-2' },
  {
    status: 'available',
    description: 'aws-K8S-i-3',
    tags: { 'node.k8s.amazonaws.com/instance_id': 'i-3', 'node.k8s.amazonaws.com/createdAt': '2026-11-01T00:00:00Z' },
  },
  { status: 'available', tags: { 'node.k8s.amazonaws.com/instance_id': 'i-3' } },
  { interfaceType: 'network_load_balancer', requesterManaged: true },
  { interfaceType: 'efa-only' },
];

/** Interfaces with addresses and prefixes of their subnet; as in EC2, no address is held twice. */
const interfaces: fc.Arbitrary<readonly EniRecord[]> = fc
  .array(
    fc.record({
      at: fc.nat(2),
      kind: fc.nat(kinds.length - 1),
      offsets: fc.array(fc.nat(255), { maxLength: 12 }),
      blocks: fc.array(fc.nat(15), { maxLength: 2 }),
    }),
    { maxLength: 30 },
  )
  .map((wanted) => {
    const taken = new Set<number>();
    const claim = (addresses: readonly number[]) => {
      if (addresses.some((address) => taken.has(address))) return false;
      for (const address of addresses) taken.add(address);
      return true;
    };
    return wanted.map(({ at, kind, offsets, blocks }) => {
      const size = SIZES[at] as number;
      const base = 0x0a000000 + 256 * at;
      const prefixes = blocks
        .map((block) => base + ((16 * block) % size))
        .filter((prefix) => claim(Array.from({ length: 16 }, (_, n) => prefix + n)));
      const addresses = offsets.map((offset) => base + (offset % size)).filter((address) => claim([address]));
      return eni({
        ...kinds[kind],
        subnetId: IDS[at] as string,
        addresses: addresses.map(formatIpv4),
        prefixes: prefixes.map(formatIpv4),
      });
    });
  });

const counts = fc.tuple(fc.nat(251), fc.nat(59), fc.nat(11));

const facts: fc.Arbitrary<Partial<RegionFacts>> = fc.record(
  {
    now: fc.constant(NOW),
    reservations: fc.constantFrom(
      read([reservation('10.0.0.64/26', 'prefix', IDS[0]), reservation('10.0.0.224/27', 'prefix', IDS[0])]),
      read([reservation('10.0.1.16/28', 'explicit', IDS[1]), reservation('10.0.1.32/30', 'prefix', IDS[1])]),
    ),
    instances: fc.constant(read([instance('i-1', IDS[0], {}, { state: 'stopped' }), instance('i-2', IDS[1])])),
    instanceTypes: fc.constant(read([M5_LARGE])),
    clusters: fc.constant(read([cluster('prod', { subnetIds: [...IDS] }), cluster('test', { subnetIds: [IDS[2]] })])),
    nodegroups: fc.constant(read([nodegroup('prod', [IDS[0], IDS[1]]), nodegroup('test', [IDS[0]])])),
    kubernetes: fc.constantFrom([cni()], [prefixMode()]),
  },
  { requiredKeys: [] },
);

const subnetsOf = ([a, b, c]: readonly [number, number, number]) =>
  [a, b, c].map((availableIps, n) =>
    subnet(CIDRS[n] as string, {
      subnetId: IDS[n] as string,
      availableIps,
      tags: n === 2 ? { 'kubernetes.io/role/elb': '1' } : { 'karpenter.sh/discovery': 'prod' },
    }),
  );

const given = fc.record({ available: counts, enis: fc.option(interfaces, { nil: undefined, freq: 8 }), facts });

/** Every number anywhere in a value. */
function numbersIn(value: unknown): readonly number[] {
  if (typeof value === 'number') return [value];
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap(numbersIn);
}

function run({
  available,
  enis,
  facts: known,
}: {
  available: readonly [number, number, number];
  enis: readonly EniRecord[] | undefined;
  facts: Partial<RegionFacts>;
}) {
  return assessed({ subnets: subnetsOf(available), facts: known, ...(enis === undefined ? {} : { enis }) });
}

describe('every assessment', () => {
  test('has findings of known codes with unique ids, printable, with finite numbers and whole sentences', () => {
    fc.assert(
      fc.property(given, (region) => {
        const findings = run(region);
        expect(new Set(findings.map(({ id }) => id)).size).toBe(findings.length);
        for (const found of findings) {
          expect(FINDING_CODES).toContain(found.code);
          expect(JSON.parse(JSON.stringify(found))).toEqual(found);
          expect(numbersIn(found).every(Number.isFinite)).toBe(true);
          expect(found.message).toMatch(/\.$/);
          expect(`${found.message} ${found.remedy ?? ''}`).not.toMatch(/NaN|undefined|null|Infinity|\[object/);
        }
      }),
    );
  });

  test('is the same whatever the order of the interfaces and however often one comes', () => {
    fc.assert(
      fc.property(given, fc.infiniteStream(fc.nat()), (region, order) => {
        if (region.enis === undefined) return;
        const keyed = region.enis.map((one) => ({ one, key: order.next().value as number }));
        const shuffled = keyed.sort((a, b) => a.key - b.key).map(({ one }) => one);
        const repeated = [...shuffled, ...shuffled.slice(0, 5)];
        expect(run({ ...region, enis: repeated })).toEqual(run(region));
      }),
    );
  });

  test('says of a subnet at most one of exhausted and low, and nothing of /28s where no address is left', () => {
    fc.assert(
      fc.property(given, (region) => {
        for (const id of IDS) {
          const here = run(region)
            .filter(({ subnetId }) => subnetId === id)
            .map(({ code }) => code);
          expect(
            new Set(here.filter((code) => code === 'SUBNET_EXHAUSTED' || code === 'SUBNET_LOW')).size,
          ).toBeLessThan(2);
          expect(
            new Set(here.filter((code) => code === 'PREFIX_EXHAUSTED' || code === 'PREFIX_LOW')).size,
          ).toBeLessThan(2);
          if (here.includes('SUBNET_EXHAUSTED')) expect(here).not.toContain('PREFIX_EXHAUSTED');
        }
      }),
    );
  });

  test('without a time speaks of no leak', () => {
    fc.assert(
      fc.property(given, (region) => {
        const { now: _, ...timeless } = region.facts;
        expect(run({ ...region, facts: timeless }).map(({ code }) => code)).not.toContain('LEAKED_ENI');
      }),
    );
  });
});

test('the interfaces that are named of very many do not depend on their order either', () => {
  const many = Array.from({ length: 130 }, (_, n) =>
    eni({
      description: 'aws-K8S-i-2',
      addresses: [formatIpv4(0x0a000000 + 4 + 2 * n), formatIpv4(0x0a000000 + 5 + 2 * n)],
      prefixes: [formatIpv4(0x0a000000 + 1024 + 16 * n)],
      attachment: { instanceId: 'i-2', deviceIndex: 1 },
    }),
  );
  const subnets = [subnet('10.0.0.0/16')];
  const forwards = assessed({ subnets, enis: many });
  expect(forwards.map(({ code }) => code)).toContain('MIXED_MODE');
  expect(assessed({ subnets, enis: [...many].reverse() })).toEqual(forwards);
});
