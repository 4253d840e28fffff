/** The assessment: from what was read of a region to what is true of it, and what is wrong. Pure. */
import type { Finding } from '../../contract/finding.ts';
import type { RegionOccupancy } from '../subnet/occupancy.ts';
import type { EniReading, RegionFacts } from '../subnet/snapshot.ts';
import { buildClusters } from './clusters.ts';
import { type AssessContext, type SubnetView, subnetLedgers } from './context.ts';
import { compareFindings } from './finding.ts';
import type { CapacityReport } from './report.ts';
import { RULES } from './rules/rules.ts';
import type { AssessSettings } from './settings.ts';
import { subnetReports } from './subnet-report.ts';
import { clusterReports, zoneReports } from './zones.ts';

/**
 * What the rules reason with: the ledgers, and the clusters with the subnets that each may use.
 *
 * @param occupancy the maps of the same facts, made by an `OccupancyBuilder` from every interface that was read.
 */
export function assessContext(
  facts: RegionFacts,
  enis: EniReading,
  occupancy: RegionOccupancy,
  settings: AssessSettings = {},
): AssessContext {
  const ledgers = subnetLedgers(facts, enis, occupancy);
  const clusters = buildClusters(facts, enis, ledgers, settings);
  const subnets = new Map<string, SubnetView>();
  for (const [id, view] of ledgers) {
    subnets.set(id, { ...view, clusters: clusters.filter((cluster) => cluster.subnets.has(id)) });
  }
  return { facts, enis, settings, subnets, clusters };
}

/** The whole report of a region: ledgers, room by zone and cluster, and findings, each list in its total order. */
export function assess(
  facts: RegionFacts,
  enis: EniReading,
  occupancy: RegionOccupancy,
  settings: AssessSettings = {},
): CapacityReport {
  return reportOf(assessContext(facts, enis, occupancy, settings));
}

/**
 * The report of a context that was made before.
 *
 * @param admit whether a finding counts; what does not count raises no severity either.
 * @param further findings that no rule makes of the facts.
 */
export function reportOf(
  context: AssessContext,
  admit: (finding: Finding) => boolean = () => true,
  further: readonly Finding[] = [],
): CapacityReport {
  const findings = [...RULES.flatMap((rule) => rule(context)).filter(admit), ...further].sort(compareFindings);
  return {
    subnets: subnetReports(context.subnets.values()),
    zones: zoneReports(context),
    clusters: clusterReports(context, findings),
    findings,
  };
}
