import { describe, expect, test } from '@jest/globals';
import { tags } from '../../support/builders.ts';
import { cluster, daemonSet, inside, instance, nodeClass, read, term } from '../../support/cluster-facts.ts';
import { at, clustersOf, cniInterface, DISCOVERY, evidence } from './clusters-of.ts';

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
