import { describe, expect, test } from '@jest/globals';
import { cniBoundToExhaustedSubnet } from '../../../../lambdas/core/assess/rules/cni-choice.ts';
import type { EniRecord, KubernetesFacts, RegionFacts, SubnetFacts } from '../../../../lambdas/core/subnet/snapshot.ts';
import { eni, region, subnet } from '../../../support/builders.ts';
import { contextOf } from '../../../support/case-region.ts';
import { cluster, daemonSet, inside, instance, read } from '../../../support/cluster-facts.ts';

const CNI = 'kubernetes.io/role/cni';

/** A /25 with an address in each of its six inner blocks: 117 available, not one prefix. */
const FRAGMENTED = subnet('10.0.1.0/25', { subnetId: 'subnet-1', availableIps: 117 });
const SCATTER = eni({
  subnetId: 'subnet-1',
  addresses: Array.from({ length: 6 }, (_, block) => `10.0.1.${16 * (block + 1) + 3}`),
});
const opened = (fields: Partial<SubnetFacts> = {}): SubnetFacts => ({
  ...subnet('10.0.2.0/25', { subnetId: 'subnet-2', tags: { [CNI]: '1' } }),
  ...fields,
});

function said(
  subnets: readonly SubnetFacts[],
  kubernetes: Partial<KubernetesFacts>,
  { enis = [SCATTER], facts = {} }: { enis?: readonly EniRecord[]; facts?: Partial<RegionFacts> } = {},
) {
  const context = contextOf(
    region(subnets, {
      kubernetes: [inside({ cluster: 'a', ...kubernetes })],
      instances: read([instance('i-1', 'subnet-1', { 'eks:cluster-name': 'a' })]),
      ...facts,
    }),
    enis,
  );
  return cniBoundToExhaustedSubnet(context).map(({ subnetId, severity, evidence }) => [
    subnetId,
    severity,
    evidence.shouldPick,
  ]);
}

const settings = (env: Record<string, string>, version = 'v1.22.1') => ({
  daemonSet: read(daemonSet({ ENABLE_PREFIX_DELEGATION: 'true', ...env }, version)),
});
const OFF = settings({ ENABLE_SUBNET_DISCOVERY: 'false' });
const FOUND = [['subnet-1', 'critical', 'subnet-2']];

describe('subnet discovery is off', () => {
  test('and the node’s own subnet has no prefix, while a tagged one has', () => {
    expect(said([FRAGMENTED, opened()], OFF)).toEqual(FOUND);
    expect(said([FRAGMENTED, opened()], settings({}, 'v1.17.1'))).toEqual(FOUND);
  });

  test('single addresses: only where not one is left', () => {
    const single = { daemonSet: read(daemonSet({ ENABLE_SUBNET_DISCOVERY: 'false' }, 'v1.22.1')) };
    expect(said([FRAGMENTED, opened()], single)).toEqual([]);
    expect(said([{ ...FRAGMENTED, availableIps: 0 }, opened()], single)).toEqual(FOUND);
    // The interface takes one address, the pod another.
    expect(said([{ ...FRAGMENTED, availableIps: 0 }, opened({ availableIps: 1 })], single)).toEqual([]);
  });

  test.each<readonly [string, readonly SubnetFacts[]]>([
    ['the subnet has a prefix', [opened({ subnetId: 'subnet-1', tags: new Map() }), opened()]],
    ['no other', [FRAGMENTED]],
    ['an untagged one', [FRAGMENTED, opened({ tags: new Map() })]],
    ['one that is opted out', [FRAGMENTED, opened({ tags: new Map([[CNI, '0']]) })]],
    ['another zone', [FRAGMENTED, opened({ availabilityZone: 'us-east-1b', availabilityZoneId: 'use1-az2' })]],
    ['another VPC', [FRAGMENTED, opened({ vpcId: 'vpc-2' })]],
    ['one whose room is in doubt', [FRAGMENTED, opened({ availableIps: 123 - 6 })]],
  ])('nothing is said: %s', (_why, subnets) => {
    const enis = subnets[0] === FRAGMENTED ? [SCATTER] : [];
    expect(said(subnets, OFF, { enis })).toEqual([]);
  });
});

test('with discovery on, or of an unknown version, it goes on by itself', () => {
  expect(said([FRAGMENTED, opened()], settings({}))).toEqual([]);
  expect(said([FRAGMENTED, opened()], { daemonSet: read(daemonSet({ ENABLE_PREFIX_DELEGATION: 'true' })) })).toEqual(
    [],
  );
});

test('an IPv6 cluster takes nothing of the subnet', () => {
  const facts = { clusters: read([cluster('a', { ipFamily: 'ipv6' })]) };
  expect(said([FRAGMENTED, opened()], OFF, { facts })).toEqual([]);
});

describe('custom networking', () => {
  const custom = settings({ AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: 'true' });
  const named = (...ids: string[]) => ({
    ...custom,
    eniConfigs: read(ids.map((subnetId) => ({ name: subnetId, subnetId }))),
  });

  test('the ENIConfig’s subnet decides, whatever another’s tag says', () => {
    expect(said([FRAGMENTED, opened()], named('subnet-1'))).toEqual(FOUND);
    expect(said([FRAGMENTED, opened()], named('subnet-2'))).toEqual([]);
  });

  test('of two in a zone nobody knows which is picked', () => {
    expect(said([FRAGMENTED, opened()], named('subnet-1', 'subnet-2'))).toEqual([]);
  });
});
