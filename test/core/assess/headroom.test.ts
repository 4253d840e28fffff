import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Footprint } from '../../../lambdas/core/assess/cluster-model.ts';
import { availableAfter, capacityOf, type Place } from '../../../lambdas/core/assess/footprint.ts';
import { karpenterHeadroom, nodegroupHeadroom, totalCapacity } from '../../../lambdas/core/assess/headroom.ts';
import { type NaiveSubnet, naiveCapacity, naiveKarpenter, naiveNodegroup } from '../../support/naive-headroom.ts';

function place({ id, ...room }: NaiveSubnet): Place {
  return { subnetId: id, room };
}

/** Small numbers, so that ties, empty subnets and full ones are common. */
const subnets = fc
  .array(
    fc.record({
      availableIps: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 900 })),
      prefixes: fc.integer({ min: 0, max: 12 }),
      hidden: fc.integer({ min: 0, max: 12 }),
    }),
    { maxLength: 5 },
  )
  .map((drawn) =>
    drawn.map(({ availableIps, prefixes, hidden }, at) => ({
      id: `s${at}`,
      availableIps,
      prefixes,
      reservedPrefixes: Math.min(prefixes, hidden),
    })),
  );
const footprints: fc.Arbitrary<Footprint> = fc.oneof(
  fc.record({ ips: fc.integer({ min: 1, max: 20 }), prefixes: fc.constant(0) }),
  fc.record({ ips: fc.constant(1), prefixes: fc.integer({ min: 1, max: 4 }) }),
);

describe('arithmetic against a simulation that lands node after node', () => {
  test('what one subnet serves', () => {
    fc.assert(
      fc.property(subnets, footprints, (drawn, footprint) => {
        for (const subnet of drawn) {
          expect(capacityOf(place(subnet).room, footprint)).toBe(naiveCapacity(subnet, footprint));
        }
      }),
      { numRuns: 500 },
    );
  });

  test('what Karpenter brings up', () => {
    fc.assert(
      fc.property(subnets, footprints, (drawn, footprint) => {
        expect(karpenterHeadroom(drawn.map(place), footprint)).toBe(naiveKarpenter(drawn, footprint));
      }),
      { numRuns: 3000 },
    );
  });

  test('what a node group brings up', () => {
    fc.assert(
      fc.property(subnets, footprints, (drawn, footprint) => {
        expect(nodegroupHeadroom(drawn.map(place), footprint)).toBe(naiveNodegroup(drawn, footprint));
      }),
      { numRuns: 3000 },
    );
  });

  test('neither exceeds what the subnets could serve, and order does not matter', () => {
    fc.assert(
      fc.property(subnets, footprints, (drawn, footprint) => {
        const places = drawn.map(place);
        const total = totalCapacity(places, footprint) ?? Number.NaN;
        const turned = [...places].reverse();
        for (const count of [karpenterHeadroom, nodegroupHeadroom]) {
          expect(count(places, footprint)).toBeLessThanOrEqual(total);
          expect(count(turned, footprint)).toBe(count(places, footprint));
        }
      }),
    );
  });
});

const M5_SECONDARY: Footprint = { ips: 10, prefixes: 0 };
const ONE_PREFIX: Footprint = { ips: 1, prefixes: 1 };

describe('known answers', () => {
  test.each([
    // 3 addresses launch a node and serve none of 10; 120 serve 12 (m5.large: 10 addresses on its first interface).
    [3, 0],
    [9, 0],
    [10, 1],
    [120, 12],
    [140, 14],
  ])('%i addresses, 10 for a node: %i', (availableIps, nodes) => {
    expect(capacityOf({ availableIps, prefixes: null, reservedPrefixes: 0 }, M5_SECONDARY)).toBe(nodes);
  });

  test('a subnet with most addresses and no /28 stops Karpenter at once', () => {
    const fragmented = place({ id: 'a', availableIps: 300, prefixes: 0, reservedPrefixes: 0 });
    const roomy = place({ id: 'b', availableIps: 200, prefixes: 11, reservedPrefixes: 0 });
    expect(karpenterHeadroom([fragmented, roomy], ONE_PREFIX)).toBe(0);
    expect(totalCapacity([fragmented, roomy], ONE_PREFIX)).toBe(11);
  });

  test('a node group goes on where a subnet refuses, and stops where a node hangs', () => {
    const refuses = place({ id: 'a', availableIps: 0, prefixes: 0, reservedPrefixes: 0 });
    const hangs = place({ id: 'b', availableIps: 19, prefixes: 0, reservedPrefixes: 0 });
    const roomy = place({ id: 'c', availableIps: 100, prefixes: 0, reservedPrefixes: 0 });
    expect(nodegroupHeadroom([refuses, roomy], M5_SECONDARY)).toBe(10);
    expect(nodegroupHeadroom([hangs, roomy], M5_SECONDARY)).toBe(2);
  });

  test('prefixes inside a reservation do not lower the count', () => {
    const room = { availableIps: 20, prefixes: 5, reservedPrefixes: 4 };
    expect(capacityOf(room, ONE_PREFIX)).toBe(4);
    expect(availableAfter(room, ONE_PREFIX, 4)).toBe(16);
    expect(availableAfter(room, ONE_PREFIX, 5)).toBe(-1);
  });

  test('unknown prefixes stay unknown, unless no node can launch at all', () => {
    const unknown = place({ id: 'a', availableIps: 100, prefixes: 0, reservedPrefixes: 0 });
    const places = [{ ...unknown, room: { ...unknown.room, prefixes: null } }];
    expect(karpenterHeadroom(places, ONE_PREFIX)).toBeNull();
    expect(nodegroupHeadroom(places, ONE_PREFIX)).toBeNull();
    expect(totalCapacity(places, ONE_PREFIX)).toBeNull();
    expect(capacityOf({ availableIps: 0, prefixes: null, reservedPrefixes: 0 }, ONE_PREFIX)).toBe(0);
  });

  test('a million addresses cost no loop over nodes', () => {
    const huge = Array.from({ length: 16 }, (_, at) =>
      place({ id: `s${at}`, availableIps: 65531 - at, prefixes: 4094, reservedPrefixes: 0 }),
    );
    // 16 subnets of 4094 prefixes; 65531 - 17 n stays above 0 for 3854 nodes each.
    expect(totalCapacity(huge, ONE_PREFIX)).toBe(
      16 * 3854 - huge.filter(({ room }) => room.availableIps < 17 * 3854).length,
    );
    expect(karpenterHeadroom(huge, ONE_PREFIX)).toBeGreaterThan(15 * 3854);
  });
});
