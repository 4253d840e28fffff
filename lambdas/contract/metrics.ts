/**
 * Every CloudWatch metric that Headroom publishes: the one source for the publisher, the alarms, the dashboard and docs/metrics.md.
 *
 * All are gauges: alarms and graphs use `Minimum` or `Maximum`, never `Sum`. A value that could not be computed is left out, never 0.
 */

/** CloudWatch bills each (namespace, name, dimension set) that it ever saw in a month. */
export const METRIC_NAMESPACE = 'Headroom';

/** The dimension sets, by who they speak of. SEARCH and alarms need the exact set, in any order (CloudWatch user guide, "SEARCH expressions"). */
export const DIMENSION_SETS = {
  zone: ['VpcId', 'ZoneId'],
  cluster: ['ClusterName', 'ZoneId'],
  subnet: ['SubnetId'],
  service: [],
} as const;
export type MetricScope = keyof typeof DIMENSION_SETS;
export type DimensionName = (typeof DIMENSION_SETS)[MetricScope][number];

/** CloudWatch `StandardUnit` values that we use. */
export type MetricUnit = 'Count' | 'Percent' | 'Seconds' | 'None';

/** Whether the smallest or the largest value of a period is the one that hurts. */
export type WorstStatistic = 'Minimum' | 'Maximum';

/** What publishes the metric. */
export type MetricSource = 'observe' | 'react';

export interface MetricDefinition {
  readonly scope: MetricScope;
  readonly name: string;
  readonly unit: MetricUnit;
  readonly worst: WorstStatistic;
  readonly sources: readonly MetricSource[];
  /** A StatisticSet over the subnets of the scope, so that `worst` is the worst subnet exactly; else one value. */
  readonly statisticSet: boolean;
  readonly meaning: string;
}

type OfScope<S extends MetricScope> = MetricDefinition & { readonly scope: S };

const zone = (name: string, unit: MetricUnit, worst: WorstStatistic, meaning: string): OfScope<'zone'> => ({
  scope: 'zone',
  name,
  unit,
  worst,
  sources: ['observe'],
  statisticSet: true,
  meaning,
});

const single = <S extends MetricScope>(
  scope: S,
  name: string,
  unit: MetricUnit,
  worst: WorstStatistic,
  meaning: string,
  sources: readonly MetricSource[] = ['observe'],
): OfScope<S> => ({ scope, name, unit, worst, sources, statisticSet: false, meaning });

export const METRICS = {
  zoneAvailableIps: zone(
    'AvailableIps',
    'Count',
    'Minimum',
    'EC2’s own count of available addresses, over the subnets of the zone that serve nodes or pods.',
  ),
  zoneFreePrefixes: zone(
    'FreePrefixes',
    'Count',
    'Minimum',
    'Free /28 prefixes at most (`freePrefixesRange.max`), over the subnets that serve nodes or pods and have an eligible block.',
  ),
  zoneFragmentation: zone(
    'FragmentationPercent',
    'Percent',
    'Maximum',
    'Share of the prefixes lost to scatter, over the subnets that serve nodes or pods and have an eligible block.',
  ),
  zoneEnis: zone(
    'Enis',
    'Count',
    'Maximum',
    'Network interfaces, over the subnets of the zone that serve nodes or pods.',
  ),
  clusterAvailableIps: single(
    'cluster',
    'AvailableIps',
    'Count',
    'Minimum',
    'Sum of EC2’s counts over the subnets that the cluster may use in the zone. Space that clusters share counts for each: never add them up.',
  ),
  clusterFreePrefixes: single(
    'cluster',
    'FreePrefixes',
    'Count',
    'Minimum',
    'Sum of the free prefixes over the subnets that the cluster may use in the zone. Space that clusters share counts for each.',
  ),
  clusterNodeHeadroom: single(
    'cluster',
    'NodeHeadroom',
    'Count',
    'Minimum',
    'How many more nodes of the cluster’s own instance types the zone can take in its CNI mode.',
  ),
  clusterSeverity: single(
    'cluster',
    'Severity',
    'None',
    'Maximum',
    '0 fine, 1 warning, 2 critical: the worst finding about the cluster in the zone; a full subnet counts as a warning while the zone’s others serve its nodes and pods.',
  ),
  subnetAvailableIps: single(
    'subnet',
    'AvailableIps',
    'Count',
    'Minimum',
    'EC2’s own count; only for subnets at risk or tagged `headroom:metrics=always`.',
  ),
  subnetFreePrefixes: single(
    'subnet',
    'FreePrefixes',
    'Count',
    'Minimum',
    'Free /28 prefixes at most; only for subnets at risk or tagged `headroom:metrics=always`.',
  ),
  subnetFragmentation: single(
    'subnet',
    'FragmentationPercent',
    'Percent',
    'Maximum',
    'Share of the prefixes lost to scatter; only for subnets at risk or tagged `headroom:metrics=always`.',
  ),
  observedSubnets: single('service', 'ObservedSubnets', 'Count', 'Minimum', 'Subnets that the last scan measured.'),
  failedSubnets: single(
    'service',
    'FailedSubnets',
    'Count',
    'Maximum',
    'Subnets that the last scan should have measured and could not.',
  ),
  unaccountedIps: single(
    'service',
    'UnaccountedIps',
    'Count',
    'Maximum',
    'Addresses that EC2 counts as taken and that no visible network interface explains.',
  ),
  leakedEnis: single(
    'service',
    'LeakedEnis',
    'Count',
    'Maximum',
    'Unattached network interfaces that the VPC CNI left behind.',
  ),
  scanSeconds: single('service', 'ScanSeconds', 'Seconds', 'Maximum', 'How long the last scan took.'),
  snapshotAgeSeconds: single(
    'service',
    'SnapshotAgeSeconds',
    'Seconds',
    'Maximum',
    'Age of the oldest read that the published numbers rest on.',
  ),
  eventLagSeconds: single(
    'service',
    'EventLagSeconds',
    'Seconds',
    'Maximum',
    'From the call that AWS reports to the moment Headroom takes its event up.',
    ['react'],
  ),
  throttledRequests: single(
    'service',
    'ThrottledRequests',
    'Count',
    'Maximum',
    'Requests of the last scan that AWS throttled, retried ones included.',
  ),
  metricsSuppressed: single(
    'service',
    'MetricsSuppressed',
    'Count',
    'Maximum',
    'Metrics and alarms that the budgets cut from the last scan.',
  ),
} as const satisfies Record<string, MetricDefinition>;

export type MetricKey = keyof typeof METRICS;

/** How many metrics a scope has for each of its members. */
export function metricsPerMember(scope: MetricScope): number {
  return Object.values<MetricDefinition>(METRICS).filter((metric) => metric.scope === scope).length;
}
