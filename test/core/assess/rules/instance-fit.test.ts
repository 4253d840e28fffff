import { describe, expect, test } from '@jest/globals';
import type { Finding } from '../../../../lambdas/contract/finding.ts';
import type { InstanceTypeFacts, PodFacts } from '../../../../lambdas/core/subnet/snapshot.ts';
import { assessed, codes, type Given, only } from '../../../support/assessing.ts';
import { eni, reservation, subnet, tags } from '../../../support/builders.ts';
import { cluster, cni, inside, M5_LARGE, node, nodegroup, pods, read } from '../../../support/cluster-facts.ts';

const ID = 'subnet-00000000000000001';
const PODS_ID = 'subnet-00000000000000002';
const NODE = 'i-00000000000000001';
const PREFIX = { ENABLE_PREFIX_DELEGATION: 'true' };
const CUSTOM = { AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: 'true' };

interface Tenant {
  readonly env?: Record<string, string>;
  /** Without them the pods were not read. */
  readonly running?: readonly PodFacts[];
  readonly type?: InstanceTypeFacts;
}

/** One node with its primary address in the subnet. */
function standing(cidr: string, { env = {}, running, type = M5_LARGE }: Tenant, facts: Given['facts'] = {}): Given {
  const kubernetes = inside({
    cluster: 'prod',
    nodes: read([node(NODE, { instanceType: type.instanceType })]),
    pods: running === undefined ? { state: 'absent' } : read(running),
    daemonSet: read({ env: tags(env) }),
  });
  return {
    subnets: [subnet(cidr, { availableIps: 2 ** (32 - Number(cidr.split('/')[1])) - 6 })],
    enis: [eni({ addresses: ['10.0.0.4'], attachment: { instanceId: NODE, deviceIndex: 0 } })],
    facts: { kubernetes: [kubernetes], instanceTypes: read([type]), ...facts },
  };
}

/** No node stands there, but a node group would launch one. */
function wanted(cidr: string, facts: Given['facts'] = {}): Given {
  return {
    subnets: [subnet(cidr)],
    facts: {
      nodegroups: read([nodegroup('prod', [ID])]),
      instanceTypes: read([M5_LARGE]),
      kubernetes: [cni()],
      ...facts,
    },
  };
}

const found = (given: Given): Finding | undefined => only(assessed(given), 'SUBNET_TOO_SMALL_FOR_INSTANCE');

