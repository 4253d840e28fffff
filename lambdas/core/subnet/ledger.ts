/** The subnet ledger: every address of a subnet accounted for, and how sure that is. Pure arithmetic on an address map. */
import { type AddressMap, BLOCK_IPS, popCount } from '../ip/address-map.ts';
import { blockSize, formatCidr } from '../ip/ipv4.ts';
import { freeBlocksByLength, NOTHING_RESERVED, type ReservedSpace, reservedSpace } from './blocks.ts';
import type { EniClass } from './eni-class.ts';
import type { HolderShare, Stray, SubnetOccupancy } from './occupancy.ts';
import type { Reservation, SubnetFacts } from './snapshot.ts';

/** A whole /28 in a word of the map. */
const ALL_BITS = 0xffff;

/** Addresses of each subnet that AWS keeps: the first four and the last (VPC user guide, "Subnet CIDR blocks"). */
export const AWS_RESERVED_IPS = 5;

export interface SubnetIdentity {
  readonly subnetId: string;
  readonly vpcId: string;
  readonly cidr: string | null;
  readonly availabilityZone: string;
  readonly availabilityZoneId: string;
}

/** An IPv6-only subnet: no number applies. */
export interface NotApplicableLedger extends SubnetIdentity {
  readonly applicable: false;
}

/** No network interface could be read: EC2's count is all there is. */
export interface CountsOnlyLedger extends SubnetIdentity {
  readonly applicable: true;
  readonly confidence: 'counts-only';
  readonly usableIps: number;
  /** EC2's own `AvailableIpAddressCount`. */
  readonly availableIps: number;
}

export interface Holder extends HolderShare {
  readonly class: EniClass;
}

/** Counts of IPv4 addresses or of aligned /28 blocks; `null` is "not known" or "not defined", never 0. */
export interface FullLedger extends SubnetIdentity {
  readonly applicable: true;
  readonly confidence: 'exact' | 'partial' | 'skewed';
  readonly usableIps: number;
  readonly usedIps: number;
  readonly freeIps: number;
  /** EC2's own `AvailableIpAddressCount`, the one that was believed of those read. */
  readonly availableIps: number;
  /** `null` where the reservations could not be read. */
  readonly reservedFreeIps: { readonly prefix: number; readonly explicit: number } | null;
  /** Addresses that EC2 counts as taken and no visible interface explains. */
  readonly unaccountedIps: number;
  /** Addresses released between the two reads. */
  readonly skewIps: number;
  readonly blocks: {
    readonly total: number;
    readonly edge: number;
    readonly delegated: number;
    readonly occupied: number;
    readonly free: number;
    readonly freeInPrefixReservation: number | null;
    readonly freeInExplicitReservation: number | null;
  };
  readonly freePrefixes: number;
  readonly freePrefixesRange: { readonly min: number; readonly max: number };
  readonly strandedIps: number;
  readonly bestCaseFreePrefixes: number;
  /** Aligned /28s that could ever be a delegated prefix: no address reserved by AWS or explicitly. */
  readonly eligibleBlocks: number;
  /** 0 to 1, six decimals; `null` where even the densest packing leaves no free prefix. */
  readonly fragmentation: number | null;
  readonly freeBlocksByLength: { readonly [length: string]: number };
  readonly largestFreeBlockLength: number | null;
  readonly holders: readonly Holder[];
  readonly strays: readonly Stray[];
}

export type SubnetLedger = NotApplicableLedger | CountsOnlyLedger | FullLedger;

export function isFull(ledger: SubnetLedger): ledger is FullLedger {
  return ledger.applicable && ledger.confidence !== 'counts-only';
}

export interface LedgerInput {
  readonly subnet: SubnetFacts;
  /** `undefined` where no interface of the subnet could be read. */
  readonly occupancy: SubnetOccupancy | undefined;
  /** `undefined` where they could not be read. */
  readonly reservations: readonly Reservation[] | undefined;
  /** EC2's count read again after the interfaces, live only. */
  readonly availableIpsAfter?: number;
}

