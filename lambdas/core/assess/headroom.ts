/**
 * How many more nodes a zone takes: by what its subnets could serve, and by what the launchers' own choice of subnet makes of it (docs/adr/0011).
 * Arithmetic on whole subnets: a /16 costs what a /28 does.
 */
import type { ClusterModel, Footprint, NodeLauncher } from './cluster-model.ts';
import type { SubnetView } from './context.ts';
import { availableAfter, capacityOf, largest, type Place, roomOf } from './footprint.ts';
import { apartCapacity } from './pods-apart.ts';

interface Served extends Place {
  /** Nodes that the subnet serves. */
  readonly capacity: number;
}

/** `undefined`: for some subnet it is not known. */
function served(places: readonly Place[], footprint: Footprint): readonly Served[] | undefined {
  const all: Served[] = [];
  for (const place of places) {
    const capacity = capacityOf(place.room, footprint);
    if (capacity === null) return undefined;
    all.push({ ...place, capacity });
  }
  return all;
}

/** What EC2's count of the subnet is once it serves no further node. */
function levelWhenFull(place: Served, footprint: Footprint): number {
  return availableAfter(place.room, footprint, place.capacity);
}

/**
 * Nodes that Karpenter brings up in one zone, each launched into the subnet with most available addresses, the first by id among equals, and its list
 * refreshed between launches. The count ends with the first node that lands where it cannot be served: Karpenter would go on picking that subnet.
 *
 * Each subnet's count falls by known steps as nodes land, so the picks are those steps merged from the top; every step above the highest level at which some
 * subnet is full is a node that is served.
 *
 * @returns `null` where the free prefixes of a subnet are needed and not known.
 */
export function karpenterHeadroom(places: readonly Place[], footprint: Footprint): number | null {
  const all = served(places, footprint);
  if (all === undefined) return null;
  let trap: Served | undefined;
  let level = 0;
  for (const place of all) {
    const full = levelWhenFull(place, footprint);
    if (trap === undefined || full > level || (full === level && place.subnetId < trap.subnetId)) {
      trap = place;
      level = full;
    }
  }
  if (trap === undefined) return 0;
  let nodes = 0;
  for (const place of all) {
    // The nth node (from 0) is launched at the level that n nodes leave, before the trap's turn comes.
    const before = (n: number) => {
      const at = availableAfter(place.room, footprint, n);
      return at > level || (at === level && place.subnetId < trap.subnetId);
    };
    nodes += place === trap ? place.capacity : largest(place.capacity, (n) => n === 0 || before(n - 1));
  }
  return nodes;
}

/**
 * Nodes that a node group brings up in one zone, its subnets there taking turns in the order of their ids. A subnet without any address refuses the launch
 * and the group goes on to the next one; a subnet that lets the node launch but cannot serve it ends the count.
 *
 * @returns `null` where the free prefixes of a subnet are needed and not known.
 */
export function nodegroupHeadroom(places: readonly Place[], footprint: Footprint): number | null {
  const all = served(places, footprint);
  if (all === undefined) return null;
  const byId = [...all].sort((a, b) => (a.subnetId < b.subnetId ? -1 : 1));
  let end = -1;
  byId.forEach((place, at) => {
    if (levelWhenFull(place, footprint) < 1) return;
    if (end < 0 || place.capacity < (byId[end] as Served).capacity) end = at;
  });
  const rounds = end < 0 ? Number.POSITIVE_INFINITY : (byId[end] as Served).capacity;
  return byId.reduce((sum, { capacity }, at) => sum + Math.min(capacity, at < end ? rounds + 1 : rounds), 0);
}

/** Nodes that the subnets could serve if each were launched into the right one; `null` where that is not known. */
export function totalCapacity(places: readonly Place[], footprint: Footprint): number | null {
  return served(places, footprint)?.reduce((sum, { capacity }) => sum + capacity, 0) ?? null;
}

/** A cluster's subnets in one zone of one VPC. */
export interface ClusterZone {
  readonly vpcId: string;
  readonly zone: string;
  readonly zoneId: string;
  /** Subnets that the cluster may use here, by id. */
  readonly views: readonly SubnetView[];
}

