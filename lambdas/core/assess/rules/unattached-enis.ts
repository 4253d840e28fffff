/** Interfaces that nobody uses any more and that still hold addresses. */
import type { Finding } from '../../../contract/finding.ts';
import { isFull } from '../../subnet/ledger.ts';
import type { ClassifiedEni } from '../../subnet/occupancy.ts';
import type { AssessContext, SubnetView } from '../context.ts';
import { compareText, finding } from '../finding.ts';
import { subnetThresholds } from '../subnet-thresholds.ts';
import { roomAfterRelease, unattachedSorter } from '../unattached.ts';
import { addresses, count, nameOf } from '../words.ts';

/** `LEAKED_ENI` and `DETACHED_NODE_PRIMARY`. */
export function unattachedEnis(context: AssessContext): readonly Finding[] {
  const sort = unattachedSorter(context);
  const findings: Finding[] = [];
  for (const view of context.subnets.values()) {
    const { leaked, detachedPrimaries } = sort(view);
    if (leaked.length > 0) findings.push(leakedEnis(context, view, leaked));
    if (detachedPrimaries.length > 0) findings.push(detached(view, detachedPrimaries));
  }
  return findings;
}

function clustersOf(enis: readonly ClassifiedEni[]): string[] {
  return [...new Set(enis.flatMap(({ cluster }) => (cluster === undefined ? [] : [cluster])))].sort(compareText);
}

function room(view: SubnetView, enis: readonly ClassifiedEni[]) {
  if (view.occupancy === undefined || !isFull(view.ledger)) return undefined;
  const { ips, freePrefixes } = roomAfterRelease(view.occupancy, view.reservations ?? [], enis);
  return {
    ips,
    freeAfterCleanup: view.ledger.freeIps + ips,
    assignablePrefixesAfterCleanup: freePrefixes,
    prefixesWonBack: freePrefixes - view.ledger.freePrefixes,
  };
}

function leakedEnis(context: AssessContext, view: SubnetView, leaked: readonly ClassifiedEni[]): Finding {
  const after = room(view, leaked);
  const minAge = subnetThresholds(context, view).leakedEniAgeSeconds;
  return finding(
    'LEAKED_ENI',
    { subnet: view.facts },
    {
      severity: 'warning',
      observed: leaked.length,
      threshold: 0,
      message: `${count(leaked.length, 'interface')} that the VPC CNI made in ${nameOf(view.facts)} ${leaked.length === 1 ? 'is' : 'are'} attached to nothing, older than ${minAge} s, and of instances that are gone: ${addresses(after?.ips ?? 0)} held for nobody.`,
      evidence: { count: leaked.length, ...after, minAgeSeconds: minAge, clusters: clustersOf(leaked) },
      eniIds: leaked.map(({ eni }) => eni.eniId),
      remedy: `Look at each once more, then aws ec2 delete-network-interface --network-interface-id ...: that frees ${addresses(after?.ips ?? 0)} and ${count(after?.prefixesWonBack ?? 0, '/28')}. The CNI sweeps these hourly, but only while a node of that cluster runs.`,
    },
  );
}

function detached(view: SubnetView, enis: readonly ClassifiedEni[]): Finding {
  const after = room(view, enis);
  return finding(
    'DETACHED_NODE_PRIMARY',
    { subnet: view.facts },
    {
      severity: 'info',
      observed: enis.length,
      threshold: 0,
      message: `${count(enis.length, 'interface')} of ${nameOf(view.facts)} with a node's tags ${enis.length === 1 ? 'is' : 'are'} attached to nothing: once a node's first, kept when it ended. ${enis.length === 1 ? 'It holds' : 'They hold'} ${addresses(after?.ips ?? 0)}.`,
      evidence: {
        count: enis.length,
        ips: after?.ips,
        hint: 'launch template DeleteOnTermination=false',
        clusters: clustersOf(enis),
      },
      eniIds: enis.map(({ eni }) => eni.eniId),
      remedy:
        'Have a person review them, since the CNI did not make them: aws ec2 describe-network-interfaces --network-interface-ids ... Set DeleteOnTermination=true on the first interface of the launch template.',
    },
  );
}