export function subnetLedger(input: LedgerInput): SubnetLedger {
  const { subnet, occupancy } = input;
  const identity: SubnetIdentity = {
    subnetId: subnet.subnetId,
    vpcId: subnet.vpcId,
    cidr: subnet.cidr === undefined ? null : formatCidr(subnet.cidr),
    availabilityZone: subnet.availabilityZone,
    availabilityZoneId: subnet.availabilityZoneId,
  };
  if (subnet.cidr === undefined) return { ...identity, applicable: false };
  const usableIps = blockSize(subnet.cidr.length) - AWS_RESERVED_IPS;
  if (occupancy === undefined) {
    const availableIps = input.availableIpsAfter ?? subnet.availableIps;
    return { ...identity, applicable: true, confidence: 'counts-only', usableIps, availableIps };
  }
  return { ...identity, ...fullLedger(usableIps, occupancy, input) };
}

function fullLedger(
  usableIps: number,
  occupancy: SubnetOccupancy,
  input: LedgerInput,
): Omit<FullLedger, keyof SubnetIdentity> {
  const map = occupancy.map;
  const reserved = reservedSpace(map, input.reservations ?? []);
  const tally = tallyBlocks(map, reserved);
  const freeIps = usableIps - tally.usedIps;
  const known = input.reservations !== undefined;
  const gap = believedCount(freeIps, tally.prefixFreeIps, tally.explicitFreeIps, input);
  const { unaccountedIps: u, skewIps } = gap;
  const freePrefixes = tally.free - tally.freeInExplicit;
  const best = bestCase(tally);
  const byLength = freeBlocksByLength(map, reserved);
  return {
    applicable: true,
    confidence: u > 0 ? 'partial' : skewIps > 0 ? 'skewed' : 'exact',
    usableIps,
    usedIps: tally.usedIps,
    freeIps,
    availableIps: gap.availableIps,
    reservedFreeIps: known ? { prefix: tally.prefixFreeIps, explicit: tally.explicitFreeIps } : null,
    unaccountedIps: u,
    skewIps,
    blocks: {
      total: map.blocks,
      edge: tally.edge,
      delegated: tally.delegated,
      occupied: tally.occupied,
      free: tally.free,
      freeInPrefixReservation: known ? tally.freeInPrefix : null,
      freeInExplicitReservation: known ? tally.freeInExplicit : null,
    },
    freePrefixes,
    freePrefixesRange: range(freePrefixes, freeIps, tally, u, skewIps),
    strandedIps: freeIps - tally.explicitFreeIps - BLOCK_IPS * freePrefixes,
    bestCaseFreePrefixes: best,
    eligibleBlocks: tally.eligible,
    fragmentation: best === 0 ? null : round6(1 - freePrefixes / best),
    freeBlocksByLength: Object.fromEntries(byLength),
    largestFreeBlockLength: largestFree(byLength),
    holders: holders(occupancy),
    strays: [...occupancy.strays].sort((a, b) => compare(a.eniId, b.eniId) || compare(a.address, b.address)),
  };
}

interface BlockTally {
  readonly usedIps: number;
  readonly edge: number;
  readonly delegated: number;
  readonly occupied: number;
  readonly free: number;
  readonly freeInPrefix: number;
  readonly freeInExplicit: number;
  readonly prefixFreeIps: number;
  readonly explicitFreeIps: number;
  readonly eligible: number;
  readonly eligibleDelegated: number;
  /** Used single addresses outside delegated blocks and explicit reservations. */
  readonly singles: number;
  /** Addresses that can only ever be single ones: outside eligible blocks, and neither kept by AWS, explicitly reserved nor delegated. */
  readonly slack: number;
}

