/** What is left to a person: the proposals that no write stands behind. */
import { describe, expect, test } from '@jest/globals';
import { PLAN_DEFAULTS } from '../../../lambdas/core/remediate/settings.ts';
import type { RegionFacts } from '../../../lambdas/core/subnet/snapshot.ts';
import { eni, tags } from '../../support/builders.ts';
import { cluster, daemonSet, inside, instance, nodeClass, read, term } from '../../support/cluster-facts.ts';
import { at, counted, DISCOVERY, decisionsOf, known } from './planning.ts';

const NODE = { name: 'node-1', instanceId: 'i-1', instanceType: 'm5.large', labels: tags() };

/** One node of cluster `a` with 29 secondary addresses and `running` pods. */
function idle(running: number, env: Record<string, string>, facts: Partial<RegionFacts> = {}) {
  const pods = Array.from({ length: running }, (_, n) => ({
    name: `pod-${n}`,
    namespace: 'default',
    nodeName: NODE.name,
    hostNetwork: false,
  }));
  const addresses = Array.from({ length: 30 }, (_, n) => `10.0.1.${20 + n}`);
  const kubernetes = [
    inside({
      cluster: 'a',
      nodes: read([NODE]),
      pods: read(pods),
      daemonSet: read(daemonSet(env)),
      ...autoClass(facts),
    }),
  ];
  const enis = [eni({ subnetId: 'subnet-1', addresses, attachment: { instanceId: 'i-1', deviceIndex: 0 } })];
  return counted({ facts: known([at(1, { [DISCOVERY]: 'a' })], { kubernetes, ...facts }), enis });
}

function autoClass({ clusters }: Partial<RegionFacts>) {
  return clusters === undefined ? {} : { daemonSet: { state: 'absent' } as const };
}

const warmPools = (ground: ReturnType<typeof idle>) =>
  decisionsOf(ground, PLAN_DEFAULTS).filter(({ action }) => action === 'smallerWarmPool');

describe('a smaller warm pool', () => {
  test('fits the busiest node, as the finding says', () => {
    const [small, ...others] = warmPools(idle(5, {}));
    expect(others).toEqual([]);
    expect(small).toMatchObject({
      cluster: 'a',
      subnetId: 'subnet-1',
      effect: { idleIps: { before: 24, after: null } },
      commands: ['kubectl set env daemonset/aws-node -n kube-system WARM_IP_TARGET=2 MINIMUM_IP_TARGET=8'],
      reason: 'Without these settings every node keeps a whole spare interface (WARM_ENI_TARGET).',
    });
    expect(small?.summary).toContain('WARM_IP_TARGET=2, MINIMUM_IP_TARGET=8 on aws-node of a, instead of 24 addresses');
    expect(warmPools(idle(12, {}))[0]?.commands[0]).toContain('WARM_IP_TARGET=2 MINIMUM_IP_TARGET=18');
  });

  test('of prefixes speaks of prefixes', () => {
    const [small] = warmPools(idle(5, { ENABLE_PREFIX_DELEGATION: 'true' }));
    expect(small?.reason).toContain('a whole spare prefix (WARM_PREFIX_TARGET)');
    expect(small?.commands[0]).toContain('WARM_IP_TARGET=2 MINIMUM_IP_TARGET=8');
  });

  test('is nothing that a cluster of Auto Mode could set', () => {
    expect(warmPools(idle(5, {}, { clusters: read([cluster('a', { autoMode: true })]) }))).toEqual([]);
  });
});

describe('retiring a fragmented subnet', () => {
  /** Two nodes of cluster `a` stand in subnet 1, with an address in each of its 14 inner blocks. */
  const ground = (facts: Partial<RegionFacts> = {}, siblings = [at(2, { [DISCOVERY]: 'a' })]) => {
    const owned = { 'karpenter.k8s.aws/ec2nodeclass': 'default', 'kubernetes.io/cluster/a': 'owned' };
    const enis = Array.from({ length: 14 }, (_, n) =>
      eni({ subnetId: 'subnet-1', addresses: [`10.0.1.${16 * (n + 1)}`] }),
    );
    const kubernetes = [
      inside({
        cluster: 'a',
        nodeClasses: read([
          nodeClass('default', [term({ [DISCOVERY]: 'a' })]),
          nodeClass('second', [term({ pool: 'second' })]),
        ]),
        daemonSet: read(daemonSet({ ENABLE_PREFIX_DELEGATION: 'true' })),
      }),
    ];
    const instances = read(['i-1', 'i-2'].map((id) => instance(id, 'subnet-1', owned)));
    return counted({
      facts: known([at(1, { [DISCOVERY]: 'a' }), ...siblings], { kubernetes, instances, ...facts }),
      enis,
    });
  };
  const retired = (of: ReturnType<typeof ground>) =>
    decisionsOf(of, PLAN_DEFAULTS).filter(({ action }) => action === 'retireSubnet');

  test('says how many nodes that replaces and what it wins', () => {
    expect(retired(ground())).toMatchObject([
      {
        subnetId: 'subnet-1',
        writes: [],
        effect: { freePrefixes: { before: 0, after: 14 }, nodesReplaced: { before: 0, after: 2 } },
        commands: ['headroom plan --untag subnet-1'],
      },
    ]);
  });

  test('is never proposed of the last subnet of a selector, nor of what may be the last', () => {
    expect(retired(ground({}, []))).toEqual([]);
    // The second node class has another subnet of the zone; what the first one finds elsewhere was not read.
    const second = [at(2, { pool: 'second' })];
    const unsure = ground({ scope: { vpcIds: [], subnetIds: ['subnet-1', 'subnet-2'] } }, second);
    expect(retired(unsure)).toEqual([]);
    expect(retired(ground({}, second))).toEqual([]);
    // That another class goes on selecting it does not help the one that is left with nothing.
    const both = inside({
      cluster: 'a',
      nodeClasses: read([
        nodeClass('default', [term({ [DISCOVERY]: 'a' })]),
        nodeClass('pinned', [term('subnet-1'), term('subnet-2')]),
      ]),
      daemonSet: read(daemonSet({ ENABLE_PREFIX_DELEGATION: 'true' })),
    });
    expect(retired(ground({ kubernetes: [both] }, second))).toEqual([]);
    expect(retired(ground({}, [...second, at(3, { [DISCOVERY]: 'a' })]))).toHaveLength(1);
  });

  test('does not take nodes that were not read for none', () => {
    const [decision] = retired(ground({ instances: { state: 'absent' } }));
    expect(decision?.effect).toMatchObject({ nodesReplaced: { after: null } });
    expect(decision?.summary).toContain('an unknown number of nodes');
  });
});
