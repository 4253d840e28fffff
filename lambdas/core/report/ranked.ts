/** Subnets in the order in which they need somebody: worst finding first, then the least room. */
import type { DocumentSubnet, HeadroomDocument } from '../../contract/document.ts';
import { SEVERITIES, type Severity } from '../../contract/finding.ts';
import { isFullSubnet } from './ledger-words.ts';

/** The worst that was found on a subnet; `ok` where nothing was. */
export type Rank = Severity | 'ok';

export const RANKS: readonly Rank[] = [...SEVERITIES, 'ok'];

export interface RankedSubnet {
  readonly subnet: DocumentSubnet;
  readonly rank: Rank;
}

/** Worst finding first, then the fewest whole /28s and the fewest addresses. */
export function rankedSubnets({
  subnets,
  findings = [],
}: Pick<HeadroomDocument, 'subnets' | 'findings'>): readonly RankedSubnet[] {
  const worst = new Map<string, number>();
  for (const { subnetId, severity } of findings) {
    if (subnetId === undefined) continue;
    worst.set(subnetId, Math.min(worst.get(subnetId) ?? RANKS.length, RANKS.indexOf(severity)));
  }
  const rank = (subnet: DocumentSubnet) => worst.get(subnet.subnetId) ?? RANKS.indexOf('ok');
  const prefixes = (subnet: DocumentSubnet) => (isFullSubnet(subnet) ? subnet.freePrefixesRange.max : Number.MAX_VALUE);
  const addresses = (subnet: DocumentSubnet) => (subnet.applicable ? subnet.availableIps : Number.MAX_VALUE);
  return [...subnets]
    .sort(
      (a, b) =>
        rank(a) - rank(b) ||
        prefixes(a) - prefixes(b) ||
        addresses(a) - addresses(b) ||
        (a.subnetId < b.subnetId ? -1 : 1),
    )
    .map((subnet) => ({ subnet, rank: RANKS[rank(subnet)] as Rank }));
}
