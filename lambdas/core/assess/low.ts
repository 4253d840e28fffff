/** When a subnet counts as low: the thresholds of a share and a number, whichever is less, as one number. */
import { isFull } from '../subnet/ledger.ts';
import type { AssessContext, SubnetView } from './context.ts';
import { subnetThresholds } from './subnet-thresholds.ts';

/** Available addresses below which the subnet is low; 0 for an IPv6-only one. */
export function lowIps(context: AssessContext, view: SubnetView): number {
  if (!view.ledger.applicable) return 0;
  const { subnetLowPercent, subnetLowIps } = subnetThresholds(context, view);
  return Math.min((view.ledger.usableIps * subnetLowPercent) / 100, subnetLowIps);
}

/** Free prefixes below which the subnet is low; 0 where it has no eligible block or its interfaces are not known. */
export function lowPrefixes(context: AssessContext, view: SubnetView): number {
  if (!isFull(view.ledger)) return 0;
  const { prefixLowPercent, prefixLowBlocks } = subnetThresholds(context, view);
  return Math.min((view.ledger.eligibleBlocks * prefixLowPercent) / 100, prefixLowBlocks);
}
