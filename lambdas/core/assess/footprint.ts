/** What one more node takes, and how many more a subnet can serve (docs/adr/0011). */
import { BLOCK_IPS } from '../ip/address-map.ts';
import { isFull, type SubnetLedger } from '../subnet/ledger.ts';
import type { InstanceTypeFacts, NodeClassFacts } from '../subnet/snapshot.ts';
import type { ClusterModel, CniFacts, Footprint, NodeFootprint } from './cluster-model.ts';
import { modeOn } from './cni-demand.ts';

export interface FootprintInput {
  readonly cni: CniFacts;
  readonly ipv6: boolean;
  readonly instanceType: string | undefined;
  /** Limits of that type, where they are known. */
  readonly limits: InstanceTypeFacts | undefined;
  readonly nodeClasses: readonly NodeClassFacts[];
}

/** A node's first address, which it needs to launch at all. */
const PRIMARY: Footprint = { ips: 1, prefixes: 0 };

/**
 * One more node launches and its first interface is filled as the CNI fills it at start.
 *
 * Secondary-IP mode: every address of the interface, the primary among them. Prefix mode: the primary and the prefixes that the CNI attaches at start
 * (`WARM_PREFIX_TARGET`, at least one; or `ipPrefixCount`), at most one for each other slot. Auto Mode: the primary and 16 addresses, as a prefix
 * or, where none is left, singly. IPv6: the primary alone. With pod subnets of their own, pods' addresses are taken there.
 *
 * @returns `undefined` where the mode, or the limits it depends on, are not known.
 */
export function nodeFootprint(input: FootprintInput): NodeFootprint | undefined {
  const { cni, instanceType, nodeClasses } = input;
  const type = instanceType === undefined ? {} : { instanceType };
  if (input.ipv6) return { ...type, node: PRIMARY };
  const filled = firstInterface(input);
  if (filled === undefined) return undefined;
  const apart = cni.customNetworking || nodeClasses.some((one) => one.podSubnetSelectorTerms.length > 0);
  return apart ? { ...type, node: PRIMARY, pods: filled } : { ...type, node: filled };
}

function firstInterface({ cni, limits, nodeClasses }: FootprintInput): Footprint | undefined {
  switch (modeOn(cni, limits)) {
    case 'secondary-ip':
      return limits === undefined ? undefined : { ips: limits.ipv4PerEni, prefixes: 0 };
    case 'prefix': {
      const counts = nodeClasses.map((one) => one.ipPrefixCount ?? 0);
      const warm = Number(cni.env.get('WARM_PREFIX_TARGET') ?? 1);
      const wanted = Math.max(1, Number.isInteger(warm) ? warm : 1, ...counts);
      const slots = limits === undefined ? wanted : Math.max(1, limits.ipv4PerEni - 1);
      return { ips: 1, prefixes: Math.min(wanted, slots) };
    }
    case 'auto':
      return { ips: 1 + BLOCK_IPS, prefixes: 0 };
    case 'unknown':
      return undefined;
  }
}

/**
 * What one more node takes of this subnet: its own share, its pods' share where they live apart, or both, where an ENIConfig names the subnet of the nodes.
 * A subnet that is neither, such as a standby, is taken for one of nodes.
 */
export function footprintIn(cluster: ClusterModel, subnetId: string): Footprint | undefined {
  const { footprint, podSubnets, nodeSubnets } = cluster;
  if (footprint?.pods === undefined || !podSubnets.has(subnetId)) return footprint?.node;
  return nodeSubnets.has(subnetId) ? together(footprint.node, footprint.pods) : footprint.pods;
}

/** What a node and its pods take where they share one subnet. */
export function together(node: Footprint, pods: Footprint): Footprint {
  return { ips: node.ips + pods.ips, prefixes: node.prefixes + pods.prefixes };
}

/** What a subnet has to give to nodes and pods. */
export interface Room {
  /** EC2's count: what Karpenter and the CNI rank by, and what single addresses are taken from. */
  readonly availableIps: number;
  /** Free /28s; `null` where they are not known. */
  readonly prefixes: number | null;
  /** Of these, the ones inside `prefix` reservations: EC2's count does not hold them, so taking them does not lower it. */
  readonly reservedPrefixes: number;
}

/** A subnet that nodes or pods may take room of. */
export interface Place {
  readonly subnetId: string;
  readonly room: Room;
}

/** @param end which end of the range of free prefixes to believe: `max` before saying that nothing is left, `min` before saying that something is. */
export function roomOf(ledger: SubnetLedger, end: 'min' | 'max'): Room {
  if (!ledger.applicable) return { availableIps: 0, prefixes: 0, reservedPrefixes: 0 };
  if (!isFull(ledger)) return { availableIps: ledger.availableIps, prefixes: null, reservedPrefixes: 0 };
  const prefixes = ledger.freePrefixesRange[end];
  // Whether EC2's count holds them at all is told by the gap between the map and the count.
  const hidden = ledger.freeIps - ledger.availableIps >= (ledger.reservedFreeIps?.prefix ?? 0);
  const reserved = hidden ? (ledger.blocks.freeInPrefixReservation ?? 0) : 0;
  return { availableIps: ledger.availableIps, prefixes, reservedPrefixes: Math.min(prefixes, reserved) };
}

/** What is left of EC2's count once `nodes` nodes were served; falls as `nodes` grows. */
export function availableAfter(room: Room, footprint: Footprint, nodes: number): number {
  const beyond = Math.max(0, footprint.prefixes * nodes - room.reservedPrefixes);
  return room.availableIps - footprint.ips * nodes - BLOCK_IPS * beyond;
}

/** How many nodes of this footprint the room serves; `null` where free prefixes are needed and not known, and the count does not settle it. */
export function capacityOf(room: Room, footprint: Footprint): number | null {
  if (room.availableIps < footprint.ips) return 0;
  if (footprint.prefixes === 0) return Math.floor(room.availableIps / footprint.ips);
  if (room.prefixes === null) return null;
  const most = Math.floor(room.prefixes / footprint.prefixes);
  return largest(most, (nodes) => availableAfter(room, footprint, nodes) >= 0);
}

/** The largest whole number from 0 to `most` for which a condition that once fails stays false holds; 0 where none does. */
export function largest(most: number, holds: (n: number) => boolean): number {
  let low = 0;
  let high = most;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
