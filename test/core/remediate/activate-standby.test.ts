import { describe, expect, test } from '@jest/globals';
import { reportOf } from '../../../lambdas/core/assess/assess.ts';
import { failedGuards } from '../../../lambdas/core/remediate/plan.ts';
import { decide } from '../../../lambdas/core/remediate/plans.ts';
import { PLAN_DEFAULTS, type PlanSettings } from '../../../lambdas/core/remediate/settings.ts';
import type { RegionFacts, SubnetFacts } from '../../../lambdas/core/subnet/snapshot.ts';
import { addon, cluster, inside, nodeClass, nodegroup, read, term } from '../../support/cluster-facts.ts';
import { applied, at, contextOf, counted, DISCOVERY, decisionsOf, filler, known, ready } from './planning.ts';

const MARKED = { 'headroom:standby-for': 'a' };

/** Subnet 1 serves cluster `a` and is full but for 5 addresses. */
function ground(standby: readonly SubnetFacts[], facts: Partial<RegionFacts> = {}, trouble = { [DISCOVERY]: 'a' }) {
  return counted({ facts: known([at(1, trouble), ...standby], facts), enis: filler(1, 246) });
}

function activations(of: ReturnType<typeof ground>, settings?: PlanSettings) {
  return decisionsOf(of, settings).filter(({ action }) => action === 'activateStandby');
}

describe('a marked standby', () => {
  const [decision] = activations(ground([at(2, MARKED)]));

  test('is opened by the tag that the cluster is found by, and every guard passes', () => {
    expect(decision).toMatchObject({ subnetId: 'subnet-2', relieves: 'subnet-1', cluster: 'a' });
    expect(failedGuards(decision!)).toEqual([]);
    expect(decision?.writes).toEqual([
      {
        kind: 'setTags',
        resourceId: 'subnet-2',
        tags: { [DISCOVERY]: 'a', 'kubernetes.io/role/cni': '1', 'headroom:activated-for': 'a' },
        stamp: 'headroom:activated-at',
      },
    ]);
  });

  test('says what it gives: nodes in the zone before and after', () => {
    // 5 of 251 addresses are left where a node needs 10; 251 more are 25 nodes.
    expect(decision?.effect).toEqual({
      nodesInZone: { before: 0, after: 25 },
      availableIpsInZone: { before: 5, after: 256 },
    });
  });

  test('says whom Karpenter and the CNI pick next', () => {
    expect(decision?.simulation).toMatchObject({
      karpenter: [{ nodeClass: 'tags', before: 'subnet-1', after: 'subnet-2' }],
      cni: { version: '1.22.1', nodeSubnet: 'subnet-1', before: 'subnet-1', after: 'subnet-2' },
      changes: true,
    });
  });

  test('prints the lines for the infrastructure code', () => {
    expect(decision?.infrastructureCode.join('\n')).toContain('ignore_tags { key_prefixes = ["headroom:activated-"]');
  });

  test('is needed no more once it is open', () => {
    const before = ground([at(2, MARKED)]);
    expect(decisionsOf(applied(before, [decision!]))).toEqual([]);
  });
});

