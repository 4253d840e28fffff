/** What zones and clusters have left: the reports behind the metrics of contract.md 4. */
import type { Finding } from '../../contract/finding.ts';
import { isFull } from '../subnet/ledger.ts';
import type { ClusterModel } from './cluster-model.ts';
import type { AssessContext, SubnetView } from './context.ts';
import { type ClusterZone, clusterZones, nodeHeadroom } from './headroom.ts';
import type { ClusterReport, ClusterZoneReport, Statistic, ZoneReport } from './report.ts';
import { zoneSeverity } from './zone-severity.ts';

/** The zones of each VPC that have a subnet which serves nodes or pods, by VPC and zone id. */
export function zoneReports(context: AssessContext): ZoneReport[] {
  const zones = new Map<string, SubnetView[]>();
  for (const view of context.subnets.values()) {
    if (view.clusters.length === 0) continue;
    const key = `${view.facts.vpcId} ${view.facts.availabilityZoneId}`;
    const views = zones.get(key);
    if (views === undefined) zones.set(key, [view]);
    else views.push(view);
  }
  return [...zones].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, views]) => zoneReport(views));
}

function zoneReport(views: readonly SubnetView[]): ZoneReport {
  const { vpcId, availabilityZone, availabilityZoneId } = (views[0] as SubnetView).facts;
  const full = views.map(({ ledger }) => ledger).filter(isFull);
  const eligible = full.filter(({ eligibleBlocks }) => eligibleBlocks > 0);
  return {
    vpcId,
    zone: availabilityZone,
    zoneId: availabilityZoneId,
    subnetIds: views.map(({ facts }) => facts.subnetId).sort(),
    availableIps: statistic(views.map(({ ledger }) => (ledger.applicable ? ledger.availableIps : null))),
    freePrefixes: statistic(eligible.map(({ freePrefixesRange }) => freePrefixesRange.max)),
    fragmentationPercent: statistic(
      eligible.map(({ fragmentation }) => (fragmentation === null ? null : percent(fragmentation))),
    ),
    enis: statistic(views.map(({ occupancy }) => occupancy?.enis ?? null)),
  };
}

/** A ratio of six decimals has four as a percentage. */
function percent(ratio: number): number {
  return Math.round(ratio * 1e6) / 1e4;
}

function statistic(values: readonly (number | null)[]): Statistic | null {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  return known.reduce(
    ({ count, sum, min, max }, value) => ({
      count: count + 1,
      sum: sum + value,
      min: Math.min(min, value),
      max: Math.max(max, value),
    }),
    { count: 0, sum: 0, min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY },
  );
}

/** Every cluster, by name, with the zones where it may use a subnet or has nodes. */
export function clusterReports(context: AssessContext, findings: readonly Finding[]): ClusterReport[] {
  return context.clusters.map((cluster) => {
    const own = findings.filter((finding) => isAbout(finding, cluster));
    const { cni, vpcId, facts, footprint, instanceTypes } = cluster;
    const instanceType = footprint?.instanceType ?? instanceTypes[0]?.instanceType;
    return {
      cluster: cluster.name,
      ...(vpcId === undefined ? {} : { vpcId }),
      ...(facts?.version === undefined ? {} : { version: facts.version }),
      mode: cni.mode,
      modeEvidence: cni.modeEvidence,
      ...(cni.version === undefined ? {} : { cniVersion: cni.version }),
      ...(instanceType === undefined ? {} : { instanceType }),
      subnets: [...cluster.subnets]
        .map(([subnetId, evidence]) => ({ subnetId, evidence }))
        .sort((a, b) => (a.subnetId < b.subnetId ? -1 : 1)),
      zones: clusterZones(cluster, context.subnets).map((zone) => clusterZoneReport(context, cluster, zone, own)),
    };
  });
}

function clusterZoneReport(
  context: AssessContext,
  cluster: ClusterModel,
  zone: ClusterZone,
  findings: readonly Finding[],
): ClusterZoneReport {
  const ledgers = zone.views.map(({ ledger }) => ledger).filter((ledger) => ledger.applicable);
  const prefixes = ledgers.map((ledger) => (isFull(ledger) ? ledger.freePrefixesRange.max : null));
  return {
    vpcId: zone.vpcId,
    zone: zone.zone,
    zoneId: zone.zoneId,
    subnetIds: zone.views.map(({ facts }) => facts.subnetId),
    availableIps: ledgers.reduce((sum, { availableIps }) => sum + availableIps, 0),
    // A sum with an unknown part is unknown.
    freePrefixes: prefixes.reduce(
      (sum, value) => (sum === null || value === null ? null : sum + value),
      0 as number | null,
    ),
    nodeHeadroom: nodeHeadroom(cluster, zone),
    severity: zoneSeverity(
      context,
      cluster,
      zone,
      findings.filter((finding) => isIn(finding, zone)),
    ),
  };
}

/** A finding that names no cluster is about each that may use its subnet. */
function isAbout(finding: Finding, cluster: ClusterModel): boolean {
  if (finding.cluster !== undefined) return finding.cluster === cluster.name;
  return finding.subnetId !== undefined && cluster.subnets.has(finding.subnetId);
}

/** One that names neither zone nor subnet holds in every zone of its cluster. */
function isIn(finding: Finding, zone: ClusterZone): boolean {
  return finding.zoneId === undefined || (finding.zoneId === zone.zoneId && finding.vpcId === zone.vpcId);
}
