import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Footprint } from '../../../lambdas/core/assess/cluster-model.ts';
import { together } from '../../../lambdas/core/assess/footprint.ts';
import { totalCapacity } from '../../../lambdas/core/assess/headroom.ts';
import { apartCapacity } from '../../../lambdas/core/assess/pods-apart.ts';
import { type NaiveSubnet, NaiveZone } from '../../support/naive-headroom.ts';

const NODE: Footprint = { ips: 1, prefixes: 0 };

interface Drawn extends NaiveSubnet {
  readonly nodes: boolean;
  readonly pods: boolean;
}

function count(drawn: readonly Drawn[], share: Footprint, placing: 'best' | 'careful'): number | null {
  const places = (of: 'nodes' | 'pods') =>
    drawn.filter((one) => one[of]).map(({ id, nodes: _, pods: __, ...room }) => ({ subnetId: id, room }));
  return apartCapacity(places('nodes'), places('pods'), share, placing);
}

const use = fc.constantFrom({ nodes: true, pods: true }, { nodes: true, pods: false }, { nodes: false, pods: true });
const zones = (most: number) =>
  fc
    .array(
      fc.record({
        use,
        availableIps: fc.integer({ min: 0, max: most }),
        prefixes: fc.integer({ min: 0, max: 4 }),
        hidden: fc.integer({ min: 0, max: 4 }),
      }),
      { minLength: 1, maxLength: 3 },
    )
    .map((drawn) =>
      drawn.map(
        ({ use: { nodes, pods }, availableIps, prefixes, hidden }, at): Drawn => ({
          id: `s${at}`,
          nodes,
          pods,
          availableIps,
          prefixes,
          reservedPrefixes: Math.min(prefixes, hidden),
        }),
      ),
    );
const shares: fc.Arbitrary<Footprint> = fc.oneof(
  fc.record({ ips: fc.integer({ min: 1, max: 5 }), prefixes: fc.constant(0) }),
  fc.record({ ips: fc.constant(1), prefixes: fc.integer({ min: 1, max: 3 }) }),
);

describe('nodes with pods in subnets of their own, against placing them one after the other', () => {
  test('at best: as many as any way of placing them brings up', () => {
    fc.assert(
      fc.property(zones(16), shares, (drawn, share) => {
        expect(count(drawn, share, 'best')).toBe(NaiveZone.of(drawn).most(NODE, share));
      }),
      { numRuns: 500 },
    );
  });

  test('by care: no more than come up where each node lands in the subnet with most addresses', () => {
    fc.assert(
      fc.property(zones(60), shares, (drawn, share) => {
        const shared = drawn.filter(({ nodes, pods }) => nodes && pods).length;
        // What is left over in one shared subnet and in another are added up: together a share, apart none.
        const rounding = Math.max(0, shared - 1);
        const careful = count(drawn, share, 'careful') ?? Number.NaN;
        expect(careful).toBeLessThanOrEqual(NaiveZone.of(drawn).byMostAvailable(NODE, share) + rounding);
        expect(careful).toBeLessThanOrEqual(count(drawn, share, 'best') ?? Number.NaN);
      }),
      { numRuns: 2000 },
    );
  });

  test('where nothing is shared, the smaller of the two; in one subnet, both together', () => {
    fc.assert(
      fc.property(zones(900), shares, (drawn, share) => {
        const apart = drawn.map((one, at) => ({ ...one, nodes: at % 2 === 0, pods: at % 2 === 1 }));
        const places = (odd: number) =>
          drawn.flatMap(({ id, nodes: _, pods: __, ...room }, at) => (at % 2 === odd ? [{ subnetId: id, room }] : []));
        const smaller = Math.min(totalCapacity(places(0), NODE) ?? 0, totalCapacity(places(1), share) ?? 0);
        const one = drawn.slice(0, 1).map((first) => ({ ...first, nodes: true, pods: true }));
        for (const placing of ['best', 'careful'] as const) {
          expect(count(apart, share, placing)).toBe(smaller);
          expect(count(one, share, placing)).toBe(totalCapacity(places(0).slice(0, 1), together(NODE, share)));
        }
      }),
    );
  });
});

describe('known answers (ten addresses for the pods of a node)', () => {
  const share: Footprint = { ips: 10, prefixes: 0 };
  const subnet = (id: string, availableIps: number, uses: string): Drawn => ({
    id,
    availableIps,
    prefixes: 0,
    reservedPrefixes: 0,
    nodes: uses.includes('nodes'),
    pods: uses.includes('pods'),
  });
  const counts = (...drawn: Drawn[]) => [count(drawn, share, 'best'), count(drawn, share, 'careful')];

  test('a shared subnet is not spent twice', () => {
    // 100 nodes and 10 times ten addresses would each fit alone.
    expect(counts(subnet('a', 1, 'nodes'), subnet('b', 100, 'nodes and pods'))).toEqual([9, 9]);
    expect(counts(subnet('a', 100, 'nodes'), subnet('b', 110, 'nodes and pods'))).toEqual([11, 10]);
  });

  test('room beside the shared subnets counts in full', () => {
    expect(counts(subnet('a', 50, 'nodes and pods'), subnet('b', 400, 'pods'))).toEqual([40, 40]);
    expect(counts(subnet('a', 5, 'nodes and pods'), subnet('b', 400, 'pods'), subnet('c', 500, 'nodes'))).toEqual([
      40, 40,
    ]);
  });

  test('without a pod subnet no node comes up; with unknown prefixes it is not known', () => {
    expect(counts(subnet('a', 50, 'nodes'))).toEqual([0, 0]);
    const unknown = { subnetId: 'a', room: { availableIps: 50, prefixes: null, reservedPrefixes: 0 } };
    expect(apartCapacity([unknown], [unknown], { ips: 1, prefixes: 1 }, 'best')).toBeNull();
  });
});
