import { describe, expect, test } from '@jest/globals';
import type { EniRecord } from '../../../lambdas/core/subnet/snapshot.ts';
import { assessed, codes, only } from '../../support/assessing.ts';
import { eni, reservation, subnet } from '../../support/builders.ts';
import { cluster, cni, inside, nodegroup, prefixMode, read } from '../../support/cluster-facts.ts';

const ID = 'subnet-00000000000000001';

/** One single address in each of the first `n` blocks that could be prefixes. */
function scattered(n: number): EniRecord[] {
  return Array.from({ length: n }, (_, block) =>
    eni({ addresses: [`10.0.${(block + 1) >> 4}.${((block + 1) & 15) * 16}`] }),
  );
}

const used = { nodegroups: read([nodegroup('prod', [ID])]), kubernetes: [prefixMode()] };
const single = { nodegroups: read([nodegroup('prod', [ID])]), kubernetes: [cni()] };
const unknown = { nodegroups: read([nodegroup('prod', [ID])]) };

/** @param taken blocks that hold a single address each. @param hidden addresses that EC2 counts and nothing explains. */
function given(cidr: string, taken: number, facts: Parameters<typeof assessed>[0]['facts'] = {}, hidden = 0) {
  const usable = 2 ** (32 - Number(cidr.split('/')[1])) - 5;
  return { subnets: [subnet(cidr, { availableIps: usable - taken - hidden })], enis: scattered(taken), facts };
}

describe('PREFIX_EXHAUSTED', () => {
  test.each([
    ['used', used, 'critical'],
    ['unknown', unknown, 'warning'],
    ['single', single, 'info'],
  ])('where prefixes are %s', (use, facts, severity) => {
    const found = only(assessed(given('10.0.0.0/24', 14, facts)), 'PREFIX_EXHAUSTED');
    expect(found).toMatchObject({
      severity,
      observed: 0,
      evidence: { prefixUse: use, freePrefixesMax: 0, occupiedBlocks: 14 },
    });
    expect(found?.message).toContain('237 available addresses');
  });

  test.each([
    ['an interface that holds one', {}, [eni({ addresses: ['10.0.0.4'], prefixes: ['10.0.0.224/28'] })]],
    [
      'Auto Mode',
      { clusters: read([cluster('prod', { autoMode: true })]), nodegroups: read([nodegroup('prod', [ID])]) },
      [],
    ],
    [
      "Karpenter's ipPrefixCount",
      {
        kubernetes: [
          inside({
            cluster: 'prod',
            nodeClasses: read([
              {
                name: 'a',
                kind: 'EC2NodeClass',
                subnetSelectorTerms: [{ id: ID, tags: new Map() }],
                podSubnetSelectorTerms: [],
                ipPrefixCount: 1,
              },
            ]),
          }),
        ],
      },
      [],
    ],
  ])('is critical by %s', (_, facts, more) => {
    const base = given('10.0.0.0/24', 13, facts);
    const enis = [...base.enis, eni({ addresses: ['10.0.0.225'] }), ...more];
    const taken = new Set(
      enis.flatMap(({ addresses, prefixes }) => [
        ...addresses,
        ...prefixes.flatMap((p) => Array.from({ length: 16 }, (_x, n) => p + n)),
      ]),
    );
    const subnets = [subnet('10.0.0.0/24', { availableIps: 251 - taken.size })];
    expect(only(assessed({ ...base, subnets, enis }), 'PREFIX_EXHAUSTED')?.severity).toBe('critical');
  });

  test('is not said while one /28 is free', () => {
    expect(only(assessed(given('10.0.0.0/24', 13, used)), 'PREFIX_EXHAUSTED')).toBeUndefined();
  });

  test('is not said where no address is available either', () => {
    expect(codes(assessed(given('10.0.0.0/24', 14, used, 237)))).not.toContain('PREFIX_EXHAUSTED');
  });

  test('is not said of a subnet that never had a prefix to give', () => {
    expect(codes(assessed(given('10.0.0.0/27', 0, used)))).not.toContain('PREFIX_EXHAUSTED');
  });

  test('is not said while hidden addresses may have left one, and is once they cannot', () => {
    expect(only(assessed(given('10.0.0.0/24', 0, used, 251 - 16)), 'PREFIX_EXHAUSTED')).toBeUndefined();
    expect(only(assessed(given('10.0.0.0/24', 0, used, 251 - 15)), 'PREFIX_EXHAUSTED')?.message).toContain(
      'no visible interface explains',
    );
  });

  test('custom networking takes no prefix from the subnet of the node', () => {
    const kubernetes = [cni({ ENABLE_PREFIX_DELEGATION: 'true', AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: 'true' })];
    expect(only(assessed(given('10.0.0.0/24', 14, { ...used, kubernetes })), 'PREFIX_EXHAUSTED')?.severity).toBe(
      'info',
    );
  });

  test('the pods of an IPv6 cluster take none at all', () => {
    const clusters = read([cluster('prod', { ipFamily: 'ipv6' as const })]);
    expect(only(assessed(given('10.0.0.0/24', 14, { ...used, clusters })), 'PREFIX_EXHAUSTED')?.severity).toBe('info');
  });
});

