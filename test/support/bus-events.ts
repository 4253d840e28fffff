import type { FindingDetail, RemediationDetail } from '../../lambdas/contract/events.ts';

const NOON = '2026-11-30T12:00:00.000Z';

/** The event of a subnet whose /28s are gone, with what a test wants otherwise. */
export function findingDetail(
  over: Partial<FindingDetail> = {},
  finding: Partial<FindingDetail['finding']> = {},
): FindingDetail {
  const id = finding.id ?? 'PREFIX_EXHAUSTED/subnet-0a1/prod';
  return {
    schemaVersion: 1,
    id: `${id}@${NOON}#1`,
    account: '111122223333',
    region: 'eu-central-1',
    at: NOON,
    firstSeen: NOON,
    lastSeen: NOON,
    count: 1,
    firstScan: false,
    origin: 'observe',
    ...over,
    finding: {
      id,
      code: 'PREFIX_EXHAUSTED',
      severity: 'critical',
      subnetId: 'subnet-0a1',
      zone: 'eu-central-1a',
      zoneId: 'euc1-az2',
      cluster: 'prod',
      vpcId: 'vpc-0b2',
      observed: 0,
      threshold: 1,
      message: 'No free /28 is left in 10.0.0.0/20 although 1377 addresses are available.',
      evidence: { availableIps: 1377, fragmentation: 1, holders: ['x'] },
      remedy: 'Open subnet-0c3 to prod.',
      ...finding,
    },
  };
}

export function remediationDetail(over: Partial<RemediationDetail> = {}): RemediationDetail {
  return {
    schemaVersion: 1,
    id: 'plan-1#planned',
    account: '111122223333',
    region: 'eu-central-1',
    at: NOON,
    planId: 'plan-1',
    findingId: 'PREFIX_EXHAUSTED/subnet-0a1/prod',
    action: 'activateStandby',
    cluster: 'prod',
    subnetId: 'subnet-0c3',
    summary: 'Tag subnet-0c3 with karpenter.sh/discovery=prod: 254 free /28s.',
    reason: 'subnet-0a1 has no free /28.',
    ...over,
  };
}
