import { describe, expect, test } from '@jest/globals';
import type { InstanceTypeFacts } from '../../../lambdas/core/subnet/snapshot.ts';
import { assessed, codes, only } from '../../support/assessing.ts';
import { eni, subnet, tags } from '../../support/builders.ts';
import { cluster, inside, instance, M5_LARGE, node, pods, read } from '../../support/cluster-facts.ts';

const NODE = 'i-00000000000000001';

/** One node with `secondary` addresses besides its primary one. */
function holding(secondary: number, prefixes: readonly string[] = []) {
  const addresses = Array.from({ length: secondary + 1 }, (_, n) => `10.0.0.${4 + n}`);
  return eni({ addresses, prefixes, attachment: { instanceId: NODE, deviceIndex: 0 } });
}

interface Inside {
  env?: Record<string, string>;
  running?: readonly ReturnType<typeof pods>[number][];
  maxPods?: number;
  type?: InstanceTypeFacts;
}

function kubernetes({ env = {}, running, maxPods, type = M5_LARGE }: Inside) {
  return inside({
    cluster: 'prod',
    nodes: read([node(NODE, { instanceType: type.instanceType, ...(maxPods === undefined ? {} : { maxPods }) })]),
    pods: running === undefined ? { state: 'absent' } : read(running),
    daemonSet: read({ env: tags(env) }),
  });
}

function given(held: ReturnType<typeof eni>, about: Inside, cidr = '10.0.0.0/24') {
  const availableIps = 2 ** (32 - Number(cidr.split('/')[1])) - 5 - held.addresses.length - 16 * held.prefixes.length;
  return {
    subnets: [subnet(cidr, { availableIps })],
    enis: [held],
    facts: { kubernetes: [kubernetes(about)], instanceTypes: read([about.type ?? M5_LARGE]) },
  };
}