describe('PREFIX_LOW', () => {
  // 10 % of the eligible blocks or 8, whichever is less; judged by the lower end of the range.
  test.each([
    ['10.0.0.0/24', 12, undefined],
    ['10.0.0.0/24', 13, 1.4],
    ['10.0.0.0/20', 246, undefined],
    ['10.0.0.0/20', 247, 8],
  ])('%s with %i blocks taken has the threshold %p', (cidr, taken, threshold) => {
    expect(only(assessed(given(cidr, taken, used)), 'PREFIX_LOW')?.threshold).toBe(threshold);
  });

  test.each([
    [used, 'warning'],
    [unknown, 'info'],
    [single, 'info'],
  ])('severity %#', (facts, severity) => {
    expect(only(assessed(given('10.0.0.0/24', 13, facts)), 'PREFIX_LOW')?.severity).toBe(severity);
  });

  test('with hidden addresses the lower end counts, and both are said', () => {
    const found = only(assessed(given('10.0.0.0/24', 0, used, 14)), 'PREFIX_LOW');
    expect(found).toMatchObject({ observed: 0, evidence: { freePrefixesMin: 0, freePrefixesMax: 14 } });
    expect(found?.message).toContain('between 0 and 14 free /28s');
  });
});

describe('FRAGMENTED', () => {
  // In a /24 with n single addresses, 26 of which fit beside the eligible blocks, the best case is 14: the ratio is n / 14.
  test.each([
    [6, undefined],
    [7, 0.5],
    [14, 1],
  ])('%i scattered addresses: %p', (taken, ratio) => {
    const found = only(assessed(given('10.0.0.0/24', taken, used)), 'FRAGMENTED');
    expect(found?.observed).toBe(ratio);
    if (found !== undefined)
      expect(found).toMatchObject({
        severity: 'warning',
        threshold: 0.5,
        evidence: { lostPrefixes: taken, bestCaseFreePrefixes: 14 },
      });
  });

  test('is not said where no prefix is lost, however low the threshold', () => {
    const settings = { thresholds: { fragmentedRatio: 0 } };
    const said = (taken: number) =>
      only(assessed({ ...given('10.0.0.0/24', taken, used), settings }), 'FRAGMENTED')?.observed;
    expect(said(0)).toBeUndefined();
    expect(said(1)).toBeCloseTo(1 / 14, 6);
  });

  test('is information where nobody uses prefixes', () => {
    expect(only(assessed(given('10.0.0.0/24', 14, single)), 'FRAGMENTED')?.severity).toBe('info');
  });

  test('an empty subnet and a full one are not fragmented', () => {
    expect(codes(assessed(given('10.0.0.0/24', 0, used)))).not.toContain('FRAGMENTED');
    const prefixes = Array.from({ length: 14 }, (_, n) => `10.0.0.${16 * (n + 1)}/28`);
    const full = { subnets: [subnet('10.0.0.0/24', { availableIps: 27 })], enis: [eni({ prefixes })] };
    expect(codes(assessed(full))).not.toContain('FRAGMENTED');
  });
});

