import { describe, expect, test } from '@jest/globals';
import { zoneRoom } from '../../../../lambdas/core/assess/rules/zone-room.ts';
import type { AssessSettings } from '../../../../lambdas/core/assess/settings.ts';
import { region, subnet } from '../../../support/builders.ts';
import { contextOf } from '../../../support/case-region.ts';
import { addon, daemonSet, inside, M5_LARGE, nodegroup, read } from '../../../support/cluster-facts.ts';

function said(counts: readonly number[], settings: AssessSettings = {}) {
  const subnets = counts.map((availableIps, at) =>
    subnet(`10.0.${at}.0/24`, { subnetId: `subnet-${at}`, availableIps }),
  );
  const facts = region(subnets, {
    nodegroups: read([
      nodegroup(
        'a',
        subnets.map(({ subnetId }) => subnetId),
      ),
    ]),
    addons: read([addon('a')]),
    instanceTypes: read([M5_LARGE]),
  });
  return zoneRoom(contextOf(facts, undefined, settings)).map(({ code, observed, severity }) => [
    code,
    observed,
    severity,
  ]);
}

/** Custom networking: the pods of cluster a live in this subnet. */
const podsIn = (subnetId: string) =>
  inside({
    cluster: 'a',
    daemonSet: read(daemonSet({ AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: 'true' })),
    eniConfigs: read([{ name: 'us-east-1a', subnetId }]),
  });

describe('the room of a zone (m5.large: 10 addresses a node)', () => {
  test.each<[readonly number[], readonly unknown[]]>([
    [[0], [['ZONE_EXHAUSTED', 0, 'critical']]],
    [[9], [['ZONE_EXHAUSTED', 0, 'critical']]],
    [[9, 9], [['ZONE_EXHAUSTED', 0, 'critical']]],
    [[10], [['ZONE_LOW', 1, 'warning']]],
    [[9, 29], [['ZONE_LOW', 2, 'warning']]],
    [[15, 15], [['ZONE_LOW', 2, 'warning']]],
    [[30], []],
    [[0, 30], []],
  ])('%j', (counts, findings) => {
    expect(said(counts)).toEqual(findings);
  });

  test('by a threshold of the cluster or the zone', () => {
    expect(said([30], { clusters: new Map([['a', { thresholds: { zoneLowNodes: 4 } }]]) })).toEqual([
      ['ZONE_LOW', 3, 'warning'],
    ]);
    expect(said([10], { zoneThresholds: new Map([['use1-az1', { zoneLowNodes: 0 }]]) })).toEqual([]);
  });

  test('says nothing where a node’s need is not known, unless no node can launch at all', () => {
    const unknown = (availableIps: number) =>
      zoneRoom(
        contextOf(
          region([subnet('10.0.0.0/24', { subnetId: 'subnet-0', availableIps })], {
            nodegroups: read([nodegroup('a', ['subnet-0'])]),
          }),
        ),
      ).map(({ code }) => code);
    expect(unknown(1)).toEqual([]);
    expect(unknown(0)).toEqual(['ZONE_EXHAUSTED']);
  });

  test('counts pod subnets where pods have their own', () => {
    const facts = (podIps: number) =>
      region(
        [
          subnet('10.0.0.0/24', { subnetId: 'subnet-nodes', availableIps: 200 }),
          subnet('100.64.0.0/24', { subnetId: 'subnet-pods', availableIps: podIps }),
        ],
        {
          nodegroups: read([nodegroup('a', ['subnet-nodes'])]),
          instanceTypes: read([M5_LARGE]),
          kubernetes: [podsIn('subnet-pods')],
        },
      );
    const codes = (podIps: number) => zoneRoom(contextOf(facts(podIps))).map(({ code }) => code);
    expect(codes(9)).toEqual(['ZONE_EXHAUSTED']);
    expect(codes(29)).toEqual(['ZONE_LOW']);
    expect(codes(30)).toEqual([]);
  });

  test('counts a node and its pods together where an ENIConfig names the subnet of the nodes', () => {
    const codes = (availableIps: number) =>
      zoneRoom(
        contextOf(
          region([subnet('10.0.0.0/24', { subnetId: 'subnet-both', availableIps })], {
            nodegroups: read([nodegroup('a', ['subnet-both'])]),
            instanceTypes: read([M5_LARGE]),
            kubernetes: [podsIn('subnet-both')],
          }),
        ),
      ).map(({ code }) => code);
    // One address for the node itself, ten for the interface of its pods.
    expect(codes(10)).toEqual(['ZONE_EXHAUSTED']);
    expect(codes(11)).toEqual(['ZONE_LOW']);
    expect(codes(32)).toEqual(['ZONE_LOW']);
    expect(codes(33)).toEqual([]);
  });
});