describe('a node that wants more addresses than the empty subnet has', () => {
  // A /28 has 11 usable addresses, a /27 has 27.
  test.each<[string, Record<string, string>, number, number | undefined]>([
    ['10.0.0.0/28', {}, 0, 20],
    ['10.0.0.0/27', {}, 0, undefined],
    ['10.0.0.0/27', {}, 10, 30],
    ['10.0.0.0/28', { WARM_ENI_TARGET: '0' }, 0, undefined],
    ['10.0.0.0/28', { WARM_IP_TARGET: '2', MINIMUM_IP_TARGET: '8' }, 5, undefined],
    ['10.0.0.0/28', { WARM_IP_TARGET: '8' }, 5, 15],
    // 9 on the first interface, the tenth on a second one with an address of its own.
    ['10.0.0.0/28', { WARM_IP_TARGET: '4' }, 5, undefined],
    ['10.0.0.0/28', { WARM_IP_TARGET: '5' }, 5, 12],
  ])('%s with %j and %i pods: %p', (cidr, env, running, need) => {
    const said = found(standing(cidr, { env, running: pods(NODE, running) }));
    expect(said?.observed).toBe(need);
    if (said !== undefined)
      expect(said).toMatchObject({ severity: 'warning', evidence: { need, node: NODE, pods: running } });
  });

  test('names the size that would do, and the settings where they would', () => {
    const tunable = found(standing('10.0.0.0/28', { running: pods(NODE, 5) }));
    expect(tunable).toMatchObject({ observed: 20, threshold: 11 });
    expect(tunable?.message).toContain('wants 20 addresses, and the empty subnet has 11');
    expect(tunable?.remedy).toBe(
      'Use a subnet of /27 or larger, or let nodes take less: WARM_IP_TARGET=2, MINIMUM_IP_TARGET=8 on aws-node makes it 9 addresses for 5 pods.',
    );
    // 12 pods: 18 addresses on two interfaces.
    expect(found(standing('10.0.0.0/28', { running: pods(NODE, 12) }))?.remedy).toBe(
      'Use a subnet of /26 or larger: even WARM_IP_TARGET=2, MINIMUM_IP_TARGET=18 on aws-node makes it 20 addresses for 12 pods.',
    );
  });

  test('what it wants may be all that there is', () => {
    // 6 addresses on each interface: 9 for pods and 2 for the interfaces are the 11 of a /28.
    const type = { ...M5_LARGE, ipv4PerEni: 6 };
    expect(
      found(standing('10.0.0.0/28', { type, env: { WARM_IP_TARGET: '4' }, running: pods(NODE, 5) })),
    ).toBeUndefined();
    const tunable = found(standing('10.0.0.0/28', { type, running: pods(NODE, 6) }));
    expect(tunable?.remedy).toMatch(/or let nodes take less: .*MINIMUM_IP_TARGET=9 on aws-node makes it 11 addresses/);
    // 3 interfaces of 9 addresses are the 27 of a /27.
    const nine = { ...M5_LARGE, ipv4PerEni: 9 };
    expect(found(standing('10.0.0.0/28', { type: nine, running: pods(NODE, 16) }))?.remedy).toContain('/27 or larger');
  });

  test('of several types the one that wants most is named, of equal ones the first by name', () => {
    const second = 'i-00000000000000002';
    const with2 = (type: string, ipv4PerEni: number) => {
      const given = standing('10.0.0.0/28', { running: [] });
      const nodes = read([node(NODE), node(second, { instanceType: type })]);
      const kubernetes = given.facts?.kubernetes?.map((one) => ({ ...one, nodes })) ?? [];
      const instanceTypes = read([M5_LARGE, { ...M5_LARGE, instanceType: type, ipv4PerEni }]);
      const enis = [
        ...(given.enis ?? []),
        eni({ addresses: ['10.0.0.5'], attachment: { instanceId: second, deviceIndex: 0 } }),
      ];
      return found({ ...given, enis, facts: { ...given.facts, kubernetes, instanceTypes } })?.evidence.instanceType;
    };
    expect([with2('a1.small', 8), with2('z1.large', 15), with2('a1.equal', 10)]).toEqual([
      'm5.large',
      'z1.large',
      'a1.equal',
    ]);
  });

  test('does not take pods that were not read for none', () => {
    const said = found(standing('10.0.0.0/28', {}));
    expect(said?.evidence).not.toHaveProperty('pods');
    expect(said?.remedy).toMatch(/^Use a subnet of \/27 or larger, or set WARM_IP_TARGET/);
    expect(said?.remedy).not.toContain('0 pods');
  });

  test('the busiest node of a type decides', () => {
    const second = 'i-00000000000000002';
    const given = standing('10.0.0.0/27', { running: [...pods(NODE, 3), ...pods(second, 12)] });
    const kubernetes =
      given.facts?.kubernetes?.map((one) => ({ ...one, nodes: read([node(NODE), node(second)]) })) ?? [];
    const enis = [
      ...(given.enis ?? []),
      eni({ addresses: ['10.0.0.5'], attachment: { instanceId: second, deviceIndex: 0 } }),
    ];
    expect(found({ ...given, enis, facts: { ...given.facts, kubernetes } })).toMatchObject({
      observed: 30,
      evidence: { node: second, pods: 12 },
    });
  });
});