describe('SINGLE_ADDRESS_BREAKS_BLOCK', () => {
  test('counts the blocks that one primary address spoils, and no others', () => {
    const enis = [
      eni({ addresses: ['10.0.0.20'] }),
      eni({ addresses: ['10.0.0.40', '10.0.0.60'] }),
      eni({ addresses: ['10.0.0.70', '10.0.0.71'] }),
      eni({ addresses: ['10.0.0.5'] }),
    ];
    const subnets = [subnet('10.0.0.0/24', { availableIps: 245 })];
    const found = only(assessed({ subnets, enis, facts: used }), 'SINGLE_ADDRESS_BREAKS_BLOCK');
    expect(found).toMatchObject({
      severity: 'info',
      observed: 2,
      evidence: { count: 2, addresses: ['10.0.0.20', '10.0.0.40'], lostIps: 30 },
    });
  });

  test.each([
    ['some are free', 13, [], /Reserve the free range .*--subnet-id subnet-/],
    ['none is free', 14, [], /yields no prefix.*new or drained subnet/],
    ['what is free is reserved', 13, [reservation('10.0.0.224/28', 'prefix')], /reserved for prefixes already/],
  ])('advises to reserve where that helps: %s', (_, taken, reserved, remedy) => {
    const facts = { ...used, reservations: read(reserved) };
    const found = only(assessed(given('10.0.0.0/24', taken, facts)), 'SINGLE_ADDRESS_BREAKS_BLOCK');
    expect(found).toMatchObject({ remedy: expect.stringMatching(remedy) });
  });

  test('says nothing of a block that an explicit reservation keeps anyway', () => {
    const facts = { ...used, reservations: read([reservation('10.0.0.16/28', 'explicit')]) };
    const subnets = [subnet('10.0.0.0/24', { availableIps: 235 })];
    expect(codes(assessed({ subnets, enis: [eni({ addresses: ['10.0.0.20'] })], facts }))).not.toContain(
      'SINGLE_ADDRESS_BREAKS_BLOCK',
    );
  });

  test.each([
    ['nobody uses prefixes', single, 14, false],
    ['nobody is known to use them and there are enough', unknown, 3, false],
    ['nobody is known to use them and they are short', unknown, 13, true],
  ])('where %s', (_, facts, taken, said) => {
    expect(codes(assessed(given('10.0.0.0/24', taken, facts))).includes('SINGLE_ADDRESS_BREAKS_BLOCK')).toBe(said);
  });

  test.each([
    ['eight of a /20 are not short', '10.0.0.0/20', 246, 0, false],
    ['seven are', '10.0.0.0/20', 247, 0, true],
    ['hidden addresses may have taken the rest', '10.0.0.0/24', 3, 10, true],
  ])('where nobody is known to use them and %s', (_, cidr, taken, hidden, said) => {
    const facts = { ...unknown, reservations: read([]) };
    expect(codes(assessed(given(cidr, taken, facts, hidden))).includes('SINGLE_ADDRESS_BREAKS_BLOCK')).toBe(said);
  });
});

