/** What EKS itself says about addresses, as evidence beside our own counts. It may lag them by hours. */
import type { EvidenceValue } from '../../contract/finding.ts';
import type { HealthIssue } from '../subnet/snapshot.ts';
import type { AssessContext } from './context.ts';

/** Spellings differ between the API model (`InsufficientFreeAddresses`) and the user guide (`IP_NOT_AVAILABLE`). */
const SHORTAGE = /^(?:InsufficientFreeAddresses|IpNotAvailable)$/i;

function isShortage(issue: HealthIssue): boolean {
  return SHORTAGE.test(issue.code.replaceAll('_', ''));
}

/** Whether an issue speaks of a subnet: it names it, or names no subnet at all and the subnet is one of its subject's. */
function concerns(issue: HealthIssue, subnetId: string, registered: readonly string[]): boolean {
  if (issue.resourceIds.includes(subnetId) || issue.message.includes(subnetId)) return true;
  const namesAny = issue.resourceIds.some((id) => id.startsWith('subnet-')) || /\bsubnet-[0-9a-f]+/.test(issue.message);
  return !namesAny && registered.includes(subnetId);
}

/** The shortages that EKS reports of a subnet, for `evidence.eksSays`; `undefined` where there is none. */
export function reportedByEks(context: AssessContext, subnetId: string): EvidenceValue | undefined {
  const said: EvidenceValue[] = [];
  const { clusters, nodegroups } = context.facts;
  for (const cluster of clusters.state === 'absent' ? [] : clusters.value) {
    for (const issue of cluster.healthIssues) {
      if (!isShortage(issue) || !concerns(issue, subnetId, cluster.subnetIds)) continue;
      said.push({ cluster: cluster.name, code: issue.code, message: issue.message });
    }
  }
  for (const nodegroup of nodegroups.state === 'absent' ? [] : nodegroups.value) {
    for (const issue of nodegroup.healthIssues) {
      if (!isShortage(issue) || !concerns(issue, subnetId, nodegroup.subnetIds)) continue;
      said.push({ cluster: nodegroup.cluster, nodegroup: nodegroup.name, code: issue.code, message: issue.message });
    }
  }
  return said.length === 0 ? undefined : said;
}
