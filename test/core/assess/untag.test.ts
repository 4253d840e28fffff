import { describe, expect, test } from '@jest/globals';
import { untagEffect } from '../../../lambdas/core/assess/untag.ts';
import { region, subnet, tags } from '../../support/builders.ts';
import { caseContext, contextOf } from '../../support/case-region.ts';
import { daemonSet, inside, instance, M5_LARGE, nodeClass, read, term } from '../../support/cluster-facts.ts';

const DISCOVERY = 'karpenter.sh/discovery';
const nodeOf = (instanceId: string, labels: Record<string, string>) => ({
  name: `node-${instanceId}`,
  instanceId,
  labels: tags(labels),
});
const KARPENTER = { 'karpenter.k8s.aws/ec2nodeclass': 'default' };

test('four nodes drift, the two that select the subnet by id do not', () => {
  const effect = untagEffect(caseContext('c12'), 'subnet-00120000000000001');
  expect(effect).toMatchObject({
    keys: [DISCOVERY],
    replaced: 4,
    nodeClasses: [
      { nodeClass: 'default', stillSelected: false, selectedAfter: 2, replaced: 4 },
      { nodeClass: 'pinned', stillSelected: true, selectedAfter: 1, replaced: 0 },
    ],
    findings: [
      {
        code: 'ACTION_CAUSES_DRIFT',
        subnetId: 'subnet-00120000000000001',
        observed: 4,
        evidence: { action: 'untag', nodes: 4 },
      },
    ],
  });
  expect(effect?.nodeClasses[1]?.nodes).toHaveLength(2);
});

