import { describe, expect, test } from '@jest/globals';
import type { ClusterModel } from '../../../lambdas/core/assess/cluster-model.ts';
import type { AssessSettings } from '../../../lambdas/core/assess/settings.ts';
import type { EniRecord, RegionFacts, SubnetFacts } from '../../../lambdas/core/subnet/snapshot.ts';
import { eni, region, subnet, tags } from '../../support/builders.ts';
import { contextOf } from '../../support/case-region.ts';
import {
  addon,
  cluster,
  daemonSet,
  inside,
  instance,
  nodeClass,
  nodegroup,
  read,
  term,
} from '../../support/cluster-facts.ts';

const DISCOVERY = 'karpenter.sh/discovery';
const CNI = 'kubernetes.io/role/cni';

/** A /24 with this last digit in its id. */
function at(n: number, own: Record<string, string> = {}, fields: Partial<SubnetFacts> = {}): SubnetFacts {
  return { ...subnet(`10.0.${n}.0/24`, { subnetId: `subnet-${n}`, tags: own }), ...fields };
}
const ZONE_B = { availabilityZone: 'us-east-1b', availabilityZoneId: 'use1-az2' };

function nodePrimary(subnetId: string, instanceId: string, own: Record<string, string>): EniRecord {
  return eni({ subnetId, addresses: ['10.0.1.9'], tags: own, attachment: { instanceId, deviceIndex: 0 } });
}

function cniInterface(subnetId: string, instanceId: string, own: Record<string, string> = {}): EniRecord {
  return eni({
    subnetId,
    addresses: ['10.0.1.20', '10.0.1.21', '10.0.1.22'],
    description: `aws-K8S-${instanceId}`,
    tags: own,
    attachment: { instanceId, deviceIndex: 1 },
  });
}

function clustersOf(
  subnets: readonly SubnetFacts[],
  facts: Partial<RegionFacts> = {},
  enis?: readonly EniRecord[],
  settings: AssessSettings = {},
): Record<string, ClusterModel> {
  return Object.fromEntries(
    contextOf(region(subnets, facts), enis, settings).clusters.map((found) => [found.name, found]),
  );
}

function evidence(model: ClusterModel | undefined): Record<string, readonly string[]> {
  return Object.fromEntries(model?.subnets ?? []);
}

