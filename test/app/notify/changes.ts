/** Changes of the two findings that the tests of notify tell of. */
import type { FindingDetail } from '../../../lambdas/contract/events.ts';
import { findingDetail } from '../../support/bus-events.ts';
import { MINUTE, NOON } from '../../support/notifying.ts';

export const iso = (at: number) => new Date(at).toISOString();

/** The nth change of a finding, at a minute past noon. */
export function change(
  n: number,
  minute: number,
  over: Partial<FindingDetail> = {},
  finding: Partial<FindingDetail['finding']> = {},
) {
  const detail = findingDetail(over, finding);
  return { ...detail, id: `${detail.finding.id}#${n}`, at: iso(NOON + minute * MINUTE), ...over };
}
/** A warning of a second finding. */
export const low = { id: 'SUBNET_LOW/subnet-0a1', code: 'SUBNET_LOW', severity: 'warning' } as const;

/** Titles of the messages that they came. */
export const CAME = 'PREFIX_EXHAUSTED subnet-0a1 (euc1-az2, cluster prod)';
export const CAME_LOW = 'SUBNET_LOW subnet-0a1 (euc1-az2, cluster prod)';
