/** The map of a subnet as it is kept between scans and in snapshots: everything an assessment asks of it, and no interface's record but those unattached. */
import { AddressMap } from '../ip/address-map.ts';
import { formatCidr } from '../ip/ipv4.ts';
import type { SubnetOccupancy } from '../subnet/occupancy.ts';
import type { SubnetFacts } from '../subnet/snapshot.ts';

/** One subnet. `used` and `primaries` have a word a /28, `delegated` a byte: see `AddressMap`. */
export interface StoredOccupancy extends Omit<SubnetOccupancy, 'subnet' | 'map' | 'records'> {
  readonly subnetId: string;
  readonly cidr: string;
  readonly used: Uint16Array;
  readonly delegated: Uint8Array;
}

export function storeOccupancy(occupancy: SubnetOccupancy): StoredOccupancy {
  const { map } = occupancy;
  return {
    subnetId: occupancy.subnet.subnetId,
    cidr: formatCidr(map.cidr),
    used: map.used,
    delegated: map.delegated,
    primaries: occupancy.primaries,
    enis: occupancy.enis,
    enisWithoutIpv4: occupancy.enisWithoutIpv4,
    holders: occupancy.holders,
    clusters: occupancy.clusters,
    eksUse: occupancy.eksUse,
    owners: occupancy.owners,
    strays: occupancy.strays,
    unattached: occupancy.unattached,
    mixed: { count: occupancy.mixed.count, items: occupancy.mixed.items },
    foreignPrefixHolders: {
      count: occupancy.foreignPrefixHolders.count,
      items: occupancy.foreignPrefixHolders.items,
    },
    edgePrefixes: occupancy.edgePrefixes,
    stopped: occupancy.stopped,
    nodes: occupancy.nodes,
  };
}

/** @returns `undefined` where the subnet is no longer the one that was stored. */
export function restoreOccupancy(stored: StoredOccupancy, subnet: SubnetFacts): SubnetOccupancy | undefined {
  const { subnetId, cidr, used, delegated, ...rest } = stored;
  if (subnet.subnetId !== subnetId || subnet.cidr === undefined || formatCidr(subnet.cidr) !== cidr) return undefined;
  const map = new AddressMap(subnet.cidr);
  if (used.length !== map.blocks || delegated.length !== map.blocks) return undefined;
  map.used.set(used);
  map.delegated.set(delegated);
  return { ...rest, subnet, map, records: [] };
}