describe('which subnets a cluster may use, and by which evidence', () => {
  test('node groups', () => {
    const found = clustersOf([at(1), at(2)], { nodegroups: read([nodegroup('a', ['subnet-1', 'subnet-gone'])]) });
    expect(evidence(found.a)).toEqual({ 'subnet-1': ['nodegroup'] });
    expect(found.a?.nodeSubnets).toEqual(new Set(['subnet-1']));
    expect(found.a?.podSubnets).toEqual(new Set(['subnet-1']));
    expect(found.a?.launchers).toEqual([{ kind: 'nodegroup', name: 'nodes', terms: [], subnetIds: ['subnet-1'] }]);
  });

  test('interfaces of its nodes and pods, each for what stands there', () => {
    const own = { 'cluster.k8s.amazonaws.com/name': 'a', 'node.k8s.amazonaws.com/instance_id': 'i-1' };
    const found = clustersOf([at(1), at(2), at(3)], {}, [
      nodePrimary('subnet-1', 'i-1', own),
      cniInterface('subnet-2', 'i-1', own),
    ]);
    expect(evidence(found.a)).toEqual({ 'subnet-1': ['interfaces'], 'subnet-2': ['interfaces'] });
    expect(found.a?.nodeSubnets).toEqual(new Set(['subnet-1']));
    expect(found.a?.launchers).toEqual([{ kind: 'unknown', name: 'nodes seen', terms: [], subnetIds: ['subnet-1'] }]);
  });

  test('no control-plane interface, and no unattached one', () => {
    const found = clustersOf([at(1), at(2)], { clusters: read([cluster('a', { subnetIds: ['subnet-1'] })]) }, [
      eni({ subnetId: 'subnet-1', addresses: ['10.0.1.9'], description: 'Amazon EKS a' }),
      eni({
        subnetId: 'subnet-2',
        addresses: ['10.0.2.9'],
        description: 'aws-K8S-i-1',
        status: 'available',
        tags: { 'cluster.k8s.amazonaws.com/name': 'a' },
      }),
    ]);
    expect(evidence(found.a)).toEqual({});
  });

  test('instances with its tags, where no interface was read', () => {
    const found = clustersOf([at(1)], {
      instances: read([
        instance('i-1', 'subnet-1', { 'eks:cluster-name': 'a' }),
        instance('i-2', 'subnet-1', { 'eks:cluster-name': 'gone' }, { state: 'terminated' }),
      ]),
    });
    expect(evidence(found.a)).toEqual({ 'subnet-1': ['interfaces'] });
    expect(evidence(found.gone)).toEqual({});
  });

  test('the discovery tag, in both of its forms, of the cluster’s own VPC', () => {
    const found = clustersOf(
      [
        at(1, { [DISCOVERY]: 'a' }),
        at(2, { [`${DISCOVERY}/a`]: '', [`${DISCOVERY}/b`]: '' }),
        at(3, { [DISCOVERY]: 'a' }, { vpcId: 'vpc-00000000000000002' }),
      ],
      { clusters: { state: 'absent' } },
    );
    expect(evidence(found.a)).toEqual({ 'subnet-1': ['karpenter-tag'], 'subnet-2': ['karpenter-tag'] });
    expect(evidence(found.b)).toEqual({ 'subnet-2': ['karpenter-tag'] });
  });

  test('the CNI’s tag, in the zones of its nodes', () => {
    const found = clustersOf([
      at(1, { [DISCOVERY]: 'a' }),
      at(2, { [CNI]: '1' }),
      at(3, { [CNI]: '1' }, ZONE_B),
      at(4, { [CNI]: '0' }),
    ]);
    expect(evidence(found.a)).toEqual({ 'subnet-1': ['karpenter-tag'], 'subnet-2': ['cni-tag'] });
    expect(found.a?.nodeSubnets).toEqual(new Set(['subnet-1']));
    expect(found.a?.podSubnets).toEqual(new Set(['subnet-1', 'subnet-2']));
  });

  test('no CNI tag where discovery is off, or before there was discovery', () => {
    const subnets = [at(1, { [DISCOVERY]: 'a' }), at(2, { [CNI]: '1' })];
    const withCni = (env: Record<string, string>, version?: string) =>
      evidence(clustersOf(subnets, { kubernetes: [inside({ daemonSet: read(daemonSet(env, version)) })] }).a);
    expect(Object.keys(withCni({}, 'v1.19.0'))).toEqual(['subnet-1', 'subnet-2']);
    expect(Object.keys(withCni({ ENABLE_SUBNET_DISCOVERY: 'false' }, 'v1.19.0'))).toEqual(['subnet-1']);
    expect(Object.keys(withCni({}, 'v1.17.1'))).toEqual(['subnet-1']);
  });

  test('node classes replace what tags and interfaces suggest; node groups stay', () => {
    const own = { 'cluster.k8s.amazonaws.com/name': 'a', 'node.k8s.amazonaws.com/instance_id': 'i-1' };
    const found = clustersOf(
      [at(1, { [DISCOVERY]: 'a' }), at(2, { tier: 'nodes' }), at(3), at(4)],
      {
        kubernetes: [inside({ cluster: 'a', nodeClasses: read([nodeClass('default', [term({ tier: 'nodes' })])]) })],
        nodegroups: read([nodegroup('a', ['subnet-3'])]),
      },
      [nodePrimary('subnet-4', 'i-1', own)],
    );
    expect(evidence(found.a)).toEqual({ 'subnet-2': ['node-class'], 'subnet-3': ['nodegroup'] });
    expect([...(found.a?.presence.keys() ?? [])]).toEqual(['subnet-4']);
  });

  test('the configuration replaces node classes', () => {
    const found = clustersOf(
      [at(1, { tier: 'nodes' }), at(2, { own: 'yes' })],
      { kubernetes: [inside({ cluster: 'a', nodeClasses: read([nodeClass('default', [term({ tier: 'nodes' })])]) })] },
      undefined,
      { clusters: new Map([['a', { karpenterSelectors: [term({ own: '*' })] }]]) },
    );
    expect(evidence(found.a)).toEqual({ 'subnet-2': ['configured-selector'] });
  });

  test('a CNI tag of one’s own, from the configuration', () => {
    const settings = { clusters: new Map([['a', { cniTag: 'pods/here' }]]) };
    const found = clustersOf([at(1, { [DISCOVERY]: 'a' }), at(2, { 'pods/here': '1' })], {}, undefined, settings);
    expect(evidence(found.a)['subnet-2']).toEqual(['cni-tag']);
  });

  test('custom networking: pods live where ENIConfigs say, and nowhere else', () => {
    const found = clustersOf([at(1, { [DISCOVERY]: 'a' }), at(2), at(3, { [CNI]: '1' })], {
      kubernetes: [
        inside({
          cluster: 'a',
          daemonSet: read(daemonSet({ AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: 'true' })),
          eniConfigs: read([{ name: 'us-east-1a', subnetId: 'subnet-2' }]),
        }),
      ],
    });
    expect(evidence(found.a)).toEqual({ 'subnet-1': ['karpenter-tag'], 'subnet-2': ['eni-config'] });
    expect(found.a?.nodeSubnets).toEqual(new Set(['subnet-1']));
    expect(found.a?.podSubnets).toEqual(new Set(['subnet-2']));
  });

  test('Auto Mode with a pod selector', () => {
    const auto = nodeClass('default', [term({ tier: 'nodes' })], {
      kind: 'NodeClass',
      podSubnetSelectorTerms: [term({ tier: 'pods' })],
    });
    const found = clustersOf([at(1, { tier: 'nodes' }), at(2, { tier: 'pods' }), at(3, { [CNI]: '1' })], {
      kubernetes: [inside({ cluster: 'a', nodeClasses: read([auto]) })],
    });
    expect(evidence(found.a)).toEqual({ 'subnet-1': ['node-class'], 'subnet-2': ['node-class'] });
    expect(found.a?.podSubnets).toEqual(new Set(['subnet-2']));
    expect(found.a?.cni.mode).toBe('auto');
  });
});

