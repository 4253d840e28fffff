import { describe, expect, test } from '@jest/globals';
import type { Finding } from '../../../lambdas/contract/finding.ts';
import { clusterReports, zoneReports } from '../../../lambdas/core/assess/zones.ts';
import { eni, region, subnet } from '../../support/builders.ts';
import { contextOf } from '../../support/case-region.ts';
import { addon, M5_LARGE, nodegroup, read } from '../../support/cluster-facts.ts';

const B = { availabilityZone: 'us-east-1b', availabilityZoneId: 'use1-az2' };
const subnets = [
  subnet('10.0.0.0/24', { subnetId: 'subnet-1', availableIps: 250 }),
  subnet('10.0.1.0/27', { subnetId: 'subnet-2', availableIps: 27 }),
  subnet('10.0.2.0/24', { subnetId: 'subnet-3', availableIps: 251, ...B }),
  subnet('10.0.3.0/24', { subnetId: 'subnet-unused' }),
  subnet(null, { subnetId: 'subnet-v6' }),
];
const facts = region(subnets, {
  nodegroups: read([nodegroup('a', ['subnet-1', 'subnet-2', 'subnet-3', 'subnet-v6'])]),
  addons: read([addon('a')]),
  instanceTypes: read([M5_LARGE]),
});
const enis = [eni({ subnetId: 'subnet-1', addresses: ['10.0.0.20'] })];

describe('zones', () => {
  test('are made of the subnets that serve nodes or pods; what a subnet does not have is left out', () => {
    expect(zoneReports(contextOf(facts, enis))).toEqual([
      {
        vpcId: 'vpc-00000000000000001',
        zone: 'us-east-1a',
        zoneId: 'use1-az1',
        subnetIds: ['subnet-1', 'subnet-2', 'subnet-v6'],
        availableIps: { count: 2, sum: 277, min: 27, max: 250 },
        // A /27 is two edge blocks: it has no prefix to give and no fragmentation.
        freePrefixes: { count: 1, sum: 13, min: 13, max: 13 },
        // One address costs one of 14 prefixes.
        fragmentationPercent: { count: 1, sum: 7.1429, min: 7.1429, max: 7.1429 },
        enis: { count: 2, sum: 1, min: 0, max: 1 },
      },
      {
        vpcId: 'vpc-00000000000000001',
        zone: 'us-east-1b',
        zoneId: 'use1-az2',
        subnetIds: ['subnet-3'],
        availableIps: { count: 1, sum: 251, min: 251, max: 251 },
        freePrefixes: { count: 1, sum: 14, min: 14, max: 14 },
        fragmentationPercent: { count: 1, sum: 0, min: 0, max: 0 },
        enis: { count: 1, sum: 0, min: 0, max: 0 },
      },
    ]);
  });

  test('with counts alone say nothing of prefixes, fragmentation and interfaces', () => {
    expect(zoneReports(contextOf(facts))[1]).toMatchObject({
      availableIps: { count: 1, sum: 251, min: 251, max: 251 },
      freePrefixes: null,
      fragmentationPercent: null,
      enis: null,
    });
  });
});

function about(fields: Partial<Finding>): Finding {
  return { id: 'x', code: 'SUBNET_LOW', severity: 'info', observed: 0, message: '', evidence: {}, ...fields };
}

describe('clusters', () => {
  test('say what each zone has and takes', () => {
    const [report] = clusterReports(contextOf(facts, enis), []);
    expect(report).toMatchObject({ cluster: 'a', mode: 'secondary-ip', instanceType: 'm5.large' });
    // 250 and 27 addresses, 10 a node, turn by turn: 2 in the /27, whose 7 left over let a third node launch that cannot be served.
    expect(report?.zones).toEqual([
      expect.objectContaining({
        zoneId: 'use1-az1',
        availableIps: 277,
        freePrefixes: 13,
        nodeHeadroom: 5,
        severity: 'fine',
      }),
      expect.objectContaining({
        zoneId: 'use1-az2',
        availableIps: 251,
        freePrefixes: 14,
        nodeHeadroom: 25,
        severity: 'fine',
      }),
    ]);
  });

  test('a sum with an unknown part is unknown', () => {
    const [report] = clusterReports(contextOf(facts), []);
    expect(report?.zones.map(({ freePrefixes }) => freePrefixes)).toEqual([null, null]);
  });

  test('take the worst finding about them in the zone', () => {
    const vpcId = 'vpc-00000000000000001';
    const severities = (findings: readonly Finding[]) =>
      clusterReports(contextOf(facts, enis), findings)[0]?.zones.map(({ severity }) => severity);
    const inA = { vpcId, zoneId: 'use1-az1' };
    expect(severities([about({ ...inA, subnetId: 'subnet-1', severity: 'warning' })])).toEqual(['warning', 'fine']);
    expect(severities([about({ ...inA, subnetId: 'subnet-unused', severity: 'critical' })])).toEqual(['fine', 'fine']);
    expect(severities([about({ ...inA, cluster: 'b', severity: 'critical' })])).toEqual(['fine', 'fine']);
    expect(severities([about({ ...inA, vpcId: 'vpc-2', cluster: 'a', severity: 'critical' })])).toEqual([
      'fine',
      'fine',
    ]);
    // One that names no zone holds in all of them.
    expect(severities([about({ cluster: 'a', severity: 'critical' }), about({ ...inA, cluster: 'a' })])).toEqual([
      'critical',
      'critical',
    ]);
  });
});