describe('the guard that fails', () => {
  const cases: [string, SubnetFacts, Partial<RegionFacts>][] = [
    ['marked-standby', at(2), {}],
    ['tag-free', at(2, { ...MARKED, [DISCOVERY]: 'retired' }), {}],
    ['facts-read', at(2, MARKED), { routeTables: { state: 'absent' } }],
    ['facts-read', at(2, MARKED), { networkAcls: { state: 'absent' } }],
  ];
  test.each(cases)('%s', (name, standby, facts) => {
    const [decision] = activations(ground([standby], facts));
    expect(failedGuards(decision!).map((one) => one.name)).toEqual([name]);
  });

  test('owner-known, where the account is not known', () => {
    const all = ground([at(2, MARKED)]);
    const { account: _, ...facts } = all.facts;
    expect(failedGuards(activations({ ...all, facts })[0]!).map(({ name }) => name)).toEqual(['owner-known']);
  });

  test('pick-changes: with less available than the full subnet, a tag steers nothing', () => {
    // Subnet 1 has 45 addresses, room for 4 nodes of 17 (prefix mode), but no whole /28.
    const prefixes = { addons: read([addon('a', { ENABLE_PREFIX_DELEGATION: 'true' }, 'v1.22.1')]) };
    const scattered = Array.from({ length: 16 }, (_, block) => block * 16 + 8);
    const few = {
      facts: known([at(1, { [DISCOVERY]: 'a' }), at(2, MARKED)], prefixes),
      enis: [
        ...scattered.flatMap((host) =>
          filler(1, 1).map((one) => ({
            ...one,
            eniId: `eni-${host}`,
            addresses: [0x0a000100 + host],
            primary: 0x0a000100 + host,
          })),
        ),
        ...filler(2, 200),
      ],
    };
    const [decision] = activations(counted(few));
    expect(decision?.simulation?.karpenter).toEqual([{ nodeClass: 'tags', before: 'subnet-1', after: 'subnet-1' }]);
    expect(failedGuards(decision!).map(({ name }) => name)).toEqual(['pick-changes']);
    expect(decision?.reason).toContain('nothing is steered to subnet-2');
  });

  test('not-protected, for a subnet that the configuration excludes', () => {
    const settings = { ...PLAN_DEFAULTS, excludeSubnets: new Set(['subnet-2']) };
    const [decision] = activations(ground([at(2, MARKED)]), settings);
    expect(failedGuards(decision!).map(({ name }) => name)).toEqual(['not-protected']);
  });

  test('configured-cluster, where the configuration does not name the cluster or its selector', () => {
    const of = ground([at(2, MARKED)]);
    const failed = (configured: PlanSettings['configured']) =>
      failedGuards(activations(of, { ...PLAN_DEFAULTS, ...(configured === undefined ? {} : { configured }) })[0]!).map(
        ({ name }) => name,
      );
    expect(failed(new Map([['a', {}]]))).toEqual([]);
    expect(failed(new Map([['b', {}]]))).toEqual(['configured-cluster']);
    expect(failed(new Map([['a', { karpenterSelectors: [term({ tier: 'nodes' })] }]]))).toEqual(['configured-cluster']);
  });
});

test('a subnet with headroom:protected is not even a candidate', () => {
  const decisions = decisionsOf(ground([at(2, { ...MARKED, 'headroom:protected': '' })]));
  expect(decisions.map(({ action }) => action)).toEqual(['newSubnet']);
  expect(decisions[0]?.rejected).toEqual([{ subnetId: 'subnet-2', reason: 'protected' }]);
});

test('custom keys and patterns: the standby gets the values that the subnet in trouble is found by', () => {
  const kubernetes = [
    inside({ cluster: 'a', nodeClasses: read([nodeClass('default', [term({ tier: 'node*', env: '*' })])]) }),
  ];
  const [decision] = activations(ground([at(2, MARKED)], { kubernetes }, { tier: 'nodes', env: 'prod' } as never));
  expect(decision?.writes[0]).toMatchObject({ tags: { tier: 'nodes', env: 'prod' } });
});

test('a selector by id is for a person: no tag is written for it', () => {
  const kubernetes = [inside({ cluster: 'a', nodeClasses: read([nodeClass('default', [term('subnet-1')])]) })];
  const unknownCni = { kubernetes, addons: read([addon('a')]) };
  const [decision] = activations(ground([at(2, MARKED)], unknownCni, {} as never));
  expect(decision?.writes).toEqual([]);
  expect(failedGuards(decision!).map(({ name, detail }) => `${name}: ${detail}`)).toContainEqual(
    expect.stringContaining('tag-free: default selects subnet-1 by its id'),
  );
});