describe('whose the nodes and files are that name no cluster', () => {
  test('the name of the CNI goes first', () => {
    const kubernetes = [
      inside({
        daemonSet: read(daemonSet({ CLUSTER_NAME: 'from-cni' })),
        nodeClasses: read([nodeClass('default', [term({ [DISCOVERY]: 'from-selector' })])]),
      }),
    ];
    expect(Object.keys(clustersOf([at(1)], { kubernetes }))).toEqual(['from-cni']);
  });

  test('then the discovery tag of its node classes, whatever other tag the subnets have', () => {
    const kubernetes = [inside({ nodeClasses: read([nodeClass('default', [term({ [DISCOVERY]: 'new' })])]) })];
    const found = clustersOf([at(1, { [DISCOVERY]: 'old' })], { kubernetes });
    expect(Object.keys(found)).toEqual(['new', 'old']);
    expect(found.new?.kubernetes).toBeDefined();
    expect(found.old?.kubernetes).toBeUndefined();
  });

  test('then the instances of its nodes', () => {
    const kubernetes = [inside({ nodes: read([{ name: 'n', instanceId: 'i-1', labels: tags() }]) })];
    const instances = read([
      instance('i-1', 'subnet-1', { 'eks:cluster-name': 'b' }),
      instance('i-2', 'subnet-1', { 'eks:cluster-name': 'a' }),
    ]);
    const found = clustersOf([at(1)], { kubernetes, instances });
    expect(found.b?.kubernetes).toBeDefined();
    expect(found.a?.kubernetes).toBeUndefined();
  });

  test('then the only cluster that EKS knows, or the only one of any evidence', () => {
    const kubernetes = [inside({ daemonSet: read(daemonSet({})) })];
    const eks = clustersOf([at(1, { [DISCOVERY]: 'x' })], { kubernetes, clusters: read([cluster('only')]) });
    expect(eks.only?.kubernetes).toBeDefined();
    const tagged = clustersOf([at(1, { [DISCOVERY]: 'x' })], { kubernetes });
    expect(tagged.x?.kubernetes).toBeDefined();
  });

  test('else a cluster called (unnamed)', () => {
    const kubernetes = [inside({ daemonSet: read(daemonSet({})) })];
    expect(Object.keys(clustersOf([at(1)], { kubernetes }))).toEqual(['(unnamed)']);
  });

  test('CNI interfaces without a name count for the only cluster of their VPC', () => {
    const enis = [cniInterface('subnet-1', 'i-1')];
    expect(evidence(clustersOf([at(1)], { clusters: read([cluster('a')]) }, enis).a)).toEqual({
      'subnet-1': ['interfaces'],
    });
    const two = clustersOf([at(1)], { clusters: read([cluster('a'), cluster('b')]) }, enis);
    expect(evidence(two['(unnamed)'])).toEqual({ 'subnet-1': ['interfaces'] });
    const elsewhere = clustersOf([at(1)], { clusters: read([cluster('a', { vpcId: 'vpc-2' })]) }, enis);
    expect(Object.keys(elsewhere)).toEqual(['(unnamed)', 'a']);
  });

  test('and for nobody where something named already lives in the subnet', () => {
    const named = { 'cluster.k8s.amazonaws.com/name': 'a' };
    const found = clustersOf([at(1)], { clusters: read([cluster('a'), cluster('b')]) }, [
      cniInterface('subnet-1', 'i-1'),
      cniInterface('subnet-1', 'i-2', named),
    ]);
    expect(Object.keys(found)).toEqual(['a', 'b']);
  });

  test('what a listed node holds counts once', () => {
    const kubernetes = [inside({ nodes: read([{ name: 'n', instanceId: 'i-1', labels: tags() }]) })];
    const found = clustersOf([at(1)], { kubernetes }, [cniInterface('subnet-1', 'i-1')]);
    expect(found['(unnamed)']?.presence.get('subnet-1')).toMatchObject({
      podInterfaces: 1,
      secondaryIps: 2,
      prefixes: 0,
    });
  });
});