describe('WARM_POOL_WASTE', () => {
  // At least 16 idle, and at least half of what the node holds.
  test.each([
    [20, 4, 16],
    [20, 5, undefined],
    [32, 16, 16],
    [33, 17, undefined],
    [40, 0, 40],
  ])('%i secondary addresses for %i pods: %p idle', (secondary, running, idle) => {
    const found = only(assessed(given(holding(secondary), { running: pods(NODE, running) })), 'WARM_POOL_WASTE');
    expect(found?.observed).toBe(idle);
    if (found !== undefined) {
      expect(found).toMatchObject({
        severity: 'warning',
        evidence: { ips: idle, node: NODE, nodes: [{ node: NODE, idle, held: secondary, pods: running }] },
      });
    }
  });

  test('a prefix is 16 addresses', () => {
    const found = only(
      assessed(given(holding(0, ['10.0.0.32/28', '10.0.0.48/28']), { running: pods(NODE, 3) })),
      'WARM_POOL_WASTE',
    );
    expect(found?.evidence.ips).toBe(29);
  });

  test('pods on the host network and pods that are done take no address', () => {
    const running = [
      ...pods(NODE, 10, { hostNetwork: true }),
      ...pods(NODE, 5, { phase: 'Succeeded' }),
      ...pods(NODE, 5, { phase: 'Failed' }),
      ...pods(NODE, 1),
      ...pods(NODE, 1, { phase: 'Pending' }),
    ];
    expect(only(assessed(given(holding(20), { running })), 'WARM_POOL_WASTE')?.evidence.ips).toBe(18);
  });

  test('is not said without the pods, nor with some of them', () => {
    const base = given(holding(40), {});
    expect(codes(assessed(base))).not.toContain('WARM_POOL_WASTE');
    const some = { state: 'unknown', value: pods(NODE, 1), failures: [] } as const;
    const kubernetes = base.facts.kubernetes.map((one) => ({ ...one, pods: some }));
    expect(codes(assessed({ ...base, facts: { ...base.facts, kubernetes } }))).not.toContain('WARM_POOL_WASTE');
  });

  test('names settings that fit the busiest node', () => {
    const found = only(assessed(given(holding(25), { running: pods(NODE, 5) })), 'WARM_POOL_WASTE');
    expect(found?.remedy).toContain('WARM_IP_TARGET=2, MINIMUM_IP_TARGET=8');
    expect(found?.evidence).toMatchObject({ warmIpTarget: 2, minimumIpTarget: 8 });
  });

  test('names none in Auto Mode, which has none', () => {
    const base = given(holding(40), { running: pods(NODE, 5) });
    const kubernetes = base.facts.kubernetes.map((one) => ({ ...one, daemonSet: { state: 'absent' } as const }));
    const clusters = read([cluster('prod', { autoMode: true })]);
    const found = only(assessed({ ...base, facts: { ...base.facts, kubernetes, clusters } }), 'WARM_POOL_WASTE');
    expect(found?.remedy).toContain('Auto Mode has no warm-pool settings');
    expect(found?.evidence).not.toHaveProperty('warmIpTarget');
  });

  test('is one finding for a subnet, with the sum of its nodes, the worst first', () => {
    const second = 'i-00000000000000002';
    const base = given(holding(20), { running: [...pods(NODE, 2), ...pods(second, 1)] });
    const kubernetes = base.facts.kubernetes.map((one) => ({ ...one, nodes: read([node(NODE), node(second)]) }));
    const other = eni({
      addresses: Array.from({ length: 31 }, (_, n) => `10.0.0.${40 + n}`),
      attachment: { instanceId: second, deviceIndex: 0 },
    });
    const found = only(
      assessed({ ...base, enis: [...base.enis, other], facts: { ...base.facts, kubernetes } }),
      'WARM_POOL_WASTE',
    );
    expect(found).toMatchObject({ observed: 18 + 29, evidence: { count: 2, node: second } });
    expect(found?.message).toContain(`keep 47 addresses that no pod uses; ${second} holds 30 for 1 pod.`);
  });

  test('of a node with interfaces in two subnets counts once, where it holds most', () => {
    const base = given(holding(20), { running: pods(NODE, 4) });
    const elsewhere = eni({
      subnetId: 'subnet-00000000000000002',
      addresses: Array.from({ length: 41 }, (_, n) => `10.0.1.${4 + n}`),
      description: `aws-K8S-${NODE}`,
      attachment: { instanceId: NODE, deviceIndex: 1 },
    });
    const subnets = [...base.subnets, subnet('10.0.1.0/24', { subnetId: 'subnet-00000000000000002' })];
    const found = only(assessed({ ...base, subnets, enis: [...base.enis, elsewhere] }), 'WARM_POOL_WASTE');
    // 60 held for 4 pods leave 56 idle, of which at most 40 lie in the second subnet.
    expect(found).toMatchObject({ subnetId: 'subnet-00000000000000002', observed: 40 });
    expect(found?.evidence.nodes).toEqual([{ node: NODE, idle: 40, held: 60, pods: 4 }]);
    // 25 of 60 idle: less than half of all, though more than half of the 40.
    const busy = base.facts.kubernetes.map((one) => ({ ...one, pods: read(pods(NODE, 35)) }));
    const held = { ...base, subnets, enis: [...base.enis, elsewhere], facts: { ...base.facts, kubernetes: busy } };
    expect(codes(assessed(held))).not.toContain('WARM_POOL_WASTE');
    // Where the instance is does not matter while its interfaces are known.
    const instances = read([instance(NODE, 'subnet-00000000000000001')]);
    const facts = { ...base.facts, instances };
    expect(
      only(assessed({ ...base, subnets, enis: [...base.enis, elsewhere], facts }), 'WARM_POOL_WASTE')?.subnetId,
    ).toBe('subnet-00000000000000002');
  });
});

