import { describe, expect, test } from '@jest/globals';
import type { InstanceTypeFacts } from '../../../lambdas/core/subnet/snapshot.ts';
import { assessed, cni, codes, inside, M5_LARGE, node, nodegroup, only, pods, read } from '../../support/assessing.ts';
import { eni, subnet, tags } from '../../support/builders.ts';

const ID = 'subnet-00000000000000001';
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
      ...pods(NODE, 2),
    ];
    expect(only(assessed(given(holding(20), { running })), 'WARM_POOL_WASTE')?.evidence.ips).toBe(18);
  });

  test('is not said without the pods', () => {
    expect(codes(assessed(given(holding(40), {})))).not.toContain('WARM_POOL_WASTE');
  });

  test('names settings that fit the busiest node', () => {
    expect(only(assessed(given(holding(25), { running: pods(NODE, 5) })), 'WARM_POOL_WASTE')?.remedy).toContain(
      'WARM_IP_TARGET=2, MINIMUM_IP_TARGET=8',
    );
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
  });
});

describe('SUBNET_TOO_SMALL_FOR_INSTANCE', () => {
  const need = (about: Inside, cidr: string) =>
    only(assessed(given(holding(0), about, cidr)), 'SUBNET_TOO_SMALL_FOR_INSTANCE')?.evidence.need;

  // A /28 has 11 usable addresses, a /27 has 27.
  test.each<[string, Record<string, string>, number, number | undefined]>([
    ['10.0.0.0/28', {}, 0, 20],
    ['10.0.0.0/27', {}, 0, undefined],
    ['10.0.0.0/27', {}, 10, 30],
    ['10.0.0.0/28', { WARM_ENI_TARGET: '0' }, 0, undefined],
    ['10.0.0.0/28', { WARM_IP_TARGET: '2', MINIMUM_IP_TARGET: '8' }, 5, undefined],
    ['10.0.0.0/28', { WARM_IP_TARGET: '8' }, 5, 15],
    ['10.0.0.0/27', { ENABLE_PREFIX_DELEGATION: 'true' }, 0, 33],
    ['10.0.0.0/26', { ENABLE_PREFIX_DELEGATION: 'true' }, 0, undefined],
    ['10.0.0.0/26', { ENABLE_PREFIX_DELEGATION: 'true' }, 17, 49],
    ['10.0.0.0/26', { ENABLE_PREFIX_DELEGATION: 'true', WARM_PREFIX_TARGET: '0' }, 17, undefined],
  ])('%s with %j and %i pods: %p', (cidr, env, running, wanted) => {
    expect(need({ env, running: pods(NODE, running) }, cidr)).toBe(wanted);
  });

  test('no node has to stand there for a node group that would launch one', () => {
    const facts = { nodegroups: read([nodegroup([ID])]), instanceTypes: read([M5_LARGE]), kubernetes: [cni()] };
    const found = only(assessed({ subnets: [subnet('10.0.0.0/28')], facts }), 'SUBNET_TOO_SMALL_FOR_INSTANCE');
    expect(found).toMatchObject({
      severity: 'warning',
      observed: 20,
      threshold: 11,
      evidence: { instanceType: 'm5.large' },
    });
  });

  test('is not said where the limits of the type, or the mode, are not known', () => {
    const facts = { nodegroups: read([nodegroup([ID])]), kubernetes: [cni()] };
    expect(codes(assessed({ subnets: [subnet('10.0.0.0/28')], facts }))).not.toContain('SUBNET_TOO_SMALL_FOR_INSTANCE');
    const blind = { nodegroups: read([nodegroup([ID])]), instanceTypes: read([M5_LARGE]) };
    expect(codes(assessed({ subnets: [subnet('10.0.0.0/28')], facts: blind }))).not.toContain(
      'SUBNET_TOO_SMALL_FOR_INSTANCE',
    );
  });
});
