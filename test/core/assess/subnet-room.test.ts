import { describe, expect, test } from '@jest/globals';
import { assessed, codes, only } from '../../support/assessing.ts';
import { eni, reservation, subnet } from '../../support/builders.ts';
import { cluster, cni, inside, M5_LARGE, nodegroup, prefixMode, read } from '../../support/cluster-facts.ts';

const ID = 'subnet-00000000000000001';
const at = (cidr: string, availableIps: number, tags: Record<string, string> = {}) =>
  subnet(cidr, { availableIps, tags });

describe('SUBNET_LOW and SUBNET_EXHAUSTED', () => {
  // 10 % of the usable addresses or 64, whichever is less.
  test.each([
    ['10.0.0.0/24', 26, undefined],
    ['10.0.0.0/24', 25, 25.1],
    ['10.0.0.0/24', 1, 25.1],
    ['10.0.0.0/20', 64, undefined],
    ['10.0.0.0/20', 63, 64],
    ['10.0.0.0/28', 2, undefined],
    ['10.0.0.0/28', 1, 1.1],
  ])('%s with %i available has the threshold %p', (cidr, available, threshold) => {
    const low = only(assessed({ subnets: [at(cidr, available)] }), 'SUBNET_LOW');
    expect(low?.threshold).toBe(threshold);
    if (low !== undefined)
      expect(low).toMatchObject({ severity: 'warning', observed: available, evidence: { free: available } });
  });

  test('no address left is exhausted and no longer low', () => {
    const findings = assessed({ subnets: [at('10.0.0.0/24', 0)] });
    expect(codes(findings)).toEqual(['SUBNET_EXHAUSTED']);
    expect(findings[0]).toMatchObject({ severity: 'warning', observed: 0, evidence: { family: 'ipv4', usable: 251 } });
  });

  test('is critical where a cluster may use the subnet', () => {
    const facts = { nodegroups: read([nodegroup('prod', [ID])]) };
    expect(only(assessed({ subnets: [at('10.0.0.0/24', 0)], facts }), 'SUBNET_EXHAUSTED')?.severity).toBe('critical');
  });

  test('is critical where nodes stand whose cluster nothing names', () => {
    const enis = [
      eni({ description: 'aws-K8S-i-1', addresses: ['10.0.0.9'], attachment: { instanceId: 'i-1', deviceIndex: 1 } }),
    ];
    expect(only(assessed({ subnets: [at('10.0.0.0/24', 0)], enis }), 'SUBNET_EXHAUSTED')?.severity).toBe('critical');
  });

  describe('with every address inside a prefix reservation', () => {
    const given = (kubernetes = prefixMode(), enis = [eni({ addresses: ['10.0.0.4'] })]) => ({
      // The edge blocks of the /26 are full, its two middle ones reserved.
      subnets: [at('10.0.0.0/26', 0)],
      enis: [...enis, ...edges()],
      facts: {
        reservations: read([reservation('10.0.0.16/28', 'prefix'), reservation('10.0.0.32/28', 'prefix')]),
        nodegroups: read([nodegroup('prod', [ID])]),
        kubernetes: [kubernetes],
      },
    });
    const edges = () => [
      ...Array.from({ length: 12 }, (_, n) => eni({ addresses: [`10.0.0.${4 + n}`] })),
      ...Array.from({ length: 15 }, (_, n) => eni({ addresses: [`10.0.0.${48 + n}`] })),
    ];

    test('is a warning for pods that use prefixes: running interfaces can still take them', () => {
      const found = only(assessed(given()), 'SUBNET_EXHAUSTED');
      expect(found?.severity).toBe('warning');
      expect(found?.message).toContain('2 free /28s');
    });

    test('is critical in a shared subnet, where others may have taken them unseen', () => {
      const { subnets, enis, facts } = given();
      const shared = subnets.map((one) => ({ ...one, ownerId: '222222222222' }));
      expect(only(assessed({ subnets: shared, enis, facts }), 'SUBNET_EXHAUSTED')?.severity).toBe('critical');
    });

    test('is critical for pods that take single addresses', () => {
      expect(only(assessed(given(cni())), 'SUBNET_EXHAUSTED')?.severity).toBe('critical');
    });

    test('is critical once something holds the reserved blocks', () => {
      const held = [eni({ addresses: ['10.0.0.20'] }), eni({ addresses: ['10.0.0.40'] })];
      expect(only(assessed(given(prefixMode(), held)), 'SUBNET_EXHAUSTED')?.severity).toBe('critical');
    });
  });

  test('an IPv6-only subnet runs out of nothing', () => {
    expect(assessed({ subnets: [subnet(null)], enis: [] })).toEqual([]);
  });

  test('says what EKS itself reports, as evidence', () => {
    const issue = { code: 'IP_NOT_AVAILABLE', message: 'not enough', resourceIds: [ID] };
    const facts = { nodegroups: read([nodegroup('prod', [ID], { healthIssues: [issue] })]) };
    expect(only(assessed({ subnets: [at('10.0.0.0/24', 0)], facts }), 'SUBNET_EXHAUSTED')?.evidence.eksSays).toEqual([
      { cluster: 'prod', nodegroup: 'nodes', code: 'IP_NOT_AVAILABLE', message: 'not enough' },
    ]);
  });

  test('leaves out what EKS reports of another subnet or of another trouble', () => {
    const issues = [
      { code: 'InsufficientFreeAddresses', message: 'not enough', resourceIds: ['subnet-00000000000000002'] },
      { code: 'AccessDenied', message: 'no', resourceIds: [ID] },
    ];
    const facts = {
      clusters: read([cluster('prod', { subnetIds: [ID], healthIssues: issues })]),
      nodegroups: read([nodegroup('prod', [ID])]),
    };
    expect(only(assessed({ subnets: [at('10.0.0.0/24', 0)], facts }), 'SUBNET_EXHAUSTED')?.evidence).not.toHaveProperty(
      'eksSays',
    );
  });

  test('thresholds: the subnet wins over the zone, the zone over the cluster', () => {
    const facts = { nodegroups: read([nodegroup('prod', [ID])]) };
    const low = (settings: Parameters<typeof assessed>[0]['settings']) =>
      only(
        assessed({ subnets: [at('10.0.0.0/24', 100)], facts, ...(settings === undefined ? {} : { settings }) }),
        'SUBNET_LOW',
      )?.threshold;
    const wide = { subnetLowPercent: 100 };
    expect(low({})).toBeUndefined();
    expect(low({ thresholds: { ...wide, subnetLowIps: 101 } })).toBe(101);
    const clusters = new Map([['prod', { thresholds: { ...wide, subnetLowIps: 102 } }]]);
    expect(low({ clusters })).toBe(102);
    const zoneThresholds = new Map([['use1-az1', { subnetLowIps: 103 }]]);
    expect(low({ clusters, zoneThresholds })).toBe(103);
    expect(low({ clusters, zoneThresholds, subnetThresholds: new Map([[ID, { subnetLowIps: 0 }]]) })).toBeUndefined();
  });

  test('of two clusters that share a subnet, the one that wants to know sooner is heard', () => {
    const facts = { nodegroups: read([nodegroup('prod', [ID]), nodegroup('test', [ID])]) };
    const clusters = new Map([['prod', { thresholds: { subnetLowPercent: 100, subnetLowIps: 150 } }]]);
    expect(
      only(assessed({ subnets: [at('10.0.0.0/24', 100)], facts, settings: { clusters } }), 'SUBNET_LOW')?.threshold,
    ).toBe(150);
  });
});

