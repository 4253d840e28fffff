import { describe, expect, test } from '@jest/globals';
import type { FindingCode } from '../../../../lambdas/contract/finding.ts';
import { reportOf } from '../../../../lambdas/core/assess/assess.ts';
import { CLUSTER_RULES } from '../../../../lambdas/core/assess/rules/cluster-rules.ts';
import { standbyVerdicts } from '../../../../lambdas/core/assess/standby.ts';
import { caseContext } from '../../../support/case-region.ts';

function found(name: string, code: FindingCode) {
  const context = caseContext(name);
  return CLUSTER_RULES.flatMap((rule) => rule(context)).filter((one) => one.code === code);
}

describe('the real cases', () => {
  test('c08: one zone of six is out, and only that one is said', () => {
    expect(found('c08', 'ZONE_EXHAUSTED')).toEqual([
      expect.objectContaining({
        severity: 'critical',
        zone: 'us-east-1d',
        zoneId: 'use1-az4',
        cluster: 'cluster-a',
        observed: 0,
      }),
    ]);
    expect(found('c08', 'ZONE_LOW')).toEqual([]);
  });

  test('c09: nodes that are served, zone by zone', () => {
    const [report] = reportOf(caseContext('c09')).clusters;
    expect(report?.zones.map(({ nodeHeadroom }) => nodeHeadroom)).toEqual([0, 12, 14]);
  });

  test('c10: Karpenter picks the subnet without a prefix', () => {
    expect(found('c10', 'CONSUMER_PREFERS_EXHAUSTED_SUBNET')).toEqual([
      expect.objectContaining({
        severity: 'critical',
        zone: 'us-east-1a',
        evidence: expect.objectContaining({
          picked: 'subnet-00100000000000001',
          shouldPick: 'subnet-00100000000000002',
        }),
      }),
    ]);
    expect(found('c10', 'ZONE_EXHAUSTED')).toEqual([]);
  });

  test('c11: a selector that matches nothing, and the near misses', () => {
    expect(found('c11', 'SELECTOR_MATCHES_NO_SUBNET')).toEqual([
      expect.objectContaining({
        severity: 'critical',
        cluster: 'cluster-a',
        evidence: expect.objectContaining({
          nodeClass: 'default',
          nearMisses: [
            { subnetId: 'subnet-00110000000000001', key: 'karpenter.sh/discovery', value: 'cluster-old' },
            { subnetId: 'subnet-00110000000000003', key: 'karpenter.sh/Discovery', value: 'cluster-a' },
          ],
        }),
      }),
    ]);
    expect(found('c11', 'NODES_EXPIRE_WITHOUT_REPLACEMENT')).toEqual([
      expect.objectContaining({ severity: 'warning', evidence: expect.objectContaining({ expireAfter: '72h' }) }),
    ]);
  });

  test('c13: the key already serves another cluster', () => {
    expect(found('c13', 'TAG_VALUE_CONFLICT')).toEqual([
      expect.objectContaining({
        severity: 'warning',
        subnetId: 'subnet-00130000000000001',
        evidence: expect.objectContaining({
          key: 'karpenter.sh/discovery',
          current: 'cluster-a',
          wanted: 'cluster-b',
        }),
      }),
    ]);
  });

  test('c25: one subnet fits, and each other says why not', () => {
    const context = caseContext('c25');
    expect(found('c25', 'STANDBY_CANDIDATE')).toEqual([
      expect.objectContaining({
        subnetId: 'subnet-00250000000000001',
        evidence: expect.objectContaining({ candidate: 'subnet-00250000000000002', karpenterWouldPickIt: true }),
      }),
    ]);
    const [cluster] = context.clusters;
    const trouble = context.subnets.get('subnet-00250000000000001');
    if (cluster === undefined || trouble === undefined) throw new Error('the case has a cluster and its subnet');
    const verdicts = standbyVerdicts(context, cluster, trouble);
    expect(Object.fromEntries(verdicts.map(({ view, reason }) => [view.facts.subnetId.slice(-1), reason]))).toEqual({
      2: undefined,
      3: 'local-zone',
      4: 'outpost',
      5: 'wavelength-zone',
      6: 'other-vpc',
      7: 'other-az',
    });
  });

  test('c32: both picks, once', () => {
    expect(found('c32', 'CNI_VERSION_DEPENDENT_CHOICE')).toEqual([
      expect.objectContaining({
        severity: 'info',
        zone: 'us-east-1a',
        evidence: expect.objectContaining({
          pickByKeyOnly: 'subnet-00320000000000004',
          pickByValueAndCluster: 'subnet-00320000000000002',
        }),
      }),
    ]);
  });

  test.each(['c01', 'c15', 'c23', 'c26', 'c30'])('%s: nothing critical is said of clusters', (name) => {
    const context = caseContext(name);
    const critical = CLUSTER_RULES.flatMap((rule) => rule(context)).filter(({ severity }) => severity === 'critical');
    expect(critical).toEqual([]);
  });
});
