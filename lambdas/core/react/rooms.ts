/** What is known of the subnets that events speak of: the last snapshot, as far as a decision needs it. */
import type { SubnetReport } from '../assess/report.ts';
import { isFull } from '../subnet/ledger.ts';

export interface SubnetRoom {
  readonly subnetId: string;
  readonly vpcId: string;
  readonly availabilityZone: string;
  readonly availabilityZoneId: string;
  readonly name?: string;
  /** False for a subnet with IPv6 alone. */
  readonly ipv4: boolean;
  /** `AvailableIpAddressCount`; `null` without IPv4. */
  readonly availableIps: number | null;
  readonly usableIps: number | null;
  /** Free /28 prefixes; `null` where the interfaces are not known. */
  readonly freePrefixes: { readonly min: number; readonly max: number } | null;
  /** How sure the ledger is: `exact`, `partial`, `skewed`, `counts-only`. */
  readonly confidence: string;
  /** Clusters that may use it. */
  readonly clusters: readonly string[];
}

/** Lookups in the last snapshot, and in what was asked since. */
export interface Rooms {
  room(subnetId: string): SubnetRoom | undefined;
  /** Subnet of an interface. */
  subnetOf(eniId: string): string | undefined;
}

export function roomOf({ ledger, name, clusters }: SubnetReport): SubnetRoom {
  const { subnetId, vpcId, availabilityZone, availabilityZoneId } = ledger;
  return {
    ...{ subnetId, vpcId, availabilityZone, availabilityZoneId },
    ...(name === undefined ? {} : { name }),
    ipv4: ledger.applicable,
    availableIps: ledger.applicable ? ledger.availableIps : null,
    usableIps: ledger.applicable ? ledger.usableIps : null,
    freePrefixes: isFull(ledger) ? ledger.freePrefixesRange : null,
    confidence: ledger.applicable ? ledger.confidence : 'not-applicable',
    clusters,
  };
}

/** @param subnets by subnet. @param enis subnet id by interface id. */
export function roomsOf(subnets: readonly SubnetRoom[], enis: ReadonlyMap<string, string>): Rooms {
  const bySubnet = new Map(subnets.map((room) => [room.subnetId, room]));
  return { room: (id) => bySubnet.get(id), subnetOf: (id) => enis.get(id) };
}
