/** The alarms that there should be: per cluster and zone, and one above them where clusters share a zone's subnets. */
import { METRIC_NAMESPACE, METRICS } from '../../contract/metrics.ts';
import {
  type AlarmLevel,
  CLUSTER_ALARM_HEADINGS,
  clusterAlarmName,
  runbookAnchor,
  sharedAlarmName,
} from '../../contract/names.ts';
import { compareText } from '../assess/finding.ts';
import type { ClusterReport, ClusterZoneReport } from '../assess/report.ts';

/**
 * Two bad values of the last five ticks raise the alarm, four good ones of five end it: a value that hops over the threshold every other tick stays in alarm.
 */
export const ALARM_DATAPOINTS = 2;
export const ALARM_PERIODS = 5;

interface CommonSpec {
  readonly name: string;
  /** Stable: no list and no number that a scan could change. */
  readonly description: string;
  /** Topics that the alarm tells, sorted. */
  readonly actions: readonly string[];
  /** Topics that its recovery tells, sorted. */
  readonly okActions: readonly string[];
}

/** An alarm on `Severity` of a cluster in a zone. */
export interface MetricAlarmSpec extends CommonSpec {
  readonly kind: 'metric';
  readonly namespace: string;
  readonly metric: string;
  readonly dimensions: { readonly ClusterName: string; readonly ZoneId: string };
  readonly statistic: 'Maximum';
  /** In alarm at or above this. */
  readonly threshold: number;
  readonly periodSeconds: number;
  readonly datapoints: number;
  readonly periods: number;
  readonly treatMissingData: 'ignore';
}

/** In alarm while one of its members is. */
export interface CompositeAlarmSpec extends CommonSpec {
  readonly kind: 'composite';
  readonly rule: string;
}

export type AlarmSpec = MetricAlarmSpec | CompositeAlarmSpec;

export interface AlarmTopics {
  /** Topics of the deployment. */
  readonly critical: string;
  readonly warning: string;
  /** Topics of single clusters, by name. */
  readonly clusters: ReadonlyMap<string, { readonly critical?: string; readonly warning?: string }>;
}

export interface AlarmOptions {
  readonly topics: AlarmTopics;
  readonly periodSeconds: number;
  /** Most alarms. */
  readonly budget: number;
}

export interface WantedAlarms {
  /** Members before those that stand on them. */
  readonly specs: readonly AlarmSpec[];
  /** Alarms that the budget cut. */
  readonly suppressed: number;
}

/** 2 is critical, 1 warning: the values of the metric `Severity`. */
const THRESHOLDS: Readonly<Record<AlarmLevel, number>> = { critical: 2, warning: 1 };
const LEVELS: readonly AlarmLevel[] = ['critical', 'warning'];

interface Place {
  readonly cluster: string;
  readonly zone: ClusterZoneReport;
}

export function wantedAlarms(clusters: readonly ClusterReport[], options: AlarmOptions): WantedAlarms {
  const places = clusters.flatMap(({ cluster, zones }) => zones.map((zone) => ({ cluster, zone })));
  const each = LEVELS.length;
  const kept = places.slice(0, Math.floor(options.budget / each));
  let suppressed = (places.length - kept.length) * each;
  let left = options.budget - kept.length * each;
  const groups = sharingGroups(kept).filter(() => {
    if (left >= each) {
      left -= each;
      return true;
    }
    suppressed += each;
    return false;
  });
  const shared = new Set(groups.flatMap(({ members }) => members));
  return {
    specs: [
      ...kept.flatMap((place) => LEVELS.map((level) => metricAlarm(place, level, shared.has(place), options))),
      ...groups.flatMap((group) => LEVELS.map((level) => compositeAlarm(group, level, options))),
    ],
    suppressed,
  };
}