test('a subnet that some of the nodes and some of the pods share is not counted for both', () => {
  const codes = (nodes: number, both: number) => {
    const facts = region(
      [
        subnet('10.0.0.0/24', { subnetId: 'subnet-nodes', availableIps: nodes }),
        subnet('10.0.1.0/24', { subnetId: 'subnet-both', availableIps: both }),
      ],
      {
        nodegroups: read([nodegroup('a', ['subnet-nodes', 'subnet-both'])]),
        instanceTypes: read([M5_LARGE]),
        kubernetes: [podsIn('subnet-both')],
      },
    );
    return zoneRoom(contextOf(facts)).map(({ code, observed, evidence }) => [code, observed, evidence.nodeHeadroom]);
  };
  // Three nodes want three addresses and three times ten of the shared subnet, or a node of the other one.
  expect(codes(0, 32)).toEqual([['ZONE_LOW', 2, 2]]);
  expect(codes(0, 33)).toEqual([]);
  expect(codes(3, 29)).toEqual([['ZONE_LOW', 2, 2]]);
  expect(codes(3, 30)).toEqual([]);
  // Ten addresses for the pods of one node; whether the node comes up is for the launcher's pick to say.
  expect(codes(1, 10)).toEqual([['ZONE_LOW', 1, 0]]);
});

describe('the room of a zone where hidden addresses leave a range', () => {
  /** An empty /24 in prefix mode (one address and one /28 a node), of which EC2 counts `hidden` addresses as taken. */
  const found = (hidden: number) => {
    const facts = region([subnet('10.0.0.0/24', { subnetId: 'subnet-0', availableIps: 251 - hidden })], {
      nodegroups: read([nodegroup('a', ['subnet-0'])]),
      addons: read([addon('a', { ENABLE_PREFIX_DELEGATION: 'true' })]),
      instanceTypes: read([M5_LARGE]),
      reservations: read([]),
    });
    return zoneRoom(contextOf(facts, []));
  };

  test('is low by the worse end, and not exhausted while the better end has some', () => {
    // 14 /28s, each of which 14 hidden addresses may break; 237 addresses may be 13 nodes of 17.
    const [low, ...others] = found(14);
    expect(others).toEqual([]);
    expect(low).toMatchObject({ code: 'ZONE_LOW', severity: 'warning', observed: 0, threshold: 3 });
    expect(low?.message).toContain('Cluster a can take between 0 and 13 more nodes in us-east-1a: 1 subnet with 237');
  });

  test('is not low where the worse end suffices', () => {
    expect(found(11)).toEqual([]);
    expect(found(12)[0]?.message).toContain('between 2 and');
  });

  test('is exhausted once the better end has none', () => {
    expect(found(251 - 17)[0]?.message).toContain('between 0 and 1 more node in');
    expect(found(251 - 16)).toMatchObject([{ code: 'ZONE_EXHAUSTED', observed: 0, threshold: 0 }]);
    expect(found(251 - 16)[0]?.message).toContain('can take no more node in');
  });
});
