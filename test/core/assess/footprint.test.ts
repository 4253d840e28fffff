import { describe, expect, test } from '@jest/globals';
import type { ClusterModel, CniFacts, Footprint } from '../../../lambdas/core/assess/cluster-model.ts';
import { capacityOf, footprintIn, nodeFootprint, roomOf } from '../../../lambdas/core/assess/footprint.ts';
import { subnetLedger } from '../../../lambdas/core/subnet/ledger.ts';
import { eni, occupy, reservation, subnet, tags } from '../../support/builders.ts';
import { M5_LARGE, nodeClass, term } from '../../support/cluster-facts.ts';

function cni(mode: CniFacts['mode'], env: Record<string, string> = {}, customNetworking = false): CniFacts {
  return { mode, modeEvidence: 'test', customNetworking, env: tags(env) };
}

function footprint(of: CniFacts, fields: Partial<Parameters<typeof nodeFootprint>[0]> = {}) {
  return nodeFootprint({
    cni: of,
    ipv6: false,
    instanceType: 'm5.large',
    limits: M5_LARGE,
    nodeClasses: [],
    ...fields,
  });
}

describe('what one more node takes', () => {
  test('secondary-IP mode: its whole first interface', () => {
    expect(footprint(cni('secondary-ip'))).toEqual({ instanceType: 'm5.large', node: { ips: 10, prefixes: 0 } });
    expect(footprint(cni('secondary-ip'), { limits: undefined })).toBeUndefined();
  });

  test('prefix mode: its primary and the prefixes that the CNI attaches at start', () => {
    const one = { ips: 1, prefixes: 1 };
    expect(footprint(cni('prefix'))?.node).toEqual(one);
    expect(footprint(cni('prefix', { WARM_PREFIX_TARGET: '0' }))?.node).toEqual(one);
    expect(footprint(cni('prefix', { WARM_PREFIX_TARGET: '3' }))?.node).toEqual({ ips: 1, prefixes: 3 });
    expect(footprint(cni('prefix', { WARM_PREFIX_TARGET: '40' }))?.node).toEqual({ ips: 1, prefixes: 9 });
    expect(footprint(cni('prefix', { WARM_PREFIX_TARGET: 'many' }))?.node).toEqual(one);
    expect(footprint(cni('prefix'), { instanceType: undefined, limits: undefined })).toEqual({ node: one });
    const counted = nodeClass('n', [term({ a: 'b' })], { ipPrefixCount: 2 });
    expect(footprint(cni('prefix'), { nodeClasses: [counted] })?.node).toEqual({ ips: 1, prefixes: 2 });
  });

  test('Auto Mode: its primary and 16 addresses, whichever way they come', () => {
    expect(footprint(cni('auto'))?.node).toEqual({ ips: 17, prefixes: 0 });
  });

  test('IPv6: its primary alone, whatever the mode', () => {
    for (const mode of ['prefix', 'secondary-ip', 'unknown'] as const) {
      expect(footprint(cni(mode), { ipv6: true, limits: undefined })?.node).toEqual({ ips: 1, prefixes: 0 });
    }
  });

  test('pods apart: the node takes one address, the pods theirs', () => {
    const custom = cni('secondary-ip', {}, true);
    expect(footprint(custom)).toMatchObject({ node: { ips: 1, prefixes: 0 }, pods: { ips: 10, prefixes: 0 } });
    const auto = nodeClass('n', [], { kind: 'NodeClass', podSubnetSelectorTerms: [term({ tier: 'pods' })] });
    expect(footprint(cni('auto'), { nodeClasses: [auto] })).toMatchObject({
      node: { ips: 1, prefixes: 0 },
      pods: { ips: 17, prefixes: 0 },
    });
  });

  test('prefix mode on a type that is not of Nitro: its whole first interface', () => {
    expect(footprint(cni('prefix'), { limits: { ...M5_LARGE, nitro: false } })?.node).toEqual({ ips: 10, prefixes: 0 });
  });

  test('an unknown mode: not known', () => {
    expect(footprint(cni('unknown'))).toBeUndefined();
  });
});

test('what it takes of a subnet: the node’s share, the pods’ share, or both', () => {
  const model = { nodeSubnets: new Set(['nodes', 'both']), podSubnets: new Set(['pods', 'both']) };
  const of = (pods?: Footprint) => {
    const taken = { node: { ips: 1, prefixes: 0 }, ...(pods === undefined ? {} : { pods }) };
    const cluster = { ...model, footprint: taken } as unknown as ClusterModel;
    return ['nodes', 'pods', 'both', 'neither'].map((id) => footprintIn(cluster, id));
  };
  const [one, two, three] = [
    { ips: 1, prefixes: 0 },
    { ips: 1, prefixes: 2 },
    { ips: 2, prefixes: 2 },
  ];
  expect(of(two)).toEqual([one, two, three, one]);
  expect(of()).toEqual([one, one, one, one]);
});

describe('the room of a subnet', () => {
  /** A /24 whose .64/26 is reserved for prefixes, one of them taken: 3 left. 251 usable, 16 taken, 48 hidden by the reservation. */
  const reserved = subnet('10.0.0.0/24', { availableIps: 251 - 16 - 48 });
  const reservations = [reservation('10.0.0.64/26', 'prefix')];
  const occupancy = occupy(reserved, [eni({ prefixes: ['10.0.0.64/28'] })]);

  test('knows which prefixes EC2’s count does not hold', () => {
    const ledger = subnetLedger({ subnet: reserved, occupancy, reservations });
    expect(roomOf(ledger, 'max')).toEqual({ availableIps: 187, prefixes: 13, reservedPrefixes: 3 });
  });

  test('and that it holds them where the count says so', () => {
    const counted = { ...reserved, availableIps: 251 - 16 };
    const ledger = subnetLedger({ subnet: counted, occupancy, reservations });
    expect(roomOf(ledger, 'max')).toMatchObject({ availableIps: 235, reservedPrefixes: 0 });
  });

  test('takes the end of the range that was asked for', () => {
    const doubtful = { ...reserved, availableIps: 187 - 5 };
    const ledger = subnetLedger({ subnet: doubtful, occupancy, reservations });
    expect(roomOf(ledger, 'min').prefixes).toBe(8);
    expect(roomOf(ledger, 'max').prefixes).toBeGreaterThan(8);
  });

  test('counts alone leave prefixes unknown; an IPv6-only subnet has no room for IPv4', () => {
    const counts = subnetLedger({ subnet: reserved, occupancy: undefined, reservations: undefined });
    expect(roomOf(counts, 'max')).toEqual({ availableIps: 187, prefixes: null, reservedPrefixes: 0 });
    expect(capacityOf(roomOf(counts, 'max'), { ips: 1, prefixes: 1 })).toBeNull();
    const ipv6 = subnetLedger({ subnet: subnet(null), occupancy: undefined, reservations: undefined });
    expect(capacityOf(roomOf(ipv6, 'max'), { ips: 1, prefixes: 0 })).toBe(0);
  });
});
