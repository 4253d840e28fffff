import { describe, expect, test } from '@jest/globals';
import { eni } from '../../support/builders.ts';
import { cluster, daemonSet, inside, instance, nodeClass, nodegroup, read, term } from '../../support/cluster-facts.ts';
import { at, CNI, clustersOf, cniInterface, DISCOVERY, evidence, nodePrimary, ZONE_B } from './clusters-of.ts';

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
