/** Which metrics a scan publishes, with their values: contract.md 4 made of a report. A value that is not known is left out. */
import type { DimensionName, MetricKey } from '../../contract/metrics.ts';
import type { ClusterZoneReport, Statistic, SubnetReport, ZoneReport } from '../assess/report.ts';
import { isFull } from '../subnet/ledger.ts';

/** One value, or a StatisticSet. */
export interface MetricValue {
  readonly key: MetricKey;
  readonly dimensions: Partial<Record<DimensionName, string>>;
  readonly value: number | Statistic;
}

/** The subnets of which something asked for could not be read. */
export type Unknown = ReadonlySet<string>;

const SEVERITY_VALUE = { fine: 0, info: 0, warning: 1, critical: 2 } as const;

/** A roll-up says which subnet is worst, so it is not known while one of its subnets is not. */
export function zoneValues(zone: ZoneReport, unread: Unknown): readonly MetricValue[] {
  const whole = !zone.subnetIds.some((id) => unread.has(id));
  const dimensions = { VpcId: zone.vpcId, ZoneId: zone.zoneId };
  return present(dimensions, [
    ['zoneAvailableIps', zone.availableIps],
    ['zoneFreePrefixes', whole ? zone.freePrefixes : null],
    ['zoneFragmentation', whole ? zone.fragmentationPercent : null],
    ['zoneEnis', whole ? zone.enis : null],
  ]);
}

/**
 * @param unread subnets without a map.
 * @param unsure whether something about the cluster itself could not be read.
 */
export function clusterValues(
  cluster: string,
  zone: ClusterZoneReport,
  unread: Unknown,
  unsure: boolean,
): readonly MetricValue[] {
  const severity = SEVERITY_VALUE[zone.severity];
  const whole = !unsure && !zone.subnetIds.some((id) => unread.has(id));
  // What is not known may be worse, never better: only the worst is certain then.
  const certain = whole || severity === SEVERITY_VALUE.critical;
  return present({ ClusterName: cluster, ZoneId: zone.zoneId }, [
    ['clusterAvailableIps', zone.availableIps],
    ['clusterFreePrefixes', zone.freePrefixes],
    ['clusterNodeHeadroom', zone.nodeHeadroom],
    ['clusterSeverity', certain ? severity : null],
  ]);
}

export function subnetValues({ ledger }: SubnetReport): readonly MetricValue[] {
  if (!ledger.applicable) return [];
  const full = isFull(ledger) && ledger.eligibleBlocks > 0 ? ledger : undefined;
  const fragmentation = full?.fragmentation ?? null;
  return present({ SubnetId: ledger.subnetId }, [
    ['subnetAvailableIps', ledger.availableIps],
    ['subnetFreePrefixes', full?.freePrefixesRange.max ?? null],
    ['subnetFragmentation', fragmentation === null ? null : Math.round(fragmentation * 1e6) / 1e4],
  ]);
}

export function present(
  dimensions: MetricValue['dimensions'],
  values: readonly (readonly [MetricKey, number | Statistic | null])[],
): readonly MetricValue[] {
  return values.flatMap(([key, value]) => (value === null ? [] : [{ key, dimensions, value }]));
}
