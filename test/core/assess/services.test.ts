import { describe, expect, test } from '@jest/globals';
import { assessed, codes, only } from '../../support/assessing.ts';
import { eni, READ, reservation, subnet } from '../../support/builders.ts';
import { cluster, nodegroup, read } from '../../support/cluster-facts.ts';

const ID = 'subnet-00000000000000001';
const ELB = { 'kubernetes.io/role/elb': '1' };

describe('ELB_HEADROOM_LOW', () => {
  test.each([
    [8, undefined],
    [7, 7],
    [0, 0],
  ])('with %i available: %p', (availableIps, observed) => {
    const found = only(assessed({ subnets: [subnet('10.0.0.0/24', { availableIps, tags: ELB })] }), 'ELB_HEADROOM_LOW');
    expect(found?.observed).toBe(observed);
    if (found !== undefined)
      expect(found).toMatchObject({ severity: 'warning', threshold: 8, evidence: { free: availableIps, need: 8 } });
    if (observed === 7) expect(found?.remedy).toMatch(/^Free 1 address, /);
  });

  test.each([
    [{ 'kubernetes.io/role/internal-elb': '1' }, true],
    [{ 'kubernetes.io/role/elb': '' }, true],
    [{ 'kubernetes.io/role/elb': '0' }, false],
    [{}, false],
  ])('by the tags %j', (tags, said) => {
    const found = codes(
      assessed({ subnets: [subnet('10.0.0.0/24', { availableIps: 7, tags: tags as Record<string, string> })] }),
    );
    expect(found.includes('ELB_HEADROOM_LOW')).toBe(said);
  });

  test('by a load balancer that stands there', () => {
    const enis = [eni({ addresses: ['10.0.0.9'], description: 'ELB app/a/b', requesterManaged: true })];
    expect(codes(assessed({ subnets: [subnet('10.0.0.0/28', { availableIps: 7 })], enis }))).toEqual(
      expect.arrayContaining(['ELB_HEADROOM_LOW', 'SUBNET_TOO_SMALL_FOR_ALB']),
    );
  });
});

test('a load-balancer subnet with IPv6 alone is neither low nor too small', () => {
  expect(codes(assessed({ subnets: [subnet(null, { tags: ELB })] }))).toEqual([]);
});

describe('SUBNET_TOO_SMALL_FOR_ALB', () => {
  test.each([
    ['10.0.0.0/27', false],
    ['10.0.0.0/28', true],
  ])('%s: %p', (cidr, said) => {
    expect(codes(assessed({ subnets: [subnet(cidr, { tags: ELB })] })).includes('SUBNET_TOO_SMALL_FOR_ALB')).toBe(said);
  });

  test('a network load balancer alone may stand in a /28', () => {
    const enis = [eni({ addresses: ['10.0.0.9'], interfaceType: 'network_load_balancer' })];
    expect(codes(assessed({ subnets: [subnet('10.0.0.0/28', { availableIps: 10 })], enis }))).not.toContain(
      'SUBNET_TOO_SMALL_FOR_ALB',
    );
  });
});

