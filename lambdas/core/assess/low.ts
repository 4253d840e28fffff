/** When a subnet counts as low: the thresholds of contract.md 3 as numbers of one subnet. */
import { isFull, type SubnetLedger } from '../subnet/ledger.ts';
import { type AssessSettings, thresholdsFor } from './settings.ts';

/** Available addresses below which the subnet is low; 0 for an IPv6-only one. */
export function subnetLowThreshold(settings: AssessSettings, ledger: SubnetLedger, cluster?: string): number {
  if (!ledger.applicable) return 0;
  const { subnetLowPercent, subnetLowIps } = limits(settings, ledger, cluster);
  return Math.min((ledger.usableIps * subnetLowPercent) / 100, subnetLowIps);
}

/** Free prefixes below which the subnet is low; 0 where it has no eligible block or nobody knows. */
export function prefixLowThreshold(settings: AssessSettings, ledger: SubnetLedger, cluster?: string): number {
  if (!isFull(ledger)) return 0;
  const { prefixLowPercent, prefixLowBlocks } = limits(settings, ledger, cluster);
  return Math.min((ledger.eligibleBlocks * prefixLowPercent) / 100, prefixLowBlocks);
}

function limits(settings: AssessSettings, ledger: SubnetLedger, cluster: string | undefined) {
  return thresholdsFor(settings, {
    subnetId: ledger.subnetId,
    zone: ledger.availabilityZone,
    zoneId: ledger.availabilityZoneId,
    ...(cluster === undefined ? {} : { cluster }),
  });
}
