/** Single addresses and prefixes in one subnet: what each costs the other. */
import type { Finding } from '../../../contract/finding.ts';
import { BLOCK_IPS } from '../../ip/address-map.ts';
import { formatIpv4 } from '../../ip/ipv4.ts';
import { type LoneAddress, loneAddresses, reservedSpace } from '../../subnet/blocks.ts';
import { EKS_CLASSES, type EniClass } from '../../subnet/eni-class.ts';
import { type FullLedger, isFull } from '../../subnet/ledger.ts';
import { prefixUse } from '../consumers.ts';
import type { AssessContext, SubnetView } from '../context.ts';
import { finding } from '../finding.ts';
import { lowPrefixes } from '../low.ts';
import { addresses, count, list, nameOf } from '../words.ts';

/** Addresses named in evidence. */
const NAMED_ADDRESSES = 64;

/**
 * `SINGLE_ADDRESS_BREAKS_BLOCK`: the primary addresses that each keep a whole /28 from being a prefix.
 *
 * Said only where a prefix is worth something: prefixes are used, or they are short and nobody is known to want none.
 */
export function loneAddressRule(context: AssessContext): readonly Finding[] {
  const findings: Finding[] = [];
  for (const view of context.subnets.values()) {
    const { ledger, occupancy } = view;
    if (!isFull(ledger) || occupancy === undefined || !prefixesMatter(context, view, ledger)) continue;
    const reserved = reservedSpace(occupancy.map, view.reservations ?? []);
    const lone = loneAddresses(occupancy.map, occupancy.primaries).filter(
      ({ block, primary }) => primary && reserved.explicit[block] === 0,
    );
    if (lone.length > 0) findings.push(breaksBlock(view, ledger, lone));
  }
  return findings;
}

function prefixesMatter(context: AssessContext, view: SubnetView, ledger: FullLedger): boolean {
  const use = prefixUse(view);
  if (use !== 'unknown') return use === 'used';
  return ledger.freePrefixesRange.min < lowPrefixes(context, view);
}

function breaksBlock(view: SubnetView, ledger: FullLedger, lone: readonly LoneAddress[]): Finding {
  const named = lone.map(({ address }) => formatIpv4(address));
  return finding(
    'SINGLE_ADDRESS_BREAKS_BLOCK',
    { subnet: view.facts },
    {
      severity: 'info',
      observed: lone.length,
      threshold: 0,
      message: `${count(lone.length, '/28')} of ${nameOf(view.facts)} would be free but for one primary address each: ${list(named)}.`,
      evidence: {
        count: lone.length,
        lostIps: lone.length * (BLOCK_IPS - 1),
        addresses: named.slice(0, NAMED_ADDRESSES),
      },
      remedy: `EC2 places primaries at random. ${reserveWords(view, ledger)}; those that are there go with their nodes.`,
    },
  );
}

/** A reservation keeps whole /28s free and makes none: where there is none, or where all are reserved already, it is no advice. */
function reserveWords(view: SubnetView, ledger: FullLedger): string {
  const free = ledger.freePrefixesRange;
  const command = 'aws ec2 create-subnet-cidr-reservation --reservation-type prefix --subnet-id';
  if (free.max === 0) {
    return `A reservation made here now yields no prefix, since no whole /28 is free: give pods a new or drained subnet in ${view.facts.availabilityZone} and reserve there (${command} ... --cidr ...)`;
  }
  if (ledger.blocks.freeInPrefixReservation !== null && ledger.blocks.freeInPrefixReservation >= free.max) {
    return 'What is still free is reserved for prefixes already, so new ones land outside it';
  }
  return `Reserve the free range for prefixes (${command} ${view.facts.subnetId} --cidr ...) so that new ones land outside it`;
}

/** `MIXED_MODE`: nodes that hold prefixes and secondary single addresses, on one interface or side by side in one subnet. */
export function mixedMode(context: AssessContext): readonly Finding[] {
  const findings: Finding[] = [];
  for (const view of context.subnets.values()) {
    const { ledger, occupancy } = view;
    if (!isFull(ledger) || occupancy === undefined || ledger.blocks.delegated === 0) continue;
    const secondaries = [...occupancy.eksUse.values()].reduce((sum, use) => sum + use.secondaryIps, 0);
    const mixed = occupancy.mixed.count;
    if (mixed === 0 && secondaries === 0) continue;
    findings.push(
      finding(
        'MIXED_MODE',
        { subnet: view.facts },
        {
          severity: 'info',
          // An interface that holds both has at least one single address, also where nothing tells that its instance is a node.
          observed: Math.max(secondaries, mixed),
          threshold: 0,
          message: `${nameOf(view.facts)} holds ${count(ledger.blocks.delegated, 'prefix', 'prefixes')}${secondaries > 0 ? ` and ${addresses(secondaries)} that nodes took singly` : ''}${mixed > 0 ? `; ${count(mixed, 'interface')} ${mixed === 1 ? 'holds' : 'hold'} prefixes and single addresses` : ''}. Each single address can cost a whole /28.`,
          evidence: {
            count: mixed,
            prefixes: ledger.blocks.delegated,
            secondaryIps: secondaries,
            clusters: view.clusters.map((c) => c.name),
          },
          eniIds: occupancy.mixed.items,
          remedy:
            'Replace the nodes that hold both: a node that took single addresses keeps them and never returns to prefixes alone. Use one mode in a subnet, and a new node group to change it.',
        },
      ),
    );
  }
  return findings;
}

/** Classes that an interface gets only because nothing is known of its instance. */
const UNPROVEN: ReadonlySet<EniClass> = new Set<EniClass>(['instance-other', 'unattached', 'unknown', 'efa']);

/** `NON_EKS_PREFIX_HOLDER`: a prefix that something other than an EKS node holds. An instance is none only once its tags were read. */
export function foreignPrefixes(context: AssessContext): readonly Finding[] {
  const instancesRead = context.facts.instances.state === 'read';
  const findings: Finding[] = [];
  for (const view of context.subnets.values()) {
    const { ledger, occupancy } = view;
    if (!isFull(ledger) || occupancy === undefined || occupancy.foreignPrefixHolders.count === 0) continue;
    const holders = ledger.holders.filter(({ class: c, prefixes }) => {
      return prefixes > 0 && c !== 'efa' && !EKS_CLASSES.has(c) && (instancesRead || !UNPROVEN.has(c));
    });
    if (holders.length === 0) continue;
    const prefixes = holders.reduce((sum, holder) => sum + holder.prefixes, 0);
    const all = holders.reduce((sum, holder) => sum + holder.enis, 0);
    findings.push(
      finding(
        'NON_EKS_PREFIX_HOLDER',
        { subnet: view.facts },
        {
          severity: 'info',
          observed: prefixes,
          threshold: 0,
          message: `${count(prefixes, 'prefix', 'prefixes')} of ${nameOf(view.facts)} ${prefixes === 1 ? 'belongs' : 'belong'} to no EKS node but to ${list(holders.map((holder) => holder.class))}.`,
          evidence: {
            prefixes,
            holders: holders.map(({ class: c, enis, prefixes: p }) => ({ class: c, enis, prefixes: p })),
            enis: all,
          },
          eniIds: instancesRead ? occupancy.foreignPrefixHolders.items : undefined,
          remedy: 'Find its owner before you count on these blocks: the VPC CNI and Headroom never take them back.',
        },
      ),
    );
  }
  return findings;
}
