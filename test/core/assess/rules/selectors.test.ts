import { describe, expect, test } from '@jest/globals';
import {
  nodesExpireWithoutReplacement,
  podSubnetZoneMissing,
  selectorMatchesNoSubnet,
  tagValueConflict,
} from '../../../../lambdas/core/assess/rules/selectors.ts';
import type { EniRecord, RegionFacts, SubnetFacts } from '../../../../lambdas/core/subnet/snapshot.ts';
import { eni, region, subnet } from '../../../support/builders.ts';
import { contextOf } from '../../../support/case-region.ts';
import { daemonSet, inside, nodeClass, nodegroup, read, term } from '../../../support/cluster-facts.ts';

const DISCOVERY = 'karpenter.sh/discovery';
const B = { availabilityZone: 'us-east-1b', availabilityZoneId: 'use1-az2' };

function at(n: number, tags: Record<string, string> = {}, fields: Partial<SubnetFacts> = {}): SubnetFacts {
  return { ...subnet(`10.0.${n}.0/24`, { subnetId: `subnet-${n}`, tags }), ...fields };
}

function context(subnets: readonly SubnetFacts[], facts: Partial<RegionFacts>) {
  return contextOf(region(subnets, facts));
}

const selecting = (value: string, expireAfter?: string) =>
  inside({
    cluster: 'a',
    nodeClasses: read([nodeClass('default', [term({ [DISCOVERY]: value })])]),
    nodePools: read([{ name: 'pool', nodeClass: 'default', ...(expireAfter === undefined ? {} : { expireAfter }) }]),
  });

describe('a selector that matches nothing', () => {
  const subnets = [at(1, { [DISCOVERY]: 'a' })];

  test('is said once for each node class, with the tag to add', () => {
    const found = selectorMatchesNoSubnet(context(subnets, { kubernetes: [selecting('b')] }));
    expect(found).toEqual([
      expect.objectContaining({ code: 'SELECTOR_MATCHES_NO_SUBNET', cluster: 'a', severity: 'critical' }),
    ]);
    expect(found[0]?.remedy).toContain(`${DISCOVERY}=b`);
  });

  test('is not said of one that matches, nor where subnets could not be read', () => {
    expect(selectorMatchesNoSubnet(context(subnets, { kubernetes: [selecting('a')] }))).toEqual([]);
    const failures = [
      { input: 'subnets', call: 'ec2:DescribeSubnets', code: 'UnauthorizedOperation', message: 'no' },
    ] as const;
    expect(selectorMatchesNoSubnet(context(subnets, { kubernetes: [selecting('b')], failures }))).toEqual([]);
  });

  test.each([
    ['72h', '72h'],
    [undefined, '720h'],
    ['Never', undefined],
  ])('and its pool’s nodes expire: expireAfter %s', (expireAfter, said) => {
    const found = nodesExpireWithoutReplacement(context(subnets, { kubernetes: [selecting('b', expireAfter)] }));
    expect(found.map(({ evidence }) => evidence.expireAfter)).toEqual(said === undefined ? [] : [said]);
    expect(nodesExpireWithoutReplacement(context(subnets, { kubernetes: [selecting('a', expireAfter)] }))).toEqual([]);
  });
});

describe('a zone without pod subnets', () => {
  const auto = inside({
    cluster: 'a',
    nodeClasses: read([
      nodeClass('default', [term({ tier: 'nodes' })], {
        kind: 'NodeClass',
        podSubnetSelectorTerms: [term({ tier: 'pods' })],
      }),
    ]),
  });
  const nodes = [at(1, { tier: 'nodes' }), at(2, { tier: 'nodes' }, B)];
  const zones = (subnets: readonly SubnetFacts[], kubernetes = [auto], facts: Partial<RegionFacts> = {}) =>
    podSubnetZoneMissing(context(subnets, { kubernetes, ...facts })).map(({ zone, severity }) => [zone, severity]);

  test('is said where nodes may be launched', () => {
    expect(zones([...nodes, at(3, { tier: 'pods' })])).toEqual([['us-east-1b', 'critical']]);
    expect(zones([...nodes, at(3, { tier: 'pods' }), at(4, { tier: 'pods' }, B)])).toEqual([]);
  });

  test('is not said where pods have no subnets of their own', () => {
    const plain = inside({ cluster: 'a', nodeClasses: read([nodeClass('default', [term({ tier: 'nodes' })])]) });
    expect(zones(nodes, [plain])).toEqual([]);
  });

  test('is said of ENIConfigs too, where custom networking is on', () => {
    const configs = (on: string) =>
      inside({
        cluster: 'a',
        daemonSet: read(daemonSet({ AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: on })),
        eniConfigs: read([{ name: 'us-east-1a', subnetId: 'subnet-3' }]),
      });
    const groups = { nodegroups: read([nodegroup('a', ['subnet-1', 'subnet-2'])]) };
    expect(zones([...nodes, at(3)], [configs('true')], groups)).toEqual([['us-east-1b', 'critical']]);
    expect(zones([...nodes, at(3)], [configs('false')], groups)).toEqual([]);
  });

  test('is not said of a zone where interfaces stand and no node', () => {
    const owned = { 'cluster.k8s.amazonaws.com/name': 'a', 'node.k8s.amazonaws.com/instance_id': 'i-1' };
    const interfaceIn = (subnetId: string) =>
      eni({
        subnetId,
        addresses: ['10.0.3.9', '10.0.3.10'],
        description: 'aws-K8S-i-1',
        tags: owned,
        attachment: { instanceId: 'i-1', deviceIndex: 1 },
      });
    const nodeIn = (subnetId: string) =>
      eni({ subnetId, addresses: ['10.0.3.8'], tags: owned, attachment: { instanceId: 'i-1', deviceIndex: 0 } });
    const auto = inside({
      cluster: 'a',
      nodeClasses: read([
        nodeClass('default', [term('subnet-1')], { kind: 'NodeClass', podSubnetSelectorTerms: [term('subnet-1')] }),
      ]),
    });
    const facts = region([at(1), at(3, {}, B)], { kubernetes: [auto] });
    const said = (...enis: readonly EniRecord[]) =>
      podSubnetZoneMissing(contextOf(facts, enis)).map(({ zone }) => zone);
    expect(said(interfaceIn('subnet-3'))).toEqual([]);
    expect(said(nodeIn('subnet-3'))).toEqual(['us-east-1b']);
  });
});

describe('a key that already serves another cluster', () => {
  const said = (tags: Record<string, string>, groups: readonly string[] = ['subnet-1']) =>
    tagValueConflict(
      context([at(1, tags), at(2, { [DISCOVERY]: 'other' })], {
        kubernetes: [selecting('a')],
        nodegroups: read([nodegroup('a', groups)]),
      }),
    ).map(({ subnetId, evidence }) => [subnetId, evidence.current, evidence.wanted]);

  test('is said where the cluster has something in the subnet', () => {
    expect(said({ [DISCOVERY]: 'other' })).toEqual([['subnet-1', 'other', 'a']]);
  });

  test('is not said of its own value, of a value that serves nobody, of no tag, and where it has nothing', () => {
    expect(said({ [DISCOVERY]: 'a' })).toEqual([]);
    expect(said({ [DISCOVERY]: 'true' })).toEqual([]);
    expect(said({})).toEqual([]);
    expect(said({ [DISCOVERY]: 'other' }, [])).toEqual([]);
  });
});