describe('MIXED_MODE', () => {
  const node = { attachment: { instanceId: 'i-1', deviceIndex: 1 }, description: 'aws-K8S-i-1' };
  const other = { attachment: { instanceId: 'i-2', deviceIndex: 1 }, description: 'aws-K8S-i-2' };
  const mixed = (enis: readonly EniRecord[]) =>
    only(assessed({ subnets: [subnet('10.0.0.0/24')], enis }), 'MIXED_MODE');

  test('an interface with prefixes and secondary addresses', () => {
    const both = eni({
      ...node,
      id: 'eni-00000000000000abc',
      addresses: ['10.0.0.20', '10.0.0.21'],
      prefixes: ['10.0.0.32/28'],
    });
    expect(mixed([both])).toMatchObject({
      eniIds: ['eni-00000000000000abc'],
      evidence: { count: 1, prefixes: 1, secondaryIps: 1 },
    });
  });

  test('nodes of both kinds side by side', () => {
    const found = mixed([
      eni({ ...node, addresses: ['10.0.0.20'], prefixes: ['10.0.0.32/28'] }),
      eni({ ...other, addresses: ['10.0.0.60', '10.0.0.61'] }),
    ]);
    expect(found).toMatchObject({ observed: 1, threshold: 0, evidence: { count: 0, secondaryIps: 1 } });
    expect(found?.message).toContain('holds 1 prefix and 1 address that nodes took singly. Each');
    expect(found).not.toHaveProperty('eniIds');
  });

  test('an interface that nothing shows to be a node’s', () => {
    const found = mixed([eni({ addresses: ['10.0.0.20', '10.0.0.21'], prefixes: ['10.0.0.32/28'] })]);
    expect(found).toMatchObject({ observed: 1, evidence: { count: 1, secondaryIps: 0 } });
    expect(found?.message).toContain('holds 1 prefix; 1 interface holds prefixes and single addresses. Each');
  });

  test('is not said of prefixes beside primaries, nor without any prefix', () => {
    expect(mixed([eni({ ...node, addresses: ['10.0.0.20'], prefixes: ['10.0.0.32/28'] })])).toBeUndefined();
    expect(mixed([eni({ ...node, addresses: ['10.0.0.20', '10.0.0.21'] })])).toBeUndefined();
  });
});

describe('NON_EKS_PREFIX_HOLDER', () => {
  const foreign = (fields: Parameters<typeof eni>[0], facts = {}) =>
    only(
      assessed({ subnets: [subnet('10.0.0.0/24')], enis: [eni({ prefixes: ['10.0.0.32/28'], ...fields })], facts }),
      'NON_EKS_PREFIX_HOLDER',
    );

  test('a service that holds one', () => {
    expect(foreign({ interfaceType: 'network_load_balancer' })).toMatchObject({
      severity: 'info',
      evidence: { prefixes: 1 },
    });
  });

  test('an instance is none only once its tags were read', () => {
    const attachment = { instanceId: 'i-1', deviceIndex: 1 };
    expect(foreign({ attachment })).toBeUndefined();
    expect(foreign({ attachment, id: 'eni-1' }, { instances: read([]) })).toMatchObject({ eniIds: ['eni-1'] });
  });

  test('only those that hold one are named, and an EFA interface never is: it may be a node’s', () => {
    const enis = [
      eni({ interfaceType: 'network_load_balancer', addresses: ['10.0.0.9'], prefixes: ['10.0.0.32/28'] }),
      eni({ interfaceType: 'lambda', addresses: ['10.0.0.10'] }),
      eni({ interfaceType: 'efa', prefixes: ['10.0.0.48/28'] }),
    ];
    const found = only(
      assessed({ subnets: [subnet('10.0.0.0/24')], enis, facts: { instances: read([]) } }),
      'NON_EKS_PREFIX_HOLDER',
    );
    expect(found).toMatchObject({ observed: 1, evidence: { holders: [{ class: 'elb-nlb', enis: 1, prefixes: 1 }] } });
    expect(found?.message).toContain('1 prefix of subnet-00000000000000001 (10.0.0.0/24, us-east-1a) belongs');
    const efa = [eni({ interfaceType: 'efa', prefixes: ['10.0.0.48/28'] })];
    expect(codes(assessed({ subnets: [subnet('10.0.0.0/24')], enis: efa, facts: { instances: read([]) } }))).toEqual(
      [],
    );
  });

  test('a node of the VPC CNI is no stranger', () => {
    expect(foreign({ description: 'aws-K8S-i-1' }, { instances: read([]) })).toBeUndefined();
  });
});