describe('the tag of the CNI', () => {
  const tagsWith = (version: string | undefined, env: Record<string, string>, others: Partial<RegionFacts> = {}) => {
    const [decision] = activations(ground([at(2, MARKED)], { addons: read([addon('a', env, version)]), ...others }));
    const {
      [DISCOVERY]: _,
      'headroom:activated-for': __,
      ...cni
    } = (decision!.writes[0] as { tags: Record<string, string> }).tags;
    return cni;
  };
  const two = { clusters: read([cluster('a'), cluster('b')]) };
  const scope = { 'kubernetes.io/role/cni': '1', 'cni.networking.k8s.aws/cluster/a': 'shared' };
  test.each<[string, string | undefined, Record<string, string>, Partial<RegionFacts>, Record<string, string>]>([
    ['v1.22.1 with a cluster name is kept to the cluster', 'v1.22.1', { CLUSTER_NAME: 'a' }, two, scope],
    ['v1.22.1 without one, beside another cluster, gets none', 'v1.22.1', {}, two, {}],
    ['v1.22.1 without one, alone in the VPC', 'v1.22.1', {}, {}, { 'kubernetes.io/role/cni': '1' }],
    ['v1.18 cannot be kept to a cluster', 'v1.18.0', { CLUSTER_NAME: 'a' }, two, {}],
    ['v1.18 alone in the VPC', 'v1.18.0', { CLUSTER_NAME: 'a' }, {}, { 'kubernetes.io/role/cni': '1' }],
    ['v1.22.0 gets none', 'v1.22.0', { CLUSTER_NAME: 'a' }, {}, {}],
    ['v1.17 does not discover', 'v1.17.1', {}, {}, {}],
    ['an unknown version gets none', undefined, {}, {}, {}],
    ['discovery switched off', 'v1.22.1', { ENABLE_SUBNET_DISCOVERY: 'false' }, {}, {}],
  ])('%s', (_, version, env, others, wanted) => {
    expect(tagsWith(version, env, others)).toEqual(wanted);
  });
});

test('a node group’s subnets are for life: a new group is proposed, and no tag where none would help', () => {
  const facts = {
    nodegroups: read([nodegroup('a', ['subnet-1'], { desiredSize: 7 })]),
    addons: read([addon('a', {}, 'v1.17.0')]),
  };
  const decisions = decisionsOf(ground([at(2, MARKED)], facts, {} as never));
  expect(decisions.map(({ action, subnetId }) => [action, subnetId])).toEqual([['moveNodeGroup', 'subnet-2']]);
  expect(decisions[0]?.cost).toContain('7 nodes run twice');
});

test('a subnet of another account is tagged by approval only, whatever the mode', () => {
  const settings: PlanSettings = {
    ...PLAN_DEFAULTS,
    iacIgnoresTags: true,
    mode: { ...PLAN_DEFAULTS.mode, activateStandby: 'auto' },
  };
  const owner = { ownerId: '222222222222' };
  const shared = counted({
    facts: known([at(1, { [DISCOVERY]: 'a' }, owner), at(2, MARKED, owner)]),
    enis: filler(1, 246),
  });
  expect(activations(ground([at(2, MARKED)]), settings)[0]?.mode).toBe('auto');
  expect(activations(shared, settings)[0]?.mode).toBe('propose');
  expect(activations(ground([at(2, MARKED)]), { ...settings, iacIgnoresTags: false })[0]?.mode).toBe('propose');
});

test('nothing is done where EC2’s two counts lead to different plans', () => {
  const of = ground([at(2, MARKED)]);
  const byCounts = (after: number) => {
    const context = contextOf(of, new Map([['subnet-1', after]]));
    return decide({ context, findings: reportOf(context).findings });
  };
  expect(ready(byCounts(5))).toHaveLength(1);
  // Nodes went between the two counts: by the second one there is room for more than the three nodes below which a zone is low.
  const [decision] = byCounts(100).filter(({ action }) => action === 'activateStandby');
  expect(failedGuards(decision!).map(({ name }) => name)).toEqual(['facts-certain']);
});
