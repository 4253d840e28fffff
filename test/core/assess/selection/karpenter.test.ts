import { describe, expect, test } from '@jest/globals';
import {
  afterAddressFailure,
  afterLaunch,
  driftEffect,
  failureRule,
  karpenterPicks,
  type Selectable,
} from '../../../../lambdas/core/assess/selection/karpenter.ts';

function at(subnetId: string, availableIps: number, availabilityZone = 'a'): Selectable {
  return { subnetId, availableIps, availabilityZone };
}

function picked(selected: readonly Selectable[], memory?: Parameters<typeof karpenterPicks>[1]) {
  return Object.fromEntries([...karpenterPicks(selected, memory)].map(([zone, { subnetId }]) => [zone, subnetId]));
}

describe('the pick of a zone', () => {
  test('is the subnet with most available addresses, zone by zone', () => {
    expect(picked([at('s1', 10), at('s2', 20), at('s3', 5, 'b')])).toEqual({ a: 's2', b: 's3' });
  });

  test('is the first by id among equals, whatever the order given', () => {
    expect(picked([at('s2', 20), at('s1', 20)])).toEqual({ a: 's1' });
  });

  test('has no minimum', () => {
    expect(picked([at('s1', 0)])).toEqual({ a: 's1' });
  });

  test('goes by the estimate of what is in flight before EC2’s count', () => {
    const selected = [at('s1', 100), at('s2', 90)];
    const once = afterLaunch(karpenterPicks(selected), {}, 29, new Set(['s1']));
    expect(once.inFlight).toEqual(new Map([['s1', 71]]));
    expect(picked(selected, once)).toEqual({ a: 's2' });
    const twice = afterLaunch(karpenterPicks(selected, once), once, 29, new Set(['s2']));
    expect(twice.inFlight).toEqual(
      new Map([
        ['s1', 71],
        ['s2', 61],
      ]),
    );
    expect(picked(selected, twice)).toEqual({ a: 's1' });
  });

  test('gets its estimate back where no node came up', () => {
    expect(afterLaunch(karpenterPicks([at('s1', 100)]), {}, 29, new Set()).inFlight).toEqual(new Map());
  });
});

describe('after a launch failed for want of addresses', () => {
  test.each([
    ['1.0.0', 'offering'],
    ['1.5.9', 'offering'],
    ['1.6.0', 'zone'],
    ['v1.12.3', 'zone'],
    ['1.13.0', 'subnet'],
    ['1.14.1', 'subnet'],
    ['0.37.0', undefined],
    [undefined, undefined],
  ])('version %s: %s', (version, rule) => {
    expect(failureRule(version)).toBe(rule);
  });

  const full = at('s1', 8);
  const roomy = at('s2', 6);
  const elsewhere = at('s3', 4, 'b');
  const selected = [full, roomy, elsewhere];

  test('the offering alone: the same subnet is picked again', () => {
    expect(picked(selected, afterAddressFailure('offering', full, selected))).toEqual({ a: 's1', b: 's3' });
  });

  test('the zone: the second subnet is out too', () => {
    expect(picked(selected, afterAddressFailure('zone', full, selected))).toEqual({ b: 's3' });
  });

  test('the subnet: the second one is picked, and the zone goes with the last of them', () => {
    const once = afterAddressFailure('subnet', full, selected);
    expect(picked(selected, once)).toEqual({ a: 's2', b: 's3' });
    const twice = afterAddressFailure('subnet', roomy, selected, once);
    expect(picked(selected, twice)).toEqual({ b: 's3' });
    expect(twice.blockedZones).toEqual(new Set(['a']));
  });
});

describe('when the selected set changes', () => {
  const nodes = [
    { id: 'i-1', subnetId: 's1' },
    { id: 'i-2', subnetId: 's2' },
  ];

  test('nodes outside it are replaced', () => {
    expect(driftEffect(new Set(['s2']), nodes)).toEqual({ kind: 'drift', nodes: [nodes[0]] });
  });

  test('an empty set replaces nothing: the node class is not ready', () => {
    expect(driftEffect(new Set(), nodes)).toEqual({ kind: 'not-ready', nodes });
  });
});
