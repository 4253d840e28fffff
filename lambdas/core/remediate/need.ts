/** Where a cluster needs room that its own subnets do not have: the trigger of an activation, with hysteresis. */
import type { ClusterModel } from '../assess/cluster-model.ts';
import type { AssessContext, SubnetView } from '../assess/context.ts';
import { capacityOf, footprintIn, roomOf } from '../assess/footprint.ts';
import { type ClusterZone, clusterZones, nodeHeadroom, zoneCapacity } from '../assess/headroom.ts';
import { lowIps } from '../assess/low.ts';
import { thresholdsFor } from '../assess/settings.ts';

/** A zone where the cluster's next nodes are not served. */
export interface RoomNeed {
  readonly cluster: ClusterModel;
  readonly zone: ClusterZone;
  /** The cluster's subnet of the zone that is worst off: what a standby is held against. */
  readonly trouble: SubnetView;
  /** Nodes that the zone takes by its launchers' own choice, believing the worse end of every range; `null` where that is not known. */
  readonly nodes: number | null;
  /** The same, believing the better end: where the two decide differently, nothing is done. */
  readonly nodesAtBest: number | null;
  /** Fewer nodes than this is a need. */
  readonly below: number;
  readonly certain: boolean;
}

/** Share of the threshold that a zone must have more than the threshold before a need that was is over. */
const LEAVE_MARGIN = 0.5;

/**
 * Whether a zone with this many more nodes is in need. A need begins below the threshold and ends half a threshold above it, so that a number that wavers
 * around the threshold neither makes nor unmakes a plan each time.
 *
 * @param open whether a plan for it is open already.
 */
export function needsRoom(nodes: number, below: number, open: boolean): boolean {
  return open ? nodes < below + Math.ceil(below * LEAVE_MARGIN) : nodes < below;
}

/** @param open whether a plan for the cluster's zone is open: `cluster/vpc/zone id`. */
export function roomNeeds(context: AssessContext, open: (place: string) => boolean = () => false): RoomNeed[] {
  return context.clusters.flatMap((cluster) =>
    clusterZones(cluster, context.subnets).flatMap((zone) => {
      const need = needIn(context, cluster, zone, open(placeOf(cluster, zone)));
      return need === undefined ? [] : [need];
    }),
  );
}

export function placeOf(
  cluster: Pick<ClusterModel, 'name'>,
  { vpcId, zoneId }: Pick<ClusterZone, 'vpcId' | 'zoneId'>,
): string {
  return `${cluster.name}/${vpcId}/${zoneId}`;
}

function needIn(context: AssessContext, cluster: ClusterModel, zone: ClusterZone, open: boolean): RoomNeed | undefined {
  const trouble = worstOff(cluster, zone);
  if (trouble === undefined) return undefined;
  const below = thresholdsFor(context.settings, {
    cluster: cluster.name,
    zone: zone.zone,
    zoneId: zone.zoneId,
  }).zoneLowNodes;
  const [nodes, nodesAtBest] = (['min', 'max'] as const).map((end) => zoneNodes(cluster, zone, end)) as [
    number | null,
    number | null,
  ];
  if (nodes === null || nodesAtBest === null) {
    // What a node takes is not known: EC2's count against the threshold of a subnet that is low decides, for all subnets of the zone.
    const low = zone.views.every((view) => view.ledger.applicable && availableOf(view) < lowIps(context, view));
    return low ? { cluster, zone, trouble, nodes: null, nodesAtBest: null, below, certain: true } : undefined;
  }
  if (!needsRoom(nodes, below, open)) return undefined;
  return { cluster, zone, trouble, nodes, nodesAtBest, below, certain: needsRoom(nodesAtBest, below, open) };
}

/** By the launchers' own choice; where nothing launches nodes, by what the subnets could serve. */
function zoneNodes(cluster: ClusterModel, zone: ClusterZone, end: 'min' | 'max'): number | null {
  return nodeHeadroom(cluster, zone, end) ?? zoneCapacity(cluster, zone, end);
}

/** Fewest nodes first, then fewest addresses, then the id. */
function worstOff(cluster: ClusterModel, zone: ClusterZone): SubnetView | undefined {
  const nodes = (view: SubnetView) => {
    const footprint = footprintIn(cluster, view.facts.subnetId);
    if (footprint === undefined) return Number.MAX_SAFE_INTEGER;
    return capacityOf(roomOf(view.ledger, 'min'), footprint) ?? Number.MAX_SAFE_INTEGER;
  };
  return zone.views
    .filter(({ ledger }) => ledger.applicable)
    .map((view) => ({ view, nodes: nodes(view) }))
    .sort(
      (a, b) =>
        a.nodes - b.nodes ||
        availableOf(a.view) - availableOf(b.view) ||
        (a.view.facts.subnetId < b.view.facts.subnetId ? -1 : 1),
    )[0]?.view;
}

export function availableOf({ ledger }: Pick<SubnetView, 'ledger'>): number {
  return ledger.applicable ? ledger.availableIps : 0;
}