describe('which names are clusters at all', () => {
  test('a tag alone names none where EKS gave its whole list', () => {
    const subnets = [at(1, { [DISCOVERY]: 'deleted-long-ago' })];
    expect(Object.keys(clustersOf(subnets, { clusters: read([cluster('a')]) }))).toEqual(['a']);
    const denied = { state: 'unknown', value: [cluster('a')], failures: [] } as const;
    expect(Object.keys(clustersOf(subnets, { clusters: denied }))).toEqual(['a', 'deleted-long-ago']);
  });

  test('nor where another cluster’s own selector asks for that value', () => {
    const settings = { clusters: new Map([['prod', { karpenterSelectors: [term({ [DISCOVERY]: 'prod-2024' })] }]]) };
    expect(Object.keys(clustersOf([at(1, { [DISCOVERY]: 'prod-2024' })], {}, undefined, settings))).toEqual(['prod']);
  });

  test.each(['true', '1', '*', ''])('nor does a value that only says yes: %j', (value) => {
    expect(clustersOf([at(1, { [DISCOVERY]: value })])).toEqual({});
  });
});

describe('how pods get addresses', () => {
  const subnets = [at(1, { [DISCOVERY]: 'a' })];
  const prefixed = [
    eni({
      subnetId: 'subnet-1',
      addresses: ['10.0.1.9'],
      prefixes: ['10.0.1.32'],
      description: 'aws-K8S-i-1',
      tags: { 'cluster.k8s.amazonaws.com/name': 'a' },
      attachment: { instanceId: 'i-1', deviceIndex: 1 },
    }),
  ];
  const kube = (env: Record<string, string>) => ({ kubernetes: [inside({ daemonSet: read(daemonSet(env)) })] });
  const counted = nodeClass('n', [term({ [DISCOVERY]: 'a' })], { ipPrefixCount: 2 });
  test.each<[string, Partial<RegionFacts>, readonly EniRecord[] | undefined, string, string | undefined]>([
    ['the DaemonSet says prefixes', kube({ ENABLE_PREFIX_DELEGATION: 'true' }), undefined, 'prefix', 'configured'],
    [
      'the DaemonSet says none, though some are left',
      kube({ ENABLE_PREFIX_DELEGATION: 'false' }),
      prefixed,
      'secondary-ip',
      'configured',
    ],
    ['the DaemonSet says nothing', kube({}), undefined, 'secondary-ip', 'configured'],
    [
      'the add-on says prefixes',
      { addons: read([addon('a', { ENABLE_PREFIX_DELEGATION: 'true' })]) },
      undefined,
      'prefix',
      'configured',
    ],
    ['the add-on says nothing', { addons: read([addon('a')]) }, undefined, 'secondary-ip', 'configured'],
    ['the add-on says nothing, but prefixes are there', { addons: read([addon('a')]) }, prefixed, 'prefix', 'observed'],
    ['Auto Mode', { clusters: read([cluster('a', { autoMode: true })]) }, prefixed, 'auto', 'configured'],
    [
      'a node class counts prefixes',
      { kubernetes: [inside({ nodeClasses: read([counted]) })] },
      undefined,
      'prefix',
      'configured',
    ],
    ['prefixes on its interfaces', {}, prefixed, 'prefix', 'observed'],
    ['single addresses prove nothing', {}, [cniInterface('subnet-1', 'i-1')], 'unknown', undefined],
    ['nothing at all', {}, undefined, 'unknown', undefined],
  ])('%s', (_name, facts, enis, mode, source) => {
    const cni = clustersOf(subnets, facts, enis).a?.cni;
    expect([cni?.mode, cni?.modeSource]).toEqual([mode, source]);
    expect(cni?.modeEvidence).not.toBe('');
  });

  test('versions of the DaemonSet go before the add-on’s', () => {
    const facts = {
      kubernetes: [inside({ daemonSet: read(daemonSet({}, 'v1.19.3')) })],
      addons: read([addon('a', {}, 'v1.22.1-eksbuild.1')]),
    };
    expect(clustersOf(subnets, facts).a?.cni.version).toBe('1.19.3');
    expect(clustersOf(subnets, { addons: facts.addons }).a?.cni).toMatchObject({
      version: '1.22.1',
      subnetDiscovery: true,
    });
  });
});

test('instance types: those in use before those asked for, each instance once', () => {
  const found = clustersOf([at(1)], {
    instances: read([
      instance('i-1', 'subnet-1', { 'eks:cluster-name': 'a' }, { instanceType: 'c5.large' }),
      instance('i-2', 'subnet-1', { 'eks:cluster-name': 'a' }, { instanceType: 'c5.large' }),
    ]),
    kubernetes: [
      inside({
        cluster: 'a',
        nodes: read([
          { name: 'n1', instanceId: 'i-1', instanceType: 'c5.large', labels: tags() },
          { name: 'n3', instanceId: 'i-3', instanceType: 't3.medium', labels: tags() },
        ]),
      }),
    ],
    nodegroups: read([nodegroup('a', ['subnet-1'], { instanceTypes: ['m5.large', 'm5a.large'], desiredSize: 9 })]),
  });
  expect(found.a?.instanceTypes).toEqual([
    { instanceType: 'c5.large', nodes: 2 },
    { instanceType: 't3.medium', nodes: 1 },
    { instanceType: 'm5.large', nodes: 0 },
    { instanceType: 'm5a.large', nodes: 0 },
  ]);
});
