import { describe, expect, test } from '@jest/globals';
import { OccupancyBuilder } from '../../../lambdas/core/subnet/occupancy.ts';
import { eni, occupy, region, subnet, tags } from '../../support/builders.ts';

const primaryOf = (instanceId: string) => ({ instanceId, deviceIndex: 0, networkCardIndex: 0 });

describe('what a subnet holds', () => {
  test('an interface outside the scope is counted, never mapped', () => {
    const builder = new OccupancyBuilder(region([subnet('10.0.0.0/24')]));
    builder.add(eni({ subnetId: 'subnet-elsewhere', addresses: ['10.0.0.9'] }));
    const { subnets, enis, enisOutsideScope } = builder.finish();
    expect([enis, enisOutsideScope]).toEqual([1, 1]);
    expect(subnets.get('subnet-00000000000000001')?.enis).toBe(0);
  });

  test('an address outside the CIDR is a stray and counts for nobody', () => {
    const held = occupy(subnet('10.0.0.0/24'), [
      eni({ id: 'eni-00000000000000009', addresses: ['10.0.0.9', '10.0.1.9'], prefixes: ['10.0.2.0/28'] }),
    ]);
    expect(held.strays).toEqual([
      { eniId: 'eni-00000000000000009', address: '10.0.2.0/28' },
      { eniId: 'eni-00000000000000009', address: '10.0.1.9' },
    ]);
    expect(held.holders.get('unknown')).toMatchObject({ enis: 1, ips: 1, prefixes: 1 });
  });

  test('an interface without an address is an interface all the same', () => {
    const held = occupy(subnet('10.0.0.0/24'), [eni({ interfaceType: 'efa-only' })]);
    expect([held.enis, held.enisWithoutIpv4]).toEqual([1, 1]);
    expect(held.holders.get('efa')).toMatchObject({ enis: 1, ips: 0 });
  });

  test('a delegated edge block is counted without the addresses that AWS keeps, and shown', () => {
    const held = occupy(subnet('10.0.0.0/24'), [eni({ prefixes: ['10.0.0.0/28', '10.0.0.240/28', '10.0.0.16/28'] })]);
    expect(held.edgePrefixes).toEqual(['10.0.0.0/28', '10.0.0.240/28']);
    expect(held.holders.get('unknown')).toMatchObject({ ips: 12 + 15 + 16, prefixes: 3 });
  });

  test('a first interface is a node as soon as a CNI interface hangs on the same instance, whichever comes first', () => {
    const primary = eni({ addresses: ['10.0.0.20'], attachment: primaryOf('i-00000000000000001') });
    const cni = eni({
      description: 'aws-K8S-i-00000000000000001',
      addresses: ['10.0.0.21'],
      attachment: { instanceId: 'i-00000000000000001', deviceIndex: 1 },
    });
    const other = eni({ addresses: ['10.0.0.22'], attachment: primaryOf('i-00000000000000002') });
    for (const order of [
      [primary, cni, other],
      [cni, other, primary],
    ]) {
      const held = occupy(subnet('10.0.0.0/24'), order);
      expect([...held.holders.keys()].sort()).toEqual(['instance-other', 'node-primary', 'vpc-cni-secondary']);
    }
  });

  test('kept records carry the class that was settled last', () => {
    const builder = new OccupancyBuilder(region([subnet('10.0.0.0/24')]), { keep: 'all' });
    builder.add(eni({ addresses: ['10.0.0.20'], attachment: primaryOf('i-00000000000000001') }));
    builder.add(
      eni({
        description: 'aws-K8S-i-00000000000000001',
        addresses: ['10.0.0.21'],
        attachment: { instanceId: 'i-00000000000000001', deviceIndex: 1 },
      }),
    );
    const held = builder.finish().subnets.get('subnet-00000000000000001');
    expect(held?.records.map((record) => record.class)).toEqual(['node-primary', 'vpc-cni-secondary']);
  });

  test('addresses of stopped instances are told apart, and clusters come from the instance where the interface is silent', () => {
    const instances = {
      state: 'read' as const,
      value: [
        {
          instanceId: 'i-00000000000000001',
          instanceType: 'm5.large',
          state: 'stopped',
          tags: tags({ 'eks:cluster-name': 'prod' }),
        },
      ],
    };
    const held = occupy(
      subnet('10.0.0.0/24'),
      [eni({ addresses: ['10.0.0.20', '10.0.0.21'], attachment: primaryOf('i-00000000000000001') })],
      { instances },
    );
    expect(held.stopped.get('i-00000000000000001')).toBe(2);
    expect(held.clusters.get('prod')).toMatchObject({ enis: 1, ips: 2 });
  });

  test('a stopped instance that holds no address here is not among those that do', () => {
    const stopped = (instanceId: string) => ({
      instanceId,
      instanceType: 'p5.48xlarge',
      state: 'stopped',
      tags: tags(),
    });
    const held = occupy(
      subnet('10.0.0.0/24'),
      [
        eni({ interfaceType: 'efa-only', attachment: { instanceId: 'i-1', deviceIndex: 1 } }),
        eni({ addresses: ['10.0.9.9'], attachment: primaryOf('i-2') }),
        eni({ addresses: ['10.0.0.20'], attachment: primaryOf('i-3') }),
        eni({ interfaceType: 'efa-only', attachment: { instanceId: 'i-3', deviceIndex: 1 } }),
        eni({ addresses: ['10.0.0.21'], attachment: { instanceId: 'i-3', deviceIndex: 2 } }),
      ],
      { instances: { state: 'read', value: ['i-1', 'i-2', 'i-3'].map(stopped) } },
    );
    expect([...held.stopped]).toEqual([['i-3', 2]]);
  });

  test('prefixes of what is no EKS node, and interfaces that mix prefixes with addresses, are named', () => {
    const held = occupy(subnet('10.0.0.0/24'), [
      eni({
        id: 'eni-00000000000000001',
        addresses: ['10.0.0.20'],
        prefixes: ['10.0.0.32/28'],
        attachment: primaryOf('i-00000000000000001'),
      }),
      eni({
        id: 'eni-00000000000000002',
        description: 'aws-K8S-i-00000000000000002',
        addresses: ['10.0.0.21', '10.0.0.22'],
        prefixes: ['10.0.0.48/28'],
      }),
    ]);
    expect(held.foreignPrefixHolders).toEqual({ count: 1, items: ['eni-00000000000000001'] });
    expect(held.mixed).toEqual({ count: 1, items: ['eni-00000000000000002'] });
  });
});