describe('a node that wants more prefixes than the subnet can ever give', () => {
  test.each<[string, Record<string, string>, number, number | undefined, number]>([
    ['10.0.0.0/27', PREFIX, 0, 2, 0],
    ['10.0.0.0/26', PREFIX, 0, undefined, 2],
    ['10.0.0.0/26', PREFIX, 17, 3, 2],
    ['10.0.0.0/26', { ...PREFIX, WARM_PREFIX_TARGET: '0' }, 17, undefined, 2],
  ])('%s with %j and %i pods: %p of %i', (cidr, env, running, prefixes, eligibleBlocks) => {
    const said = found(standing(cidr, { env, running: pods(NODE, running) }));
    expect(said?.observed).toBe(prefixes);
    if (said === undefined || prefixes === undefined) return;
    expect(said).toMatchObject({
      threshold: eligibleBlocks,
      evidence: { prefixesWanted: prefixes, eligibleBlocks, need: 1 + 16 * prefixes },
    });
    expect(said.message).toContain(
      `wants ${prefixes} prefixes, and the subnet can never give more than ${eligibleBlocks}`,
    );
    // Three prefixes need five /28s, two need four.
    expect(said.remedy).toContain(prefixes === 3 ? 'a subnet of /25 or larger' : 'a subnet of /26 or larger');
  });

  test('explicit reservations keep blocks from being prefixes', () => {
    const reservations = read([reservation('10.0.0.16/28', 'explicit')]);
    const said = found(standing('10.0.0.0/26', { env: PREFIX, running: [] }, { reservations }));
    expect(said).toMatchObject({ observed: 2, threshold: 1 });
    expect(said?.remedy).toContain('explicit CIDR reservations');
  });

  test('counts alone tell it too, by the size', () => {
    const kubernetes = [cni(PREFIX)];
    expect(found(wanted('10.0.0.0/27', { kubernetes }))).toMatchObject({ observed: 2, threshold: 0 });
    expect(found(wanted('10.0.0.0/26', { kubernetes }))).toBeUndefined();
  });

  test('a type that is not of Nitro wants single addresses', () => {
    const type = { ...M5_LARGE, nitro: false };
    expect(found(standing('10.0.0.0/28', { env: PREFIX, type }))).toMatchObject({ observed: 20, threshold: 11 });
  });
});

describe('a node whose further interfaces the CNI may put elsewhere', () => {
  // An m5.large with 10 pods wants three interfaces of 10 addresses, 30 of the 27 of a /27; a /28 has 11, one interface takes 10.
  const tagged = { 'kubernetes.io/role/cni': '1' };
  const among = (given: Given, own: Record<string, string>, facts: Given['facts'] = {}) => {
    const other = subnet('10.0.8.0/24', { subnetId: PODS_ID, tags: own });
    return found({ ...given, subnets: [...given.subnets, other], facts: { ...given.facts, ...facts } });
  };
  const busy = (env: Record<string, string> = {}, cidr = '10.0.0.0/27') =>
    standing(cidr, { env, running: pods(NODE, 10) });

  test('wants what its first one takes', () => {
    expect(among(busy(), {})).toMatchObject({ observed: 30, threshold: 27 });
    expect(among(busy(), tagged)).toBeUndefined();
    expect(among(busy({}, '10.0.0.0/28'), tagged)).toBeUndefined();
    const small = { ...M5_LARGE, ipv4PerEni: 15 };
    const said = among(standing('10.0.0.0/28', { type: small, running: pods(NODE, 10) }), tagged);
    expect(said).toMatchObject({ observed: 15, threshold: 11 });
    expect(said?.message).toContain('its first interface wants 15 addresses, and the empty subnet has 11');
  });

  test('wants its first one’s prefixes', () => {
    const two = { ...M5_LARGE, ipv4PerEni: 3 };
    // 40 pods fill three prefixes and a spare one is wanted; two go on the first interface, and a /26 has two.
    const given = standing('10.0.0.0/26', { env: PREFIX, type: two, running: pods(NODE, 40) });
    expect(among(given, {})).toMatchObject({ observed: 4, threshold: 2 });
    expect(among(given, tagged)).toBeUndefined();
    const tiny = standing('10.0.0.0/27', { env: PREFIX, type: two, running: pods(NODE, 40) });
    expect(among(tiny, tagged)).toMatchObject({ observed: 2, threshold: 0, evidence: { need: 33 } });
  });

  test('unless discovery is off, or custom networking decides', () => {
    expect(among(busy({ ENABLE_SUBNET_DISCOVERY: 'false' }), tagged)?.observed).toBe(30);
    const custom = busy(CUSTOM);
    const eniConfigs = read([{ name: 'us-east-1a', subnetId: ID }]);
    const kubernetes = (custom.facts?.kubernetes ?? []).map((one) => ({ ...one, eniConfigs }));
    // With custom networking the first interface serves no pod: two are left.
    expect(among(custom, tagged, { kubernetes })).toBeUndefined();
    const narrow = busy(CUSTOM, '10.0.0.0/28');
    expect(among(narrow, tagged, { kubernetes })?.observed).toBe(20);
  });

  test('and of subnets that were not read it is not known whether it may', () => {
    expect(found({ ...busy(), facts: { ...busy().facts, scope: { vpcIds: [], subnetIds: [ID] } } })).toBeUndefined();
  });

  test('a subnet that the CNI discovers need not hold what a node wants', () => {
    // Most of what the node holds is there, and none stands in it.
    const addresses = Array.from({ length: 10 }, (_, n) => `10.0.0.${4 + n}`);
    const further = eni({
      addresses,
      description: `aws-K8S-${NODE}`,
      attachment: { instanceId: NODE, deviceIndex: 1 },
    });
    const home = subnet('10.0.8.0/24', { subnetId: PODS_ID });
    const first = eni({
      subnetId: PODS_ID,
      addresses: ['10.0.8.4'],
      attachment: { instanceId: NODE, deviceIndex: 0 },
    });
    const given = standing('10.0.0.0/28', { running: pods(NODE, 10) });
    const subnets = [...given.subnets.map((one) => ({ ...one, tags: tags(tagged), availableIps: 1 })), home];
    expect(found({ ...given, subnets, enis: [first, further] })).toBeUndefined();
  });
});