describe('NODE_MAX_PODS_TOO_HIGH', () => {
  // An m5.large: 3 interfaces of 10 addresses, so 29 pods singly, 434 by prefixes.
  test.each<[number, Record<string, string>, number | undefined]>([
    [29, {}, undefined],
    [30, {}, 29],
    [110, { ENABLE_PREFIX_DELEGATION: 'true' }, undefined],
    [435, { ENABLE_PREFIX_DELEGATION: 'true' }, 434],
    [29, { AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: 'true' }, 20],
  ])('maxPods %i with %j: limit %p', (maxPods, env, limit) => {
    const found = only(assessed(given(holding(0), { maxPods, env })), 'NODE_MAX_PODS_TOO_HIGH');
    expect(found?.threshold).toBe(limit);
    if (found !== undefined)
      expect(found).toMatchObject({ severity: 'warning', observed: maxPods, evidence: { node: NODE, maxPods, limit } });
  });

  test('a type that is not Nitro takes no prefix', () => {
    const type = { ...M5_LARGE, nitro: false };
    const found = only(
      assessed(given(holding(0), { maxPods: 30, env: { ENABLE_PREFIX_DELEGATION: 'true' }, type })),
      'NODE_MAX_PODS_TOO_HIGH',
    );
    expect(found?.threshold).toBe(29);
    expect(found?.remedy).not.toContain('prefix delegation');
  });

  test('advises each type its own limit, and prefixes where they are off', () => {
    const small = { ...M5_LARGE, instanceType: 't3.small', ipv4PerEni: 4 };
    const second = 'i-00000000000000002';
    const base = given(holding(0), { maxPods: 110 });
    const nodes = read([node(NODE, { maxPods: 110 }), node(second, { maxPods: 110, instanceType: 't3.small' })]);
    const other = eni({ addresses: ['10.0.0.40'], attachment: { instanceId: second, deviceIndex: 0 } });
    const kubernetes = base.facts.kubernetes.map((one) => ({ ...one, nodes }));
    const facts = { ...base.facts, kubernetes, instanceTypes: read([M5_LARGE, small]) };
    const found = only(assessed({ ...base, enis: [...base.enis, other], facts }), 'NODE_MAX_PODS_TOO_HIGH');
    expect(found).toMatchObject({ observed: 110, threshold: 11, evidence: { count: 2, node: second } });
    expect(found?.remedy).toMatch(
      /^Set maxPods to 11 for t3\.small and 29 for m5\.large .*, or turn prefix delegation on/,
    );
  });

  test('does not advise prefixes to nodes that have them, or cannot hold them', () => {
    const type = { ...M5_LARGE, nitro: false };
    expect(only(assessed(given(holding(0), { maxPods: 30, type })), 'NODE_MAX_PODS_TOO_HIGH')?.remedy).toMatch(
      /^Set maxPods to 29 for m5\.large \(.*\)\.$/,
    );
    const env = { ENABLE_PREFIX_DELEGATION: 'true' };
    const found = only(assessed(given(holding(0), { maxPods: 435, env })), 'NODE_MAX_PODS_TOO_HIGH');
    expect(found?.remedy).toMatch(/^Set maxPods to 434 for m5\.large \(.*\)\.$/);
  });

  test('is said by cluster and zone of nodes whose subnet is not known', () => {
    const ids = [1, 2, 3].map((n) => `i-0000000000000000${n}`);
    const nodes = read([
      node(ids[0] as string, { maxPods: 30, zone: 'us-east-1a' }),
      node(ids[1] as string, { maxPods: 40, zone: 'us-east-1a' }),
      node(ids[2] as string, { maxPods: 110 }),
    ]);
    const base = given(holding(0), { maxPods: 110 });
    const kubernetes = base.facts.kubernetes.map((one) => ({ ...one, nodes }));
    const facts = { ...base.facts, kubernetes };
    const found = assessed({ subnets: base.subnets, facts }).filter(({ code }) => code === 'NODE_MAX_PODS_TOO_HIGH');
    expect(found).toMatchObject([
      { cluster: 'prod', observed: 110, threshold: 29, evidence: { count: 1, node: ids[2] } },
      { cluster: 'prod', zone: 'us-east-1a', zoneId: 'use1-az1', observed: 40, evidence: { count: 2, node: ids[1] } },
    ]);
    expect(found[0]).not.toHaveProperty('zone');
    expect(found[0]?.message).toMatch(/^1 node of cluster prod takes more pods than its interfaces can address: /);
    expect(found[1]?.message).toMatch(/^2 nodes of cluster prod in us-east-1a take /);
    // In a subnet that nobody asked about they are none of ours.
    const instances = read(ids.map((id) => instance(id, 'subnet-of-others')));
    expect(codes(assessed({ subnets: base.subnets, facts: { ...facts, instances } }))).not.toContain(
      'NODE_MAX_PODS_TOO_HIGH',
    );
  });

  test('is not said of the nodes of an IPv6 cluster', () => {
    const base = given(holding(0), { maxPods: 110 });
    const clusters = read([cluster('prod', { ipFamily: 'ipv6' as const })]);
    expect(codes(assessed({ ...base, facts: { ...base.facts, clusters } }))).not.toContain('NODE_MAX_PODS_TOO_HIGH');
  });
});