function metricAlarm(
  { cluster, zone }: Place,
  level: AlarmLevel,
  shared: boolean,
  { topics, periodSeconds }: AlarmOptions,
): MetricAlarmSpec {
  const own = topics.clusters.get(cluster)?.[level];
  // Under a composite the page comes from there; the member tells only the cluster's own topic.
  const topic = own ?? (shared ? undefined : topics[level]);
  const actions = topic === undefined ? [] : [topic];
  return {
    kind: 'metric',
    name: clusterAlarmName(cluster, zone.zoneId, level),
    description: `Cluster ${cluster} in zone ${zone.zoneId} (${zone.zone}): ${MEANING[level]} What to do: ${runbookAnchor(CLUSTER_ALARM_HEADINGS[level])}`,
    actions,
    okActions: actions,
    namespace: METRIC_NAMESPACE,
    metric: METRICS.clusterSeverity.name,
    dimensions: { ClusterName: cluster, ZoneId: zone.zoneId },
    statistic: 'Maximum',
    threshold: THRESHOLDS[level],
    periodSeconds,
    datapoints: ALARM_DATAPOINTS,
    periods: ALARM_PERIODS,
    treatMissingData: 'ignore',
  };
}

const MEANING: Readonly<Record<AlarmLevel, string>> = {
  critical: 'nodes or pods cannot get addresses there now, or are about to fail for want of them.',
  warning: 'room for nodes or pods runs low there, or something will keep it from being used.',
};

interface Group {
  readonly name: (level: AlarmLevel) => string;
  readonly vpcId: string;
  readonly zone: ClusterZoneReport;
  readonly members: readonly Place[];
}

/** Clusters of a VPC and zone that share a subnet, straight or by way of others. */
function sharingGroups(places: readonly Place[]): readonly Group[] {
  const byZone = new Map<string, Place[]>();
  for (const place of places) {
    const key = `${place.zone.vpcId} ${place.zone.zoneId}`;
    const listed = byZone.get(key);
    if (listed === undefined) byZone.set(key, [place]);
    else listed.push(place);
  }
  return [...byZone].sort(([a], [b]) => compareText(a, b)).flatMap(([, local]) => groupsOf(local));
}

function groupsOf(local: readonly Place[]): readonly Group[] {
  let sets: { readonly members: readonly Place[]; readonly subnets: ReadonlySet<string> }[] = [];
  for (const place of local) {
    const touching = sets.filter(({ subnets }) => place.zone.subnetIds.some((id) => subnets.has(id)));
    sets = [
      ...sets.filter((one) => !touching.includes(one)),
      {
        members: [...touching.flatMap(({ members }) => members), place],
        subnets: new Set([...touching.flatMap(({ subnets }) => [...subnets]), ...place.zone.subnetIds]),
      },
    ];
  }
  return sets
    .filter(({ members }) => members.length > 1)
    .map(({ members }) => [...members].sort((a, b) => compareText(a.cluster, b.cluster)))
    .sort((a, b) => compareText(nameOfFirst(a), nameOfFirst(b)))
    .map((members, at) => {
      const { zone } = members[0] as Place;
      // The first group has the plain name; a second one in the same zone shares no subnet with it, and is told apart by its first cluster.
      const owner = at === 0 ? zone.vpcId : `${zone.vpcId}.${nameOfFirst(members)}`;
      return { name: (level) => sharedAlarmName(owner, zone.zoneId, level), vpcId: zone.vpcId, zone, members };
    });
}

function nameOfFirst(members: readonly Place[]): string {
  return members[0]?.cluster ?? '';
}

function compositeAlarm(group: Group, level: AlarmLevel, { topics }: AlarmOptions): CompositeAlarmSpec {
  const { zone, vpcId, members } = group;
  return {
    kind: 'composite',
    name: group.name(level),
    description: `Clusters that share subnets of ${vpcId} in zone ${zone.zoneId} (${zone.zone}), by one alarm for one cause: ${MEANING[level]} The members say which clusters. What to do: ${runbookAnchor(CLUSTER_ALARM_HEADINGS[level])}`,
    actions: [topics[level]],
    okActions: [topics[level]],
    rule: members.map(({ cluster }) => `ALARM("${clusterAlarmName(cluster, zone.zoneId, level)}")`).join(' OR '),
  };
}
