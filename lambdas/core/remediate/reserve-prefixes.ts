/** Keeps single addresses out of a range, so that whole /28s stay: a CIDR reservation of type prefix on a lightly used or standby subnet. */
import type { ClusterModel } from '../assess/cluster-model.ts';
import type { AssessContext, SubnetView } from '../assess/context.ts';
import { capacityOf, footprintIn, roomOf } from '../assess/footprint.ts';
import { lowIps } from '../assess/low.ts';
import { standbyVerdicts } from '../assess/standby.ts';
import { addresses, count, nameOf } from '../assess/words.ts';
import { formatCidr } from '../ip/ipv4.ts';
import { isFull } from '../subnet/ledger.ts';
import { afterwards } from './afterwards.ts';
import { certainGuard, notProtectedGuard, ownerGuard, readGuard } from './fact-guards.ts';
import { availableOf } from './need.ts';
import { type Decision, guard, inGuardOrder, type Rejected, type Simulation, type Write } from './plan.ts';
import { bestRange, type ReservationRange } from './reservation-range.ts';
import type { PlanSettings } from './settings.ts';
import { simulate, simulationWords } from './simulate.ts';

/** A subnet of which more is used is no longer lightly used: its scattered addresses would stay inside any range. */
const LIGHTLY_USED_SHARE = 0.5;
/** Free single addresses outside a reservation, at the very least: one load balancer's growth (EKS user guide, 8 of a subnet) and as many nodes. */
const LEAST_SINGLES = 16;

interface Target {
  readonly view: SubnetView;
  readonly range: ReservationRange;
}

/** @param trouble a fragmented subnet of a cluster that takes prefixes. @returns `undefined` where no subnet of the zone is fit for it. */
export function reservePrefixes(
  context: AssessContext,
  settings: PlanSettings,
  cluster: ClusterModel,
  trouble: SubnetView,
  findingIds: readonly string[],
): Decision | undefined {
  const marked = new Set(
    standbyVerdicts(context, cluster, trouble)
      .filter(({ reason, marked: own }) => reason === undefined && own)
      .map(({ view }) => view.facts.subnetId),
  );
  const targets: Target[] = [];
  const rejected: Rejected[] = [];
  for (const view of context.subnets.values()) {
    const { facts } = view;
    if (facts.vpcId !== trouble.facts.vpcId || facts.availabilityZoneId !== trouble.facts.availabilityZoneId) continue;
    if (!cluster.subnets.has(facts.subnetId) && !marked.has(facts.subnetId)) continue;
    const target = targetOf(context, view);
    if (typeof target === 'string') rejected.push({ subnetId: facts.subnetId, reason: target });
    else targets.push({ view, range: target });
  }
  const best = targets.sort(
    (a, b) => b.range.freeBlocks - a.range.freeBlocks || (a.view.facts.subnetId < b.view.facts.subnetId ? -1 : 1),
  )[0];
  if (best === undefined) return undefined;
  for (const { view } of targets.slice(1))
    rejected.push({ subnetId: view.facts.subnetId, reason: 'fewer-free-prefixes' });
  return reservation(context, settings, { cluster, trouble, findingIds, rejected }, best);
}

/** The range to reserve, or why none is. */
function targetOf(context: AssessContext, view: SubnetView): ReservationRange | string {
  const { ledger, occupancy, reservations } = view;
  if (occupancy === undefined || !isFull(ledger)) return 'interfaces-not-read';
  if (reservations === undefined) return 'reservations-not-read';
  if (reservations.some(({ type }) => type === 'prefix')) return 'reserved-already';
  if (ledger.usedIps > ledger.usableIps * LIGHTLY_USED_SHARE) return 'not-lightly-used';
  return bestRange(occupancy, reservations, floorOf(context, view)) ?? 'floor-not-kept';
}

/** As many single addresses stay outside as keep the subnet from counting as low. */
export function floorOf(context: AssessContext, view: SubnetView): number {
  return Math.max(LEAST_SINGLES, Math.ceil(lowIps(context, view)));
}

interface About {
  readonly cluster: ClusterModel;
  readonly trouble: SubnetView;
  readonly findingIds: readonly string[];
  readonly rejected: readonly Rejected[];
}

