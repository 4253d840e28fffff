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
          kubernetes: [
            inside({
              cluster: 'a',
              daemonSet: read(daemonSet({ AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: 'true' })),
              eniConfigs: read([{ name: 'us-east-1a', subnetId: 'subnet-pods' }]),
            }),
          ],
        },
      );
    const codes = (podIps: number) => zoneRoom(contextOf(facts(podIps))).map(({ code }) => code);
    expect(codes(9)).toEqual(['ZONE_EXHAUSTED']);
    expect(codes(29)).toEqual(['ZONE_LOW']);
    expect(codes(30)).toEqual([]);
  });
});