describe('SUBNET_BELOW_NODE_MINIMUM', () => {
  const given = (availableIps: number, kubernetes = cni(), cidr = '10.0.0.0/24') => ({
    subnets: [at(cidr, availableIps)],
    facts: { nodegroups: read([nodegroup('prod', [ID])]), instanceTypes: read([M5_LARGE]), kubernetes: [kubernetes] },
  });

  test.each([
    [10, undefined],
    [9, 9],
    [1, 1],
    [0, undefined],
  ])('with %i available of the 10 that an m5.large takes: %p', (available, observed) => {
    const found = only(assessed(given(available)), 'SUBNET_BELOW_NODE_MINIMUM');
    expect(found?.observed).toBe(observed);
    if (found !== undefined)
      expect(found).toMatchObject({ severity: 'critical', evidence: { freeIps: available, needPerNode: 10 } });
  });

  test('is not said where the mode is not known', () => {
    expect(only(assessed(given(3, inside({ cluster: 'prod' }))), 'SUBNET_BELOW_NODE_MINIMUM')).toBeUndefined();
  });

  test('counts a node and its pods together where an ENIConfig names the subnet of the nodes', () => {
    const custom = { AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: 'true' };
    const both = { ...cni(custom), eniConfigs: read([{ name: 'us-east-1a', subnetId: ID }]) };
    expect(only(assessed(given(11, both)), 'SUBNET_BELOW_NODE_MINIMUM')).toBeUndefined();
    expect(only(assessed(given(10, both)), 'SUBNET_BELOW_NODE_MINIMUM')?.evidence.needPerNode).toBe(11);
    // Where the pods live is not said: the node alone counts.
    expect(only(assessed(given(1, cni(custom))), 'SUBNET_BELOW_NODE_MINIMUM')).toBeUndefined();
  });

  test('of several clusters speaks of the one whose nodes need most, and names all', () => {
    const small = { ...M5_LARGE, instanceType: 't3.small', ipv4PerEni: 4 };
    const groups = [
      nodegroup('a', [ID], { instanceTypes: ['t3.small'] }),
      nodegroup('b', [ID]),
      nodegroup('c', [ID], { instanceTypes: ['t3.small'] }),
    ];
    const facts = {
      nodegroups: read(groups),
      instanceTypes: read([M5_LARGE, small]),
      kubernetes: ['a', 'b', 'c'].map((name) => ({ ...cni(), cluster: name })),
    };
    const found = only(assessed({ subnets: [at('10.0.0.0/24', 3)], facts }), 'SUBNET_BELOW_NODE_MINIMUM');
    expect(found).toMatchObject({ threshold: 10, evidence: { needPerNode: 10, clusters: ['a', 'b', 'c'] } });
    expect(found?.message).toContain('a node of b still launches');
  });

  test('leaves it to PREFIX_EXHAUSTED where only the /28s are missing', () => {
    const enis = Array.from({ length: 14 }, (_, n) => eni({ addresses: [`10.0.0.${16 * (n + 1)}`] }));
    const findings = assessed({ ...given(237, prefixMode()), enis });
    expect(only(findings, 'SUBNET_BELOW_NODE_MINIMUM')).toBeUndefined();
    expect(only(findings, 'PREFIX_EXHAUSTED')?.severity).toBe('critical');
  });

  test('is said of a subnet that can never hold a prefix', () => {
    const found = only(assessed({ ...given(27, prefixMode(), '10.0.0.0/27'), enis: [] }), 'SUBNET_BELOW_NODE_MINIMUM');
    expect(found).toMatchObject({
      observed: 27,
      evidence: { needPerNode: 17, prefixesPerNode: 1, freePrefixesMax: 0 },
    });
  });

  test.each([
    [16, read([]), true],
    [17, read([]), false],
    [16, { state: 'absent' } as const, false],
    [16, read([reservation('10.0.0.16/28', 'prefix')]), false],
  ])(
    'counts alone: %i available for 17, said only where no reservation can hide a prefix',
    (available, reservations, said) => {
      const { subnets, facts } = given(available, prefixMode());
      const found = only(assessed({ subnets, facts: { ...facts, reservations } }), 'SUBNET_BELOW_NODE_MINIMUM');
      expect(found !== undefined).toBe(said);
    },
  );
});

test('counts alone say nothing that needs interfaces', () => {
  const facts = {
    reservations: read([reservation('10.0.0.16/28', 'prefix')]),
    nodegroups: read([nodegroup('prod', [ID])]),
    kubernetes: [prefixMode()],
  };
  expect(codes(assessed({ subnets: [at('10.0.0.0/24', 200)], facts }))).toEqual([]);
});
