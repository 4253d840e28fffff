/** The rows of a report about subnets. */
import type { HolderShare } from '../subnet/occupancy.ts';
import type { SubnetView } from './context.ts';
import { compareText } from './finding.ts';
import type { SubnetReport } from './report.ts';

/** One row for each subnet, by subnet id. */
export function subnetReports(views: Iterable<SubnetView>): SubnetReport[] {
  return [...views].map(subnetReport).sort((a, b) => compareText(a.ledger.subnetId, b.ledger.subnetId));
}

function subnetReport(view: SubnetView): SubnetReport {
  const name = view.facts.tags.get('Name');
  return {
    ledger: view.ledger,
    ...(name === undefined || name === '' ? {} : { name }),
    clusters: view.clusters.map((cluster) => cluster.name),
    byCluster: sharesByCluster(view.occupancy?.clusters ?? new Map()),
    enis: view.occupancy?.enis ?? null,
  };
}

/** Largest first, then by name. */
function sharesByCluster(shares: ReadonlyMap<string, HolderShare>): SubnetReport['byCluster'] {
  return [...shares]
    .map(([cluster, { enis, ips, prefixes }]) => ({ cluster, enis, ips, prefixes }))
    .sort((a, b) => b.ips - a.ips || b.enis - a.enis || compareText(a.cluster, b.cluster));
}