describe('the effect of taking a tag away', () => {
  const subnets = [
    subnet('10.0.0.0/24', { subnetId: 'subnet-1', tags: { [DISCOVERY]: 'a' } }),
    subnet('10.0.1.0/24', { subnetId: 'subnet-2', tags: { [DISCOVERY]: 'a' } }),
    subnet('10.0.2.0/24', { subnetId: 'subnet-3' }),
  ];
  const kubernetes = (terms = [term({ [DISCOVERY]: 'a' })]) => [
    inside({ cluster: 'a', nodeClasses: read([nodeClass('default', terms)]) }),
  ];

  test('is nothing in a subnet without nodes', () => {
    const context = contextOf(region(subnets, { kubernetes: kubernetes(), instances: read([]) }));
    expect(untagEffect(context, 'subnet-2')).toMatchObject({ replaced: 0, findings: [] });
  });

  test('is nothing in a subnet that no selector finds', () => {
    const context = contextOf(region(subnets, { kubernetes: kubernetes() }));
    expect(untagEffect(context, 'subnet-3')).toEqual({
      subnetId: 'subnet-3',
      keys: [],
      nodeClasses: [],
      replaced: 0,
      findings: [],
    });
  });

  test('is not known where instances were not read', () => {
    const context = contextOf(region(subnets, { kubernetes: kubernetes() }));
    const effect = untagEffect(context, 'subnet-1');
    expect(effect?.replaced).toBeNull();
    expect(effect?.findings[0]).toMatchObject({ observed: null, evidence: { nodes: null } });
  });

  test('of the last subnet: nothing drifts, and nothing launches any more', () => {
    const one = subnets.slice(0, 1);
    const instances = read([instance('i-1', 'subnet-1', KARPENTER)]);
    const effect = untagEffect(contextOf(region(one, { kubernetes: kubernetes(), instances })), 'subnet-1');
    expect(effect).toMatchObject({ replaced: 0, nodeClasses: [{ selectedAfter: 0, replaced: 0 }] });
    expect(effect?.findings[0]?.evidence.nodeClassesLeftWithoutSubnet).toEqual(['default']);
  });

  test('keeps a node class that finds the subnet by another tag', () => {
    const both = [
      { ...(subnets[0] as (typeof subnets)[0]), tags: tags({ [DISCOVERY]: 'a', tier: 'nodes' }) },
      subnets[1] as (typeof subnets)[0],
    ];
    const terms = [term({ [DISCOVERY]: 'a' }), term('subnet-1')];
    const instances = read([instance('i-1', 'subnet-1', KARPENTER)]);
    const effect = untagEffect(contextOf(region(both, { kubernetes: kubernetes(terms), instances })), 'subnet-1');
    expect(effect).toMatchObject({ replaced: 0, nodeClasses: [{ stillSelected: true }], findings: [] });
  });

  test.each<[string, readonly Record<string, string>[], readonly string[]]>([
    ['one key of a term', [{ [DISCOVERY]: 'a', Name: 'x', tier: 'nodes' }], [DISCOVERY]],
    ['the first by name, where none is Karpenter’s', [{ tier: 'nodes', Name: 'x' }], ['Name']],
    ['one that two terms share', [{ [DISCOVERY]: 'a', tier: 'nodes' }, { tier: 'nodes' }], ['tier']],
    ['one of each that share none', [{ [DISCOVERY]: 'a' }, { Name: 'x', tier: 'nodes' }], ['Name', DISCOVERY]],
    ['none of a term that does not find it', [{ [DISCOVERY]: 'a' }, { Name: 'y' }], [DISCOVERY]],
  ])('takes no more keys than it must: %s', (_, terms, keys) => {
    const [first, second] = subnets as [(typeof subnets)[0], (typeof subnets)[0]];
    const all = [{ ...first, tags: tags({ [DISCOVERY]: 'a', Name: 'x', tier: 'nodes' }) }, second];
    const own = [...terms.map((one) => term(one)), term('subnet-2')];
    const instances = read([instance('i-1', 'subnet-1', KARPENTER)]);
    const effect = untagEffect(contextOf(region(all, { kubernetes: kubernetes(own), instances })), 'subnet-1');
    expect(effect).toMatchObject({ keys, replaced: 1, nodeClasses: [{ stillSelected: false }] });
  });

  test('does not count nodes that are ending, nor those of a node group', () => {
    const instances = read([
      instance('i-1', 'subnet-1', KARPENTER, { state: 'terminated' }),
      instance('i-2', 'subnet-1', KARPENTER, { state: 'shutting-down' }),
      instance('i-3', 'subnet-1', KARPENTER, { state: 'stopped' }),
      instance('i-4', 'subnet-1', { 'eks:nodegroup-name': 'nodes', 'eks:cluster-name': 'a' }),
      instance('i-5', 'subnet-2', KARPENTER),
    ]);
    const inCluster = [
      inside({
        cluster: 'a',
        nodeClasses: read([nodeClass('default', [term({ [DISCOVERY]: 'a' })])]),
        // The API server still lists a node whose instance is on its way out.
        nodes: read(['i-1', 'i-2', 'i-3', 'i-4', 'i-5'].map((id) => nodeOf(id, id < 'i-3' ? KARPENTER : {}))),
      }),
    ];
    const effect = untagEffect(contextOf(region(subnets, { kubernetes: inCluster, instances })), 'subnet-1');
    expect(effect).toMatchObject({ replaced: 1, nodeClasses: [{ nodes: ['i-3'] }] });
  });

  test.each<[string, Record<string, string>, Record<string, string>]>([
    ['the tag of its instance', { 'eks:kubernetes-node-class-name': 'default' }, {}],
    ['the label of its node', {}, { 'eks.amazonaws.com/nodeclass': 'default' }],
    ['its node pool', { 'eks:kubernetes-node-pool-name': 'general' }, {}],
  ])('counts a node of Auto Mode by %s', (_, owned, labels) => {
    const inCluster = [
      inside({
        cluster: 'a',
        nodeClasses: read(
          ['default', 'other'].map((name) => nodeClass(name, [term({ [DISCOVERY]: 'a' })], { kind: 'NodeClass' })),
        ),
        nodePools: read([{ name: 'general', nodeClass: 'default' }]),
        nodes: read([nodeOf('i-1', labels)]),
      }),
    ];
    const instances = read([instance('i-1', 'subnet-1', { ...owned, 'eks:eks-cluster-name': 'a' })]);
    const effect = untagEffect(contextOf(region(subnets, { kubernetes: inCluster, instances })), 'subnet-1');
    expect(effect).toMatchObject({
      replaced: 1,
      nodeClasses: [
        { nodeClass: 'default', replaced: 1, nodes: ['i-1'] },
        { nodeClass: 'other', replaced: 0, nodes: [] },
      ],
    });
  });

  test('stands for every node class where the selector is known by the tag alone', () => {
    const owned = { 'kubernetes.io/cluster/a': 'owned' };
    const instances = read([
      instance('i-1', 'subnet-1', { ...owned, 'karpenter.k8s.aws/ec2nodeclass': 'one' }),
      instance('i-2', 'subnet-1', { ...owned, 'karpenter.k8s.aws/ec2nodeclass': 'two' }),
    ]);
    const effect = untagEffect(contextOf(region(subnets, { instances })), 'subnet-1');
    expect(effect).toMatchObject({ replaced: 2, nodeClasses: [{ nodeClass: 'tags', nodes: ['i-1', 'i-2'] }] });
  });

  test('a node class keeps what it selects by id, whether its nodes were read or not', () => {
    const terms = [term({ [DISCOVERY]: 'a' }), term('subnet-1')];
    const effect = untagEffect(contextOf(region(subnets, { kubernetes: kubernetes(terms) })), 'subnet-1');
    expect(effect).toMatchObject({ replaced: 0, nodeClasses: [{ nodes: null, replaced: 0 }], findings: [] });
  });

  test('node classes of one name in two clusters have each their own nodes', () => {
    const shared = subnets.map((one) => ({ ...one, tags: tags({ tier: 'nodes' }) }));
    const inClusters = ['a', 'b'].map((cluster) =>
      inside({ cluster, nodeClasses: read([nodeClass('default', [term({ tier: 'nodes' })])]) }),
    );
    const of = (cluster: string) => ({ ...KARPENTER, [`kubernetes.io/cluster/${cluster}`]: 'owned' });
    const instances = read([instance('i-1', 'subnet-1', of('a')), instance('i-2', 'subnet-1', of('b'))]);
    expect(untagEffect(contextOf(region(shared, { kubernetes: inClusters, instances })), 'subnet-1')).toMatchObject({
      replaced: 2,
      nodeClasses: [
        { cluster: 'a', nodes: ['i-1'] },
        { cluster: 'b', nodes: ['i-2'] },
      ],
    });
  });

  test('counts once a node of which nothing tells the node class', () => {
    const inCluster = [
      inside({
        cluster: 'a',
        nodeClasses: read(['one', 'two'].map((name) => nodeClass(name, [term({ [DISCOVERY]: 'a' })]))),
      }),
    ];
    const instances = read([
      instance('i-1', 'subnet-1', { 'karpenter.sh/nodepool': 'general', 'kubernetes.io/cluster/a': 'owned' }),
    ]);
    const effect = untagEffect(contextOf(region(subnets, { kubernetes: inCluster, instances })), 'subnet-1');
    expect(effect).toMatchObject({ replaced: 1, nodeClasses: [{ nodes: ['i-1'] }, { nodes: ['i-1'] }] });
  });

  describe('where the selector may mean subnets that are not among the facts', () => {
    const instances = read([instance('i-1', 'subnet-1', KARPENTER)]);
    const one = subnets.slice(0, 1);
    const effectIn = (facts: Parameters<typeof region>[1]) =>
      untagEffect(contextOf(region(one, { kubernetes: kubernetes(), instances, ...facts })), 'subnet-1');

    test('one that the configuration leaves out is selected all the same: the nodes drift', () => {
      expect(effectIn({ excluded: subnets.slice(1) })).toMatchObject({
        replaced: 1,
        nodeClasses: [{ selectedAfter: 1 }],
      });
      const elsewhere = subnets.slice(1).map((subnet) => ({ ...subnet, vpcId: 'vpc-00000000000000002' }));
      expect(effectIn({ excluded: elsewhere })).toMatchObject({ replaced: 0, nodeClasses: [{ selectedAfter: 0 }] });
    });

    test('in a reading of single subnets nothing is known', () => {
      const scope = { vpcIds: [], subnetIds: ['subnet-1'] };
      expect(effectIn({ scope })).toMatchObject({
        replaced: null,
        nodeClasses: [{ selectedAfter: null, nodes: ['i-1'] }],
        findings: [{ observed: null }],
      });
      expect(effectIn({ scope })?.findings[0]?.evidence).not.toHaveProperty('nodeClassesLeftWithoutSubnet');
    });

    test('without a node there is nothing to replace, whatever else is selected', () => {
      const scope = { vpcIds: [], subnetIds: ['subnet-1'] };
      expect(effectIn({ scope, instances: read([]) })).toMatchObject({ replaced: 0, findings: [] });
    });

    test('in a reading of the whole VPC everything is', () => {
      const scope = { vpcIds: ['vpc-00000000000000001'], subnetIds: [] };
      expect(effectIn({ scope })).toMatchObject({ replaced: 0, nodeClasses: [{ selectedAfter: 0 }] });
    });
  });

  test('says which node class is left without a subnet', () => {
    const instances = read([instance('i-1', 'subnet-1', KARPENTER)]);
    const effect = untagEffect(
      contextOf(region(subnets.slice(0, 1), { kubernetes: kubernetes(), instances })),
      'subnet-1',
    );
    expect(effect?.findings[0]?.message).toBe(
      'Taking karpenter.sh/discovery off subnet-1 makes Karpenter replace 0 nodes and leaves default without a subnet, where nothing launches any more.',
    );
  });

  test('adds up what new nodes need by the cluster that each is of', () => {
    const shared = subnets.map((one) => ({ ...one, tags: tags({ tier: 'nodes' }) }));
    const facts = region(shared, {
      kubernetes: ['a', 'b'].map((cluster) =>
        inside({
          cluster,
          nodeClasses: read([nodeClass(cluster, [term({ tier: 'nodes' })])]),
          daemonSet: read(daemonSet(cluster === 'a' ? {} : { ENABLE_PREFIX_DELEGATION: 'true' })),
        }),
      ),
      instanceTypes: read([M5_LARGE]),
      instances: read([
        instance('i-1', 'subnet-1', { 'karpenter.k8s.aws/ec2nodeclass': 'a', 'kubernetes.io/cluster/a': 'owned' }),
        instance('i-2', 'subnet-1', { 'karpenter.k8s.aws/ec2nodeclass': 'b', 'kubernetes.io/cluster/b': 'owned' }),
        instance('i-3', 'subnet-1', { 'karpenter.k8s.aws/ec2nodeclass': 'b', 'kubernetes.io/cluster/b': 'owned' }),
      ]),
    });
    const effect = untagEffect(contextOf(facts), 'subnet-1');
    expect(effect).toMatchObject({ keys: ['tier'], replaced: 3 });
    // 10 addresses for a node of a; one and a prefix for each of b.
    expect(effect?.findings[0]?.evidence.addressesNeededElsewhere).toBe(10 + 2 * 17);
  });

  test('an empty id beside tags is none', () => {
    const terms = [{ ...term({ [DISCOVERY]: 'a' }), id: '' }];
    const context = contextOf(region(subnets, { kubernetes: kubernetes(terms), instances: read([]) }));
    expect(untagEffect(context, 'subnet-1')).toMatchObject({
      keys: [DISCOVERY],
      nodeClasses: [{ stillSelected: false, selectedAfter: 1 }],
    });
  });

  test('is unknown to a subnet that nobody knows', () => {
    expect(untagEffect(contextOf(region(subnets)), 'subnet-9')).toBeUndefined();
  });
});