describe('where no node stands', () => {
  test('a node group that would launch one is enough', () => {
    const said = found(wanted('10.0.0.0/28'));
    expect(said).toMatchObject({
      observed: 20,
      threshold: 11,
      evidence: { instanceType: 'm5.large', cluster: 'prod' },
    });
    expect(said?.evidence).not.toHaveProperty('node');
  });

  test.each<[string, Given['facts']]>([
    ['the limits of the type are not known', { instanceTypes: { state: 'absent' } }],
    ['the mode is not known', { kubernetes: [] }],
    ['it is Auto Mode', { clusters: read([cluster('prod', { autoMode: true })]), kubernetes: [] }],
    ['pods take IPv6', { clusters: read([cluster('prod', { ipFamily: 'ipv6' as const })]) }],
  ])('nothing is said where %s', (_, facts) => {
    expect(codes(assessed(wanted('10.0.0.0/28', facts)))).not.toContain('SUBNET_TOO_SMALL_FOR_INSTANCE');
  });

  test('nothing is said of a subnet with IPv6 alone', () => {
    const { facts } = wanted('10.0.0.0/28');
    expect(codes(assessed({ subnets: [subnet(null)], ...(facts === undefined ? {} : { facts }) }))).toEqual([]);
  });

  test('with custom networking the subnet of the pods counts, not that of the nodes', () => {
    const { facts } = wanted('10.0.0.0/28', {
      kubernetes: [
        inside({
          cluster: 'prod',
          daemonSet: read({ env: tags(CUSTOM) }),
          eniConfigs: read([{ name: 'us-east-1a', subnetId: PODS_ID }]),
        }),
      ],
    });
    const both = (nodesAt: string, podsAt: string) =>
      assessed({
        subnets: [subnet(nodesAt), subnet(podsAt, { subnetId: PODS_ID })],
        ...(facts === undefined ? {} : { facts }),
      })
        .filter(({ code }) => code === 'SUBNET_TOO_SMALL_FOR_INSTANCE')
        .map(({ subnetId, observed }) => [subnetId, observed]);
    expect(both('10.0.0.0/28', '100.64.0.0/24')).toEqual([]);
    expect(both('10.0.0.0/24', '100.64.0.0/28')).toEqual([[PODS_ID, 20]]);
    expect(both('10.0.0.0/24', '100.64.0.0/27')).toEqual([]);
  });
});