describe('EKS_UPGRADE_BLOCKED', () => {
  const given = (availableIps: number, clusters = [cluster('prod', { subnetIds: [ID] })]) => ({
    subnets: [subnet('10.0.0.0/24', { availableIps })],
    facts: { clusters: read(clusters) },
  });

  test.each([
    [5, undefined],
    [4, 4],
  ])('with %i available: %p', (available, observed) => {
    const found = only(assessed(given(available)), 'EKS_UPGRADE_BLOCKED');
    expect(found?.observed).toBe(observed);
    if (found !== undefined)
      expect(found).toMatchObject({
        severity: 'warning',
        evidence: { free: 4, need: 5, clusters: ['prod'] },
        remedy: expect.stringMatching(/^Free 1 address here, .* --name prod /),
      });
  });

  test('only in subnets that are registered with a cluster', () => {
    expect(codes(assessed(given(4, [cluster('prod')])))).not.toContain('EKS_UPGRADE_BLOCKED');
  });

  test('several clusters make one finding, and what EKS itself says goes with it', () => {
    const issue = { code: 'InsufficientFreeAddresses', message: 'one or more subnets', resourceIds: [] };
    const found = only(
      assessed(given(4, [cluster('b', { subnetIds: [ID] }), cluster('a', { subnetIds: [ID], healthIssues: [issue] })])),
      'EKS_UPGRADE_BLOCKED',
    );
    expect(found?.evidence).toMatchObject({
      clusters: ['a', 'b'],
      eksSays: [{ cluster: 'a', code: 'InsufficientFreeAddresses' }],
    });
  });

  test('says up to how many where several clusters ask for different numbers', () => {
    const clusters = new Map([['a', { thresholds: { eksUpgradeFreeIps: 16 } }]]);
    const both = [cluster('a', { subnetIds: [ID] }), cluster('b', { subnetIds: [ID] })];
    const message = (available: number, named = both) =>
      only(assessed({ ...given(available, named), settings: { clusters } }), 'EKS_UPGRADE_BLOCKED')?.message;
    expect(message(4)).toContain('4 addresses of subnet-00000000000000001 (10.0.0.0/24, us-east-1a) are available; ');
    expect(message(4)).toContain('an upgrade of a and b asks for up to 16 in each');
    expect(message(1, both.slice(1))).toContain('is available; an upgrade of b asks for 5 in each');
  });

  test('a subnet that is registered twice is one', () => {
    const found = only(assessed(given(4, [cluster('prod', { subnetIds: [ID, ID] })])), 'EKS_UPGRADE_BLOCKED');
    expect(found?.evidence.clusters).toEqual(['prod']);
  });

  test('says nothing of a subnet with IPv6 alone, nor where no cluster was asked for', () => {
    const facts = { clusters: read([cluster('prod', { subnetIds: [ID] })]) };
    expect(codes(assessed({ subnets: [subnet(null)], facts }))).not.toContain('EKS_UPGRADE_BLOCKED');
    expect(codes(assessed({ subnets: [subnet('10.0.0.0/24', { availableIps: 4 })] }))).not.toContain(
      'EKS_UPGRADE_BLOCKED',
    );
  });

  test("a cluster's own threshold holds for it alone", () => {
    const clusters = new Map([['a', { thresholds: { eksUpgradeFreeIps: 16 } }]]);
    const found = assessed({
      ...given(10, [cluster('a', { subnetIds: [ID] }), cluster('b', { subnetIds: [ID] })]),
      settings: { clusters },
    });
    expect(only(found, 'EKS_UPGRADE_BLOCKED')).toMatchObject({ threshold: 16, evidence: { clusters: ['a'] } });
  });
});

describe('UNACCOUNTED_IPS', () => {
  const given = (ownerId: string, facts: Parameters<typeof assessed>[0]['facts'] = { reservations: read([]) }) => ({
    subnets: [subnet('10.0.0.0/24', { availableIps: 151, ownerId })],
    enis: [],
    facts,
  });
  const hint = (given: Parameters<typeof assessed>[0]) => only(assessed(given), 'UNACCOUNTED_IPS');

  test('is a warning in a subnet of the caller', () => {
    expect(hint(given('111111111111'))).toMatchObject({
      severity: 'warning',
      observed: 100,
      evidence: { ips: 100, shared: false, hint: 'the caller owns the subnet', freePrefixesMin: 0, freePrefixesMax: 9 },
    });
  });

  test('is information in a subnet that another account shares', () => {
    expect(hint(given('222222222222'))).toMatchObject({
      severity: 'info',
      evidence: { shared: true, hint: 'shared subnet: owner 222222222222 is not the caller' },
    });
  });

  test('warns in a shared subnet of what a prefix reservation can hide', () => {
    const facts = { reservations: read([reservation('10.0.0.64/28', 'prefix')]) };
    expect(hint(given('222222222222', facts))?.message).toContain(
      'inside a prefix reservation shows in neither number',
    );
    expect(hint(given('222222222222'))?.message).not.toContain('inside a prefix reservation');
  });

  test('says so where the reservations were not read, for they may be the whole answer', () => {
    expect(hint(given('111111111111', {}))?.evidence.hint).toBe('CIDR reservations were not read');
  });

  test('says so where interfaces that AWS manages were left out', () => {
    const reading = { ...READ, managedResourcesIncluded: false } as const;
    expect(hint({ ...given('111111111111'), reading })?.message).toContain(
      'Interfaces that AWS manages may have been left out',
    );
  });

  test('is not said of a gap that is exactly what a reservation keeps', () => {
    const facts = { reservations: read([reservation('10.0.0.64/26', 'prefix')]) };
    expect(hint({ subnets: [subnet('10.0.0.0/24', { availableIps: 251 - 64 })], enis: [], facts })).toBeUndefined();
  });
});

test('a subnet that several clusters may use still has one finding of each code', () => {
  const facts = { nodegroups: read([nodegroup('prod', [ID]), nodegroup('test', [ID])]) };
  const found = assessed({ subnets: [subnet('10.0.0.0/24', { availableIps: 3 })], facts });
  expect(only(found, 'SUBNET_LOW')?.evidence.clusters).toEqual(['prod', 'test']);
});