function tallyBlocks(map: AddressMap, reserved: ReservedSpace): BlockTally {
  // Plain locals, and nothing counted that a glance at the word rules out: a region has hundreds of thousands of blocks.
  const { used: words, delegated: prefixes } = map;
  const anyReserved = reserved !== NOTHING_RESERVED;
  const last = map.blocks - 1;
  let usedIps = 0;
  let edge = 0;
  let delegated = 0;
  let free = 0;
  let freeInPrefix = 0;
  let freeInExplicit = 0;
  let prefixFreeIps = 0;
  let explicitFreeIps = 0;
  let eligible = 0;
  let eligibleDelegated = 0;
  let singles = 0;
  let slack = 0;
  for (let block = 0; block <= last; block++) {
    const used = words[block] as number;
    const prefix = anyReserved ? (reserved.prefix[block] as number) : 0;
    const explicit = anyReserved ? (reserved.explicit[block] as number) : 0;
    const aws = block === 0 || block === last ? map.reservedBits(block) : 0;
    const held = used === 0 ? 0 : popCount(used);
    usedIps += held;
    if ((prefix | explicit) !== 0) {
      const unused = ALL_BITS & ~used & ~aws;
      prefixFreeIps += popCount(unused & prefix);
      explicitFreeIps += popCount(unused & explicit);
    }
    const isEligible = (aws | explicit) === 0;
    if (isEligible) eligible++;
    if (prefixes[block] === 1) {
      delegated++;
      if (isEligible) eligibleDelegated++;
      continue;
    }
    singles += explicit === 0 ? held : popCount(used & ~explicit);
    if (!isEligible) slack += popCount(ALL_BITS & ~aws & ~explicit);
    if (aws !== 0) {
      edge++;
    } else if (used === 0) {
      free++;
      if (prefix === ALL_BITS) freeInPrefix++;
      if (explicit !== 0) freeInExplicit++;
    }
  }
  return {
    usedIps,
    edge,
    delegated,
    occupied: map.blocks - edge - delegated - free,
    free,
    freeInPrefix,
    freeInExplicit,
    prefixFreeIps,
    explicitFreeIps,
    eligible,
    eligibleDelegated,
    singles,
    slack,
  };
}

/** Free prefixes if the same holders were packed as densely as possible. */
function bestCase(t: BlockTally): number {
  const packed = Math.ceil(Math.max(0, t.singles - t.slack) / BLOCK_IPS);
  return Math.max(0, t.eligible - t.eligibleDelegated - packed);
}

interface Gap {
  readonly availableIps: number;
  readonly unaccountedIps: number;
  readonly skewIps: number;
}

/** What EC2 subtracts for reservations is not documented well, so each of the readings that make sense is accepted (docs/adr/0004). */
function gapOf(freeIps: number, availableIps: number, prefixFree: number, explicitFree: number): Gap {
  const gap = freeIps - availableIps;
  if (gap < 0) return { availableIps, unaccountedIps: 0, skewIps: -gap };
  const both = prefixFree + explicitFree;
  if (gap === 0 || gap === prefixFree || gap === explicitFree || gap === both) {
    return { availableIps, unaccountedIps: 0, skewIps: 0 };
  }
  return { availableIps, unaccountedIps: gap > both ? gap - both : gap, skewIps: 0 };
}

/** Of the counts read before and after the interfaces, the one that the map explains best; the later one where they explain the same. */
function believedCount(freeIps: number, prefixFree: number, explicitFree: number, input: LedgerInput): Gap {
  const before = gapOf(freeIps, input.subnet.availableIps, prefixFree, explicitFree);
  if (input.availableIpsAfter === undefined) return before;
  const after = gapOf(freeIps, input.availableIpsAfter, prefixFree, explicitFree);
  const unexplained = (gap: Gap) => gap.unaccountedIps + gap.skewIps;
  return unexplained(before) < unexplained(after) ? before : after;
}

function range(freePrefixes: number, freeIps: number, t: BlockTally, unaccounted: number, skew: number) {
  if (unaccounted > 0) {
    // Hidden addresses may lie in explicit space first; what is left of them takes from the rest.
    const elsewhere = Math.max(0, unaccounted - t.explicitFreeIps);
    const room = Math.floor((freeIps - t.explicitFreeIps - elsewhere) / BLOCK_IPS);
    return { min: Math.max(0, freePrefixes - unaccounted), max: Math.max(0, Math.min(freePrefixes, room)) };
  }
  if (skew > 0) return { min: freePrefixes, max: Math.min(freePrefixes + skew, t.eligible) };
  return { min: freePrefixes, max: freePrefixes };
}

function largestFree(byLength: ReadonlyMap<number, number>): number | null {
  for (const [length, count] of byLength) if (count > 0) return length;
  return null;
}

function holders(occupancy: SubnetOccupancy): Holder[] {
  return [...occupancy.holders]
    .map(([eniClass, { enis, ips, prefixes }]) => ({ class: eniClass, enis, ips, prefixes }))
    .sort((a, b) => b.ips - a.ips || b.enis - a.enis || compare(a.class, b.class));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Ratios are printed with six decimals, so that equal facts compare equal. */
export function round6(ratio: number): number {
  return Math.round(ratio * 1e6) / 1e6;
}
