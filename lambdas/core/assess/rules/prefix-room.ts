/** How many /28 prefixes are left, and how many scatter takes away. Needs the address map. */
import type { Finding, Severity } from '../../../contract/finding.ts';
import { type FullLedger, isFull, round6 } from '../../subnet/ledger.ts';
import { type PrefixUse, prefixUse } from '../consumers.ts';
import type { AssessContext, SubnetView } from '../context.ts';
import { finding } from '../finding.ts';
import { lowPrefixes } from '../low.ts';
import { subnetThresholds } from '../subnet-thresholds.ts';
import { addresses, count, nameOf } from '../words.ts';

const EXHAUSTED_SEVERITY: Readonly<Record<PrefixUse, Severity>> = {
  used: 'critical',
  unknown: 'warning',
  single: 'info',
};
const SHORT_SEVERITY: Readonly<Record<PrefixUse, Severity>> = { used: 'warning', unknown: 'info', single: 'info' };

const USE: Readonly<Record<PrefixUse, string>> = {
  used: 'Pods here use prefixes.',
  unknown: 'Nothing here uses prefixes today; prefix delegation could not be turned on.',
  single: 'The clusters here want single addresses, so nothing waits for a prefix.',
};

/** `PREFIX_EXHAUSTED`, `PREFIX_LOW` and `FRAGMENTED`. */
export function prefixRoom(context: AssessContext): readonly Finding[] {
  const findings: Finding[] = [];
  for (const view of context.subnets.values()) {
    const ledger = view.ledger;
    if (!isFull(ledger)) continue;
    const use = prefixUse(view);
    // Without one available address it is exhausted altogether; without an eligible block it never had a prefix to give.
    if (ledger.availableIps > 0 && ledger.eligibleBlocks > 0) {
      const room = ledger.freePrefixesRange.max === 0 ? exhausted(view, ledger, use) : low(context, view, ledger, use);
      if (room !== undefined) findings.push(room);
    }
    const fragmented = fragmentation(context, view, ledger, use);
    if (fragmented !== undefined) findings.push(fragmented);
  }
  return findings;
}

function evidence(ledger: FullLedger, use: PrefixUse) {
  return {
    prefixUse: use,
    freeIps: ledger.freeIps,
    availableIps: ledger.availableIps,
    freePrefixes: ledger.freePrefixes,
    freePrefixesMin: ledger.freePrefixesRange.min,
    freePrefixesMax: ledger.freePrefixesRange.max,
    bestCaseFreePrefixes: ledger.bestCaseFreePrefixes,
    eligibleBlocks: ledger.eligibleBlocks,
    occupiedBlocks: ledger.blocks.occupied,
    delegatedBlocks: ledger.blocks.delegated,
    confidence: ledger.confidence,
  };
}

function exhausted(view: SubnetView, ledger: FullLedger, use: PrefixUse): Finding {
  return finding(
    'PREFIX_EXHAUSTED',
    { subnet: view.facts },
    {
      severity: EXHAUSTED_SEVERITY[use],
      observed: 0,
      threshold: 0,
      message: `${nameOf(view.facts)} has ${count(ledger.availableIps, 'available address', 'available addresses')} and not one whole /28: ${whyNone(ledger)}. ${USE[use]}`,
      evidence: evidence(ledger, use),
      remedy: exhaustedRemedy(view, ledger, use),
    },
  );
}

function whyNone(ledger: FullLedger): string {
  if (ledger.unaccountedIps > 0) {
    return `${addresses(ledger.unaccountedIps)} that no visible interface explains leave room for none`;
  }
  const { occupied, delegated, freeInExplicitReservation } = ledger.blocks;
  const causes = [`${occupied} of ${ledger.eligibleBlocks} hold single addresses`];
  if (delegated > 0) causes.push(`${delegated} are prefixes already`);
  if ((freeInExplicitReservation ?? 0) > 0) causes.push(`${freeInExplicitReservation} lie in explicit reservations`);
  return causes.join(', ');
}

function exhaustedRemedy(view: SubnetView, ledger: FullLedger, use: PrefixUse): string {
  const won = ledger.bestCaseFreePrefixes;
  const fresh = `Give pods a new or drained subnet in ${view.facts.availabilityZone} with a CIDR reservation of type prefix (aws ec2 create-subnet-cidr-reservation --reservation-type prefix)`;
  if (use === 'used') {
    return `${fresh}; a reservation made here now yields no prefix. Packed, the same holders would leave ${count(won, 'prefix', 'prefixes')}: replacing nodes frees blocks only by chance.`;
  }
  return `${fresh} before turning prefix delegation on; until then keep ENABLE_PREFIX_DELEGATION=false. A reservation made here now yields no prefix.`;
}

function low(context: AssessContext, view: SubnetView, ledger: FullLedger, use: PrefixUse): Finding | undefined {
  const threshold = lowPrefixes(context, view);
  const { min, max } = ledger.freePrefixesRange;
  if (min >= threshold) return undefined;
  const free = min === max ? count(min, 'free /28') : `between ${min} and ${max} free /28s`;
  return finding(
    'PREFIX_LOW',
    { subnet: view.facts },
    {
      severity: SHORT_SEVERITY[use],
      observed: min,
      threshold: round6(threshold),
      message: `${nameOf(view.facts)} has ${free} left of ${ledger.eligibleBlocks} that could be prefixes, below ${round6(threshold)}; its ${count(ledger.availableIps, 'available address', 'available addresses')} do not show it.`,
      evidence: evidence(ledger, use),
      remedy:
        min === max
          ? `Keep single addresses out of what is left: reserve it (aws ec2 create-subnet-cidr-reservation --reservation-type prefix --subnet-id ${view.facts.subnetId} --cidr ...; headroom explain ${view.facts.subnetId} shows the free ranges), or add a subnet.`
          : 'The count cannot be made exact from here: read the subnet from the account that owns it, with its CIDR reservations.',
    },
  );
}

function fragmentation(
  context: AssessContext,
  view: SubnetView,
  ledger: FullLedger,
  use: PrefixUse,
): Finding | undefined {
  const ratio = ledger.fragmentation;
  const threshold = subnetThresholds(context, view).fragmentedRatio;
  const lost = ledger.bestCaseFreePrefixes - ledger.freePrefixes;
  if (ratio === null || ratio < threshold || lost < 1) return undefined;
  return finding(
    'FRAGMENTED',
    { subnet: view.facts },
    {
      severity: SHORT_SEVERITY[use],
      observed: ratio,
      threshold,
      message: `${nameOf(view.facts)} has ${count(ledger.freePrefixes, 'free /28')}; the same holders packed together would leave ${ledger.bestCaseFreePrefixes}. Scatter costs ${count(lost, 'prefix', 'prefixes')}, ${Math.round(ratio * 100)} %.`,
      evidence: { ...evidence(ledger, use), strandedIps: ledger.strandedIps, lostPrefixes: lost },
      remedy: `EC2 places single addresses at random and has no call to pack them. See who breaks which block: headroom explain ${view.facts.subnetId}; for prefixes use a reserved range or a subnet of their own.`,
    },
  );
}