/** The zones where a cluster may use a subnet or has nodes, by VPC and zone id. */
export function clusterZones(cluster: ClusterModel, subnets: ReadonlyMap<string, SubnetView>): readonly ClusterZone[] {
  const zones = new Map<string, { vpcId: string; zone: string; zoneId: string; views: SubnetView[] }>();
  for (const [subnetId, view] of subnets) {
    const usable = cluster.subnets.has(subnetId);
    if (!usable && !cluster.presence.has(subnetId)) continue;
    const { vpcId, availabilityZone: zone, availabilityZoneId: zoneId } = view.facts;
    const key = `${vpcId} ${zoneId}`;
    const found = zones.get(key) ?? { vpcId, zone, zoneId, views: [] };
    zones.set(key, found);
    if (usable) found.views.push(view);
  }
  const sorted = [...zones].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, zone]) => zone);
  for (const { views } of sorted) views.sort((a, b) => (a.facts.subnetId < b.facts.subnetId ? -1 : 1));
  return sorted;
}

/** The subnets of a zone that can hold IPv4 nodes or pods, as places. */
export function placesOf(zone: ClusterZone, ids: { has(id: string): boolean }, end: 'min' | 'max'): readonly Place[] {
  return zone.views
    .filter(({ facts, ledger }) => ledger.applicable && ids.has(facts.subnetId))
    .map(({ facts, ledger }) => ({ subnetId: facts.subnetId, room: roomOf(ledger, end) }));
}

/** Nodes that the zone's subnets could serve, whoever picks them; `null` where that is not known. */
export function zoneCapacity(cluster: ClusterModel, zone: ClusterZone, end: 'min' | 'max'): number | null {
  return zoneNodes(cluster, zone, end, {
    beside: totalCapacity,
    apart: (places, pods, footprint) => apartCapacity(places, pods, footprint, 'best'),
  });
}

/**
 * Nodes that the zone takes by its launchers' own choice: that of the launcher which gets furthest, each taken alone, since what one takes is gone for the
 * others. `null` where that is not known, or nothing launches nodes here.
 */
export function nodeHeadroom(cluster: ClusterModel, zone: ClusterZone, end: 'min' | 'max' = 'max'): number | null {
  const furthest = (
    places: readonly Place[],
    count: (launcher: NodeLauncher, own: readonly Place[]) => number | null,
  ) => {
    let best: number | null = null;
    for (const launcher of cluster.launchers) {
      const ids = new Set(launcher.subnetIds);
      const own = places.filter(({ subnetId }) => ids.has(subnetId));
      if (own.length === 0) continue;
      const nodes = count(launcher, own);
      if (nodes === null) return null;
      best = Math.max(best ?? 0, nodes);
    }
    return best;
  };
  return zoneNodes(cluster, zone, end, {
    beside: (places, footprint) => furthest(places, (launcher, own) => launcherHeadroom(launcher, own, footprint)),
    // With one address a node, no choice of subnet leaves a node without room: all that the choice decides is how much of the pods' space goes to nodes.
    apart: (places, pods, footprint) => furthest(places, (_, own) => apartCapacity(own, pods, footprint, 'careful')),
  });
}

function launcherHeadroom(launcher: NodeLauncher, places: readonly Place[], footprint: Footprint): number | null {
  return launcher.kind === 'karpenter' ? karpenterHeadroom(places, footprint) : nodegroupHeadroom(places, footprint);
}

/** How nodes are counted: with their pods in the node's own subnet, and with pods in subnets of their own. */
interface Counting {
  beside(places: readonly Place[], footprint: Footprint): number | null;
  apart(places: readonly Place[], pods: readonly Place[], footprint: Footprint): number | null;
}

function zoneNodes(cluster: ClusterModel, zone: ClusterZone, end: 'min' | 'max', counting: Counting): number | null {
  const places = placesOf(zone, cluster.nodeSubnets, end);
  if (places.length === 0) return null;
  // Whatever the type and the mode, a node needs one address.
  if (places.every(({ room }) => room.availableIps === 0)) return 0;
  const footprint = cluster.footprint;
  if (footprint === undefined) return null;
  if (footprint.pods === undefined) return counting.beside(places, footprint.node);
  return counting.apart(places, placesOf(zone, cluster.podSubnets, end), footprint.pods);
}
