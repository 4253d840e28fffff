import type { Finding } from '../../../contract/finding.ts';
import { BLOCK_IPS } from '../../ip/address-map.ts';
import { isFull, type SubnetLedger } from '../../subnet/ledger.ts';
import type { ClusterModel, Footprint } from '../cluster-model.ts';
import type { AssessContext, SubnetView } from '../context.ts';
import { compareText, finding } from '../finding.ts';
import { capacityOf, footprintIn, roomOf } from '../footprint.ts';
import { reportedByEks } from '../health.ts';
import { addresses, count, nameOf } from '../words.ts';

interface Unserved {
  readonly cluster: ClusterModel;
  readonly footprint: Footprint;
  /** Addresses that one more node takes, 16 for each prefix. */
  readonly need: number;
}

/**
 * `SUBNET_BELOW_NODE_MINIMUM`: one address is enough to launch a node, but what its first interface takes does not fit, so that its pods hang and
 * nothing reports a failed launch. Where the /28s are the cause and the addresses would do, `PREFIX_EXHAUSTED` says it.
 */
export function nodeMinimum(context: AssessContext): readonly Finding[] {
  const findings: Finding[] = [];
  for (const view of context.subnets.values()) {
    const unserved = view.clusters
      .flatMap((cluster) => unservedBy(context, view, cluster) ?? [])
      .sort((a, b) => b.need - a.need || compareText(a.cluster.name, b.cluster.name));
    const [worst] = unserved;
    if (worst !== undefined && view.ledger.applicable) {
      findings.push(belowMinimum(context, view, view.ledger.availableIps, worst, unserved));
    }
  }
  return findings;
}

function unservedBy(context: AssessContext, view: SubnetView, cluster: ClusterModel): Unserved | undefined {
  const { ledger } = view;
  const footprint = footprintHere(cluster, view.facts.subnetId);
  if (footprint === undefined || !ledger.applicable || ledger.availableIps === 0) return undefined;
  const need = footprint.ips + BLOCK_IPS * footprint.prefixes;
  const capacity = capacityOf(roomOf(ledger, 'max'), footprint);
  if (capacity === null) {
    // The count alone proves it where no reservation can hold a prefix that the count leaves out.
    return ledger.availableIps < need && noPrefixReservation(context, view) ? { cluster, footprint, need } : undefined;
  }
  return capacity === 0 && !saidByPrefixes(ledger, footprint) ? { cluster, footprint, need } : undefined;
}

/** What one more node takes of this subnet; nothing where only further interfaces of running nodes go there. */
function footprintHere(cluster: ClusterModel, subnetId: string): Footprint | undefined {
  const apart = cluster.footprint?.pods !== undefined && cluster.podSubnets.has(subnetId);
  return cluster.nodeSubnets.has(subnetId) || apart ? footprintIn(cluster, subnetId) : undefined;
}

function noPrefixReservation(context: AssessContext, view: SubnetView): boolean {
  const read = context.facts.reservations.state !== 'absent' && view.reservations !== undefined;
  return read && !view.reservations.some(({ type }) => type === 'prefix');
}

function saidByPrefixes(ledger: SubnetLedger, footprint: Footprint): boolean {
  return footprint.prefixes > 0 && isFull(ledger) && ledger.eligibleBlocks > 0 && ledger.freePrefixesRange.max === 0;
}

function belowMinimum(
  context: AssessContext,
  view: SubnetView,
  free: number,
  worst: Unserved,
  unserved: readonly Unserved[],
): Finding {
  const { footprint, need, cluster } = worst;
  const type = cluster.footprint?.instanceType;
  const what = [
    footprint.ips > 0 ? addresses(footprint.ips) : '',
    footprint.prefixes > 0 ? count(footprint.prefixes, 'prefix', 'prefixes') : '',
  ].filter((part) => part !== '');
  return finding(
    'SUBNET_BELOW_NODE_MINIMUM',
    { subnet: view.facts },
    {
      severity: 'critical',
      observed: free,
      threshold: need,
      message: `${addresses(free)} of ${nameOf(view.facts)} ${free === 1 ? 'is' : 'are'} available: a node of ${cluster.name} still launches, but its first interface wants ${what.join(' and ')}${type === undefined ? '' : ` (${type})`}. Its pods will hang, and no launch fails to tell of it.`,
      evidence: {
        freeIps: free,
        needPerNode: need,
        prefixesPerNode: footprint.prefixes > 0 ? footprint.prefixes : undefined,
        freePrefixesMax: isFull(view.ledger) ? view.ledger.freePrefixesRange.max : undefined,
        instanceType: type,
        clusters: unserved.map(({ cluster: { name } }) => name).sort(compareText),
        eksSays: reportedByEks(context, view.facts.subnetId),
      },
      remedy: `Keep new nodes away until there is room for ${need} addresses: another subnet in ${view.facts.availabilityZone} for the cluster, or fewer holders here (headroom explain ${view.facts.subnetId}). Alarm below ${need}, not at 0.`,
    },
  );
}
