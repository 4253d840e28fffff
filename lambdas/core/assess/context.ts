/** What every rule reasons with: the facts, the maps made of them, and the clusters found in them. */
import type { SubnetLedger } from '../subnet/ledger.ts';
import { subnetLedger } from '../subnet/ledger.ts';
import type { RegionOccupancy, SubnetOccupancy } from '../subnet/occupancy.ts';
import type { EniReading, RegionFacts, Reservation, SubnetFacts } from '../subnet/snapshot.ts';
import type { ClusterModel } from './cluster-model.ts';
import type { AssessSettings } from './settings.ts';

export interface SubnetView {
  readonly facts: SubnetFacts;
  readonly ledger: SubnetLedger;
  /** `undefined` where no interface could be read, or the subnet has no IPv4. */
  readonly occupancy?: SubnetOccupancy;
  /** `undefined` where they could not be read; empty where none was given. */
  readonly reservations?: readonly Reservation[];
  /** Clusters that may use the subnet, sorted by name. */
  readonly clusters: readonly ClusterModel[];
}

export interface AssessContext {
  readonly facts: RegionFacts;
  readonly enis: EniReading;
  readonly settings: AssessSettings;
  /** By subnet id, in the order of the facts. */
  readonly subnets: ReadonlyMap<string, SubnetView>;
  /** By name. */
  readonly clusters: readonly ClusterModel[];
}

/** Subnets of which no interface, or no reservation, could be read. `all` where a failure names none. */
function unreadSubnets(
  failures: readonly { readonly input: string; readonly subnetIds?: readonly string[] }[],
  input: string,
) {
  const unread = new Set<string>();
  for (const failure of failures) {
    if (failure.input !== input) continue;
    if (failure.subnetIds === undefined) return 'all' as const;
    for (const id of failure.subnetIds) unread.add(id);
  }
  return unread;
}

function isUnread(unread: 'all' | ReadonlySet<string>, subnetId: string): boolean {
  return unread === 'all' || unread.has(subnetId);
}

export function reservationsBySubnet(facts: RegionFacts): ReadonlyMap<string, readonly Reservation[] | undefined> {
  const bySubnet = new Map<string, Reservation[] | undefined>();
  const reading = facts.reservations;
  const unread = reading.state === 'unknown' ? unreadSubnets(reading.failures, 'cidr-reservations') : new Set<string>();
  for (const { subnetId } of facts.subnets) bySubnet.set(subnetId, isUnread(unread, subnetId) ? undefined : []);
  if (reading.state !== 'absent') {
    for (const reservation of reading.value) bySubnet.get(reservation.subnetId)?.push(reservation);
  }
  return bySubnet;
}

/** The ledger of every subnet, by subnet id; a subnet whose interfaces could not be read has counts only. */
export function subnetLedgers(
  facts: RegionFacts,
  enis: EniReading,
  occupancy: RegionOccupancy,
): ReadonlyMap<string, Omit<SubnetView, 'clusters'>> {
  const reservations = reservationsBySubnet(facts);
  const unread = enis.state === 'absent' ? ('all' as const) : unreadSubnets(enis.failures, 'network-interfaces');
  const views = new Map<string, Omit<SubnetView, 'clusters'>>();
  for (const subnet of facts.subnets) {
    const id = subnet.subnetId;
    const held = isUnread(unread, id) ? undefined : occupancy.subnets.get(id);
    const reserved = reservations.get(id);
    const after = enis.state === 'absent' ? undefined : enis.availableIpsAfter?.get(id);
    const ledger = subnetLedger({
      subnet,
      occupancy: held,
      reservations: reserved,
      ...(after === undefined ? {} : { availableIpsAfter: after }),
    });
    views.set(id, {
      facts: subnet,
      ledger,
      ...(held === undefined ? {} : { occupancy: held }),
      ...(reserved === undefined ? {} : { reservations: reserved }),
    });
  }
  return views;
}