function reservation(
  context: AssessContext,
  settings: PlanSettings,
  { cluster, trouble, findingIds, rejected }: About,
  { view, range }: Target,
): Decision {
  const { facts, ledger } = view;
  const id = facts.subnetId;
  const cidr = formatCidr(range.cidr);
  const writes: readonly Write[] = [{ kind: 'createReservation', subnetId: id, cidr }];
  const after = afterwards(context, writes);
  const viewAfter = after.subnets.get(id) as SubnetView;
  const simulation = simulate(context, after, cluster.name, id, trouble.facts);
  const floor = floorOf(context, view);
  const kept = picksServe(after, cluster, simulation);
  const exact = isFull(ledger) && ledger.confidence === 'exact';
  const guards = [
    readGuard(context, [view], ['reservations']),
    certainGuard(exact, exact ? 'the map explains EC2’s count' : `the map of ${id} does not explain EC2’s count`),
    notProtectedGuard(settings, view),
    ownerGuard(context, view, true),
    guard(
      'configured-cluster',
      settings.configured === undefined || settings.configured.has(cluster.name),
      `${cluster.name} in clusters: of the configuration`,
    ),
    guard(
      'floor-kept',
      range.singlesLeft >= floor,
      `${addresses(range.singlesLeft)} stay outside, at least ${floor} must`,
    ),
    guard('pick-changes', steers(simulation, cluster, id), simulationWords({ ...simulation, changes: true }, id)),
    guard(
      'zone-kept',
      kept,
      `${simulationWords({ ...simulation, changes: true }, id)}${kept ? '' : ' That subnet cannot serve a node.'}`,
    ),
  ];
  return {
    subject: `reservePrefixes/${cluster.name}/${id}`,
    action: 'reservePrefixes',
    findingIds,
    vpcId: facts.vpcId,
    zone: facts.availabilityZone,
    zoneId: facts.availabilityZoneId,
    cluster: cluster.name,
    subnetId: id,
    relieves: trouble.facts.subnetId,
    summary: `Reserve ${cidr} of ${nameOf(facts)} for prefixes: ${count(range.freeBlocks, 'whole free /28')} that single addresses can no longer break.`,
    reason: `${trouble.facts.subnetId} lost its /28s to scattered single addresses; ${id} is lightly used and would go the same way. ${simulationWords({ ...simulation, changes: true }, id)}`,
    effect: {
      availableIps: { before: availableOf(view), after: availableOf(viewAfter) },
      protectedPrefixes: { before: 0, after: range.freeBlocks },
      freeSingleAddresses: { before: range.singlesLeft + range.hiddenIps, after: range.singlesLeft },
    },
    cost: 'None in money. EC2’s count falls by the free addresses inside, and Karpenter, the VPC CNI and load balancers go by that count.',
    risk: `Single addresses have ${range.singlesLeft} left here. ${range.occupiedBlocks === 0 ? 'No address inside is in use' : `${count(range.occupiedBlocks, '/28')} inside stay blocked until the addresses in them go`}.`,
    undo: 'Safe at any time: deleting the reservation gives the unused addresses back and takes nothing from anybody.',
    guards: inGuardOrder(guards),
    writes,
    mode: settings.mode.reservePrefixes,
    simulation,
    rejected,
    infrastructureCode: [
      '# if the subnet is kept in code, the reservation belongs beside it:',
      `resource "aws_ec2_subnet_cidr_reservation" "prefixes" { subnet_id = "${id}" cidr_block = "${cidr}" reservation_type = "prefix" }`,
    ],
    commands: [`aws ec2 create-subnet-cidr-reservation --subnet-id ${id} --cidr ${cidr} --reservation-type prefix`],
  };
}

/** A reservation in a subnet that nobody picks next protects /28s that nobody asks for; a standby that is not open yet is picked once it is. */
function steers({ changes, karpenter, cni }: Simulation, cluster: ClusterModel, subnetId: string): boolean {
  return changes || !cluster.subnets.has(subnetId) || (karpenter === undefined && cni === undefined);
}

/** Whether what is picked afterwards can serve a node: a lower count must not send the launchers into a full subnet. */
function picksServe(after: AssessContext, cluster: ClusterModel, { karpenter = [] }: Simulation): boolean {
  const next = after.clusters.find(({ name }) => name === cluster.name);
  return karpenter.every(({ before, after: picked }) => {
    if (picked === before || picked === null || next === undefined) return true;
    const view = after.subnets.get(picked);
    const footprint = footprintIn(next, picked);
    if (view === undefined || footprint === undefined) return false;
    return (capacityOf(roomOf(view.ledger, 'min'), footprint) ?? 0) > 0;
  });
}
