import { describe, expect, test } from '@jest/globals';
import { standby } from '../../../../lambdas/core/assess/rules/standby.ts';
import type {
  NetworkAclFacts,
  RegionFacts,
  RouteTableFacts,
  SubnetFacts,
} from '../../../../lambdas/core/subnet/snapshot.ts';
import { eni, region, subnet } from '../../../support/builders.ts';
import { contextOf } from '../../../support/case-region.ts';
import { addon, daemonSet, inside, M5_LARGE, nodegroup, read } from '../../../support/cluster-facts.ts';

const VPC = 'vpc-00000000000000001';

function at(
  n: number,
  availableIps: number,
  fields: Partial<Omit<SubnetFacts, 'tags'>> & { tags?: Record<string, string> } = {},
) {
  return subnet(`10.0.${n}.0/24`, { subnetId: `subnet-${n}`, availableIps, ...fields });
}

/** Subnet 1 is the cluster's; the others are what may stand in. */
function said(subnets: readonly SubnetFacts[], facts: Partial<RegionFacts> = {}) {
  const known = {
    nodegroups: read([nodegroup('a', ['subnet-1'])]),
    addons: read([addon('a')]),
    instanceTypes: read([M5_LARGE]),
  };
  return standby(contextOf(region(subnets, { ...known, ...facts })));
}

describe('when a standby is looked for', () => {
  test.each([
    [26, []],
    [25, ['NO_STANDBY']],
    [0, ['NO_STANDBY']],
  ])('with %i of 251 addresses left: %j', (availableIps, codes) => {
    expect(said([at(1, availableIps)]).map(({ code }) => code)).toEqual(codes);
  });

  test('as many as the threshold are not below it', () => {
    const said = (subnetLowIps: number) =>
      standby(
        contextOf(region([at(1, 25)], { nodegroups: read([nodegroup('a', ['subnet-1'])]) }), undefined, {
          thresholds: { subnetLowIps },
        }),
      ).length;
    expect([said(25), said(25.1)]).toEqual([0, 1]);
  });

  test.each([
    // A tenth of the 14 blocks that could be prefixes is 1.4.
    [12, 'true', []],
    [13, 'true', ['NO_STANDBY']],
    [13, 'false', []],
  ])('with %i of 14 /28s broken and prefix delegation %s: %j', (broken, delegation, codes) => {
    const enis = Array.from({ length: broken }, (_, n) =>
      eni({ subnetId: 'subnet-1', addresses: [`10.0.1.${16 * (n + 1)}`] }),
    );
    const facts = region([at(1, 251 - broken)], {
      nodegroups: read([nodegroup('a', ['subnet-1'])]),
      addons: read([addon('a', { ENABLE_PREFIX_DELEGATION: delegation })]),
      instanceTypes: read([M5_LARGE]),
    });
    expect(standby(contextOf(facts, enis)).map(({ code }) => code)).toEqual(codes);
  });

  test('as many free /28s as the threshold are not below it', () => {
    const enis = [eni({ subnetId: 'subnet-1', addresses: ['10.0.1.16'] })];
    const facts = region([at(1, 250)], {
      nodegroups: read([nodegroup('a', ['subnet-1'])]),
      addons: read([addon('a', { ENABLE_PREFIX_DELEGATION: 'true' })]),
    });
    const said = (prefixLowBlocks: number) =>
      standby(contextOf(facts, enis, { thresholds: { prefixLowPercent: 100, prefixLowBlocks } })).length;
    expect([said(13), said(14)]).toEqual([0, 1]);
  });

  test('in a reading of single subnets one that fits is named, and that there is none is not said', () => {
    const scope = { vpcIds: [], subnetIds: ['subnet-1', 'subnet-2'] };
    expect(said([at(1, 0), at(2, 251)], { scope }).map(({ code }) => code)).toEqual(['STANDBY_CANDIDATE']);
    expect(said([at(1, 0), at(2, 5)], { scope })).toEqual([]);
  });
});

