/** How many single addresses EC2 says are left: what a node needs to launch. */
import type { Finding, Severity } from '../../../contract/finding.ts';
import { isFull, round6 } from '../../subnet/ledger.ts';
import { prefixUse, servesNodes, sharedFrom } from '../consumers.ts';
import type { AssessContext, SubnetView } from '../context.ts';
import { finding } from '../finding.ts';
import { reportedByEks } from '../health.ts';
import { lowIps } from '../low.ts';
import { addresses, count, nameOf } from '../words.ts';

/** `SUBNET_EXHAUSTED` and `SUBNET_LOW`. EC2's own count proves both, so no interface has to be read. */
export function subnetRoom(context: AssessContext): readonly Finding[] {
  const findings: Finding[] = [];
  for (const view of context.subnets.values()) {
    const ledger = view.ledger;
    if (!ledger.applicable) continue;
    if (ledger.availableIps === 0) {
      findings.push(exhausted(context, view, ledger.usableIps));
      continue;
    }
    const threshold = round6(lowIps(context, view));
    if (ledger.availableIps < threshold) {
      findings.push(low(context, view, ledger.availableIps, ledger.usableIps, threshold));
    }
  }
  return findings;
}

function exhausted(context: AssessContext, view: SubnetView, usableIps: number): Finding {
  const serves = servesNodes(view);
  const reserved = reservedBlocksLeft(context, view);
  const severity: Severity = serves && reserved === 0 ? 'critical' : 'warning';
  return finding(
    'SUBNET_EXHAUSTED',
    { subnet: view.facts },
    {
      severity,
      observed: 0,
      threshold: 0,
      message: exhaustedMessage(view, usableIps, reserved),
      evidence: {
        family: 'ipv4',
        free: 0,
        usable: usableIps,
        ...who(view),
        eksSays: reportedByEks(context, view.facts.subnetId),
      },
      remedy: exhaustedRemedy(view, reserved),
    },
  );
}

/** Free prefix-reserved blocks that running interfaces can surely still take. */
function reservedBlocksLeft(context: AssessContext, view: SubnetView): number {
  if (!isFull(view.ledger) || prefixUse(view) !== 'used') return 0;
  // What other accounts took inside a reservation shows in neither number (docs/adr/0004).
  if (sharedFrom(view, context.facts.account) === true) return 0;
  // Hidden holders may sit in the reservation too: only what is free in any case counts.
  const { freePrefixesRange, blocks } = view.ledger;
  return Math.min(freePrefixesRange.min, blocks.freeInPrefixReservation ?? 0);
}

function exhaustedMessage(view: SubnetView, usableIps: number, reserved: number): string {
  const start = `No IPv4 address of ${nameOf(view.facts)} is available, of ${usableIps} usable`;
  if (reserved > 0) {
    return `${start}: new nodes and interfaces cannot start here. Running interfaces can still take ${count(reserved, 'free /28')} of its prefix reservations.`;
  }
  const ledger = view.ledger;
  if (isFull(ledger) && ledger.freeIps > 0 && ledger.unaccountedIps === 0) {
    return `${start}: ${addresses(ledger.freeIps)} are held by nothing, but CIDR reservations keep them from being assigned.`;
  }
  if (isFull(ledger) && ledger.unaccountedIps > 0) {
    return `${start}; ${addresses(ledger.unaccountedIps)} are taken by something that is not visible here.`;
  }
  const ipv6 = view.clusters.find((cluster) => cluster.facts?.ipFamily === 'ipv6');
  if (ipv6 !== undefined) {
    return `${start}: every node of the IPv6 cluster ${ipv6.name} still takes one IPv4 address, so no more can start here.`;
  }
  return servesNodes(view)
    ? `${start}: no node, pod interface or load balancer can start here.`
    : `${start}: nothing more can start here.`;
}

function exhaustedRemedy(view: SubnetView, reserved: number): string {
  const id = view.facts.subnetId;
  if (reserved > 0) {
    return `Shrink or delete a prefix reservation (aws ec2 get-subnet-cidr-reservations --subnet-id ${id}), or give new nodes another subnet in ${view.facts.availabilityZone}.`;
  }
  if (!servesNodes(view))
    return `See who holds it: headroom explain ${id}. A subnet cannot be resized; add another one.`;
  return `Give the cluster another subnet in ${view.facts.availabilityZone}, and see who holds this one: headroom explain ${id}.`;
}

function low(context: AssessContext, view: SubnetView, free: number, usable: number, threshold: number): Finding {
  return finding(
    'SUBNET_LOW',
    { subnet: view.facts },
    {
      severity: 'warning',
      observed: free,
      threshold,
      message: `${addresses(free)} of ${nameOf(view.facts)} ${free === 1 ? 'is' : 'are'} available, of ${usable} usable; below ${threshold} is low.`,
      evidence: { family: 'ipv4', free, usable, ...who(view), eksSays: reportedByEks(context, view.facts.subnetId) },
      remedy: `See who holds it: headroom explain ${view.facts.subnetId}. Plan another subnet in ${view.facts.availabilityZone} before it is full.`,
    },
  );
}

/** The largest holders and the clusters: whom to ask. */
function who(view: SubnetView) {
  const holders = isFull(view.ledger)
    ? view.ledger.holders.slice(0, 3).map(({ class: eniClass, enis, ips }) => ({ class: eniClass, enis, ips }))
    : undefined;
  return { clusters: view.clusters.map((cluster) => cluster.name), holders };
}
