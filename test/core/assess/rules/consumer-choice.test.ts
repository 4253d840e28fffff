import { describe, expect, test } from '@jest/globals';
import {
  prefersExhaustedSubnet,
  versionDependentChoice,
  zoneBlockedByOneSubnet,
} from '../../../../lambdas/core/assess/rules/consumer-choice.ts';
import type { EniRecord, SubnetFacts } from '../../../../lambdas/core/subnet/snapshot.ts';
import { eni, region, subnet } from '../../../support/builders.ts';
import { contextOf } from '../../../support/case-region.ts';
import {
  daemonSet,
  inside,
  instance,
  M5_LARGE,
  nodeClass,
  nodegroup,
  read,
  term,
} from '../../../support/cluster-facts.ts';

const DISCOVERY = 'karpenter.sh/discovery';
const CNI = 'kubernetes.io/role/cni';
const B = { availabilityZone: 'us-east-1b', availabilityZoneId: 'use1-az2' };

function at(n: number, availableIps: number, fields: Partial<SubnetFacts> = {}): SubnetFacts {
  return {
    ...subnet(`10.0.${n}.0/24`, { subnetId: `subnet-${n}`, availableIps, tags: { [DISCOVERY]: 'a' } }),
    ...fields,
  };
}

describe('Karpenter prefers a subnet that cannot serve', () => {
  const prefix = inside({ cluster: 'a', daemonSet: read(daemonSet({ ENABLE_PREFIX_DELEGATION: 'true' })) });
  const said = (subnets: readonly SubnetFacts[], kubernetes = [prefix], enis: readonly EniRecord[] = []) =>
    prefersExhaustedSubnet(contextOf(region(subnets, { kubernetes }), enis)).map(({ evidence }) => [
      evidence.picked,
      evidence.shouldPick,
    ]);
  /** A /27 is two edge blocks: 27 addresses and never a prefix. */
  const noPrefix = subnet('10.1.0.0/27', { subnetId: 'subnet-27', availableIps: 27, tags: { [DISCOVERY]: 'a' } });

  /** A /24 with an address in each of its 14 inner blocks: 237 available, not one prefix. */
  const scattered = Array.from({ length: 14 }, (_, block) => `10.2.0.${16 * (block + 1) + 3}`);
  const fragmented = subnet('10.2.0.0/24', {
    subnetId: 'subnet-f',
    availableIps: 251 - scattered.length,
    tags: { [DISCOVERY]: 'a' },
  });
  const holders = [eni({ subnetId: 'subnet-f', addresses: scattered })];
  const roomy = subnet('10.3.0.0/25', { subnetId: 'subnet-r', tags: { [DISCOVERY]: 'a' } });

  test('fires where another could', () => {
    expect(said([fragmented, roomy], [prefix], holders)).toEqual([['subnet-f', 'subnet-r']]);
  });

  test('not where addresses that nobody shows may hold the other’s prefixes', () => {
    const doubtful = { ...roomy, availableIps: roomy.availableIps - 6 };
    expect(said([fragmented, doubtful], [prefix], holders)).toEqual([]);
  });

  test('not where the pick serves, nor where no other could', () => {
    expect(said([at(1, 251), at(2, 251)])).toEqual([]);
    expect(said([noPrefix])).toEqual([]);
  });

  test('not across zones', () => {
    expect(said([noPrefix, at(1, 251, B)])).toEqual([]);
  });

  test('not for a node group, which does not rank', () => {
    const subnets = [at(1, 9, { tags: new Map() }), at(2, 8, { tags: new Map() })];
    const facts = region(subnets, {
      nodegroups: read([nodegroup('a', ['subnet-1', 'subnet-2'])]),
      kubernetes: [inside({ cluster: 'a', daemonSet: read(daemonSet({})) })],
      instanceTypes: read([M5_LARGE]),
    });
    expect(prefersExhaustedSubnet(contextOf(facts))).toEqual([]);
  });

  test('once for a subnet that two node classes pick', () => {
    const classes = ['x', 'y'].map((name) => nodeClass(name, [term({ [DISCOVERY]: 'a' })]));
    const kubernetes = [{ ...prefix, nodeClasses: read(classes) }];
    expect(said([fragmented, roomy], kubernetes, holders)).toEqual([['subnet-f', 'subnet-r']]);
  });
});

describe('a zone blocked by one subnet', () => {
  const said = (full: number, roomy: number, fields: Partial<SubnetFacts> = {}) => {
    const classes = [nodeClass('pinned', [term('subnet-1')]), nodeClass('other', [term('subnet-2')])];
    const kubernetes = [inside({ cluster: 'a', nodeClasses: read(classes) })];
    return zoneBlockedByOneSubnet(contextOf(region([at(1, full), at(2, roomy, fields)], { kubernetes }))).map(
      ({ subnetId, severity, evidence }) => [subnetId, severity, evidence.blocked],
    );
  };

  test('fires where one selector’s pick is empty and another’s is not', () => {
    expect(said(0, 5)).toEqual([['subnet-1', 'warning', 'subnet-2']]);
  });

  test('not while the first has an address, nor where both are empty, nor across zones', () => {
    expect(said(1, 5)).toEqual([]);
    expect(said(0, 0)).toEqual([]);
    expect(said(0, 5, B)).toEqual([]);
  });
});

describe('a choice that depends on the version of the CNI', () => {
  const node = at(1, 10);
  const said = (other: SubnetFacts, env: Record<string, string> = {}, version?: string) => {
    const kubernetes = [inside({ cluster: 'a', daemonSet: read(daemonSet(env, version)) })];
    const instances = read([instance('i-1', 'subnet-1', { 'eks:cluster-name': 'a' })]);
    return versionDependentChoice(contextOf(region([node, other], { kubernetes, instances }))).map(({ evidence }) => [
      evidence.pickByKeyOnly,
      evidence.pickByValueAndCluster,
    ]);
  };
  const optedOut = at(2, 100, { tags: new Map([[CNI, '0']]) });

  test('both picks are given where they differ and nobody said the version', () => {
    expect(said(optedOut)).toEqual([['subnet-2', 'subnet-1']]);
  });

  test('of nodes, not of what other interfaces stand in a subnet', () => {
    const pod = eni({
      subnetId: 'subnet-1',
      addresses: ['10.0.1.9', '10.0.1.10'],
      description: 'aws-K8S-i-1',
      tags: { 'cluster.k8s.amazonaws.com/name': 'a' },
      attachment: { instanceId: 'i-1', deviceIndex: 1 },
    });
    const selected = inside({
      cluster: 'a',
      daemonSet: read(daemonSet({})),
      nodeClasses: read([nodeClass('default', [term('subnet-3')])]),
    });
    const facts = region([node, optedOut, at(3, 100, B)], { kubernetes: [selected] });
    expect(versionDependentChoice(contextOf(facts, [pod]))).toEqual([]);
  });

  test('nothing where they agree, the version is known, or discovery is off', () => {
    expect(said(at(2, 100, { tags: new Map([[CNI, '1']]) }))).toEqual([]);
    expect(said(at(2, 9, { tags: new Map([[CNI, '0']]) }))).toEqual([]);
    expect(said(optedOut, {}, 'v1.20.0')).toEqual([]);
    expect(said(optedOut, { ENABLE_SUBNET_DISCOVERY: 'false' })).toEqual([]);
    expect(said(optedOut, { AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: 'true' })).toEqual([]);
  });
});