describe('why a subnet cannot stand in', () => {
  const table = (
    routeTableId: string,
    subnetIds: readonly string[],
    routes: readonly string[],
    main = false,
  ): RouteTableFacts => ({
    routeTableId,
    vpcId: VPC,
    main,
    subnetIds,
    routes,
  });
  const acl = (networkAclId: string, subnetIds: readonly string[], entries: readonly string[]): NetworkAclFacts => ({
    networkAclId,
    vpcId: VPC,
    isDefault: false,
    subnetIds,
    entries,
  });
  const nat = ['0.0.0.0/0 -> nat-1'];
  test.each<[string, SubnetFacts, Partial<RegionFacts>]>([
    ['not-available', at(2, 251, { state: 'pending' }), {}],
    ['ipv6-only', subnet(null, { subnetId: 'subnet-2' }), {}],
    ['shared-by-another-account', at(2, 251, { ownerId: '222222222222' }), {}],
    ['protected', at(2, 251, { tags: { 'headroom:protected': '' } }), {}],
    ['excluded-from-cni', at(2, 251, { tags: { 'kubernetes.io/role/cni': '0' } }), {}],
    ['standby-for-another-cluster', at(2, 251, { tags: { 'headroom:standby-for': 'b' } }), {}],
    ['serves-another-cluster', at(2, 251, { tags: { 'karpenter.sh/discovery': 'b' } }), {}],
    ['not-enough-room', at(2, 9), {}],
    [
      'other-route-table',
      at(2, 251),
      { routeTables: read([table('rtb-1', ['subnet-1'], nat), table('rtb-main', [], ['0.0.0.0/0 -> igw-1'], true)]) },
    ],
    [
      'other-network-acl',
      at(2, 251),
      {
        networkAcls: read([
          acl('acl-1', ['subnet-1'], ['ingress 100 allow all']),
          acl('acl-2', ['subnet-2'], ['ingress 100 deny all']),
        ]),
      },
    ],
  ])('%s', (reason, candidate, facts) => {
    const [finding] = said([at(1, 0), candidate], facts);
    expect(finding).toMatchObject({
      code: 'NO_STANDBY',
      evidence: { considered: 1, rejected: { [reason]: { count: 1, subnets: ['subnet-2'] } } },
    });
  });

  test('equal routes in different tables are no reason', () => {
    const routeTables = read([table('rtb-1', ['subnet-1'], nat), table('rtb-2', ['subnet-2'], nat)]);
    expect(said([at(1, 0), at(2, 251)], { routeTables })[0]?.code).toBe('STANDBY_CANDIDATE');
  });

  test('the smallest room that serves one node is enough', () => {
    expect(said([at(1, 0), at(2, 10)])[0]?.evidence.candidate).toBe('subnet-2');
  });
});

describe('the order among several', () => {
  const order = (subnets: readonly SubnetFacts[]) => {
    const evidence = said([at(1, 0), ...subnets])[0]?.evidence;
    return [evidence?.candidate, ...((evidence?.alternatives as readonly string[] | undefined) ?? [])];
  };

  test('marked for this cluster, then more nodes, then more addresses, then the id', () => {
    expect(
      order([at(5, 109), at(4, 105), at(3, 109), at(2, 50, { tags: { 'headroom:standby-for': 'a' } }), at(6, 251)]),
    ).toEqual(['subnet-2', 'subnet-6', 'subnet-3', 'subnet-5', 'subnet-4']);
  });
});

test('a node subnet whose pods live elsewhere needs one address a node of its standby', () => {
  const kubernetes = [
    inside({
      cluster: 'a',
      daemonSet: read(daemonSet({ AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: 'true' })),
      eniConfigs: read([{ name: 'us-east-1a', subnetId: 'subnet-3' }]),
    }),
  ];
  const [nodes, pods] = said([at(1, 0), at(2, 9), at(3, 0)], { kubernetes });
  expect(nodes).toMatchObject({ subnetId: 'subnet-1', code: 'STANDBY_CANDIDATE', evidence: { candidateNodes: 9 } });
  expect(pods).toMatchObject({ subnetId: 'subnet-3', code: 'NO_STANDBY' });
});
