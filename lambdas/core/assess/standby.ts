/** Which subnet could take over for one in trouble, and why each other cannot. */
import type { NetworkAclFacts, RouteTableFacts, SubnetFacts } from '../subnet/snapshot.ts';
import type { ClusterModel } from './cluster-model.ts';
import type { AssessContext, SubnetView } from './context.ts';
import { capacityOf, footprintIn, roomOf } from './footprint.ts';
import { lowIps } from './low.ts';
import { listOf } from './readings.ts';
import { tagConflict } from './tag-conflict.ts';

/** Why a subnet cannot stand in, in the order in which they are looked at; the first that holds is given. */
export const STANDBY_REASONS = [
  'other-vpc',
  'local-zone',
  'wavelength-zone',
  'outpost',
  'other-az',
  'not-available',
  'ipv6-only',
  'shared-by-another-account',
  'protected',
  'excluded-from-cni',
  'standby-for-another-cluster',
  'serves-another-cluster',
  'tag-value-conflict',
  'other-route-table',
  'other-network-acl',
  'not-enough-room',
] as const;
export type StandbyReason = (typeof STANDBY_REASONS)[number];

export interface StandbyVerdict {
  readonly view: SubnetView;
  /** Absent for a subnet that fits. */
  readonly reason?: StandbyReason;
  /** Whether its owner marked it as a standby of this cluster. */
  readonly marked: boolean;
  /** Nodes that it could serve; `null` where that is not known. */
  readonly nodes: number | null;
}

const STANDBY_TAG = 'headroom:standby-for';
const PROTECTED_TAG = 'headroom:protected';
/** A zone of any other kind serves only what is meant for it. */
const ORDINARY_ZONE = 'availability-zone';

/**
 * Every subnet that the cluster does not use yet, held against one that it uses and that is in trouble.
 *
 * @returns those that fit first: marked as this cluster's standby before others, then by the nodes they could serve, by available addresses, by id; then the
 * rest by reason, and within one as above. Where route tables, ACLs or zone types were not read, they rule nothing out.
 * @param effective from {@link inEffect}, where many subnets are asked about.
 */
export function standbyVerdicts(
  context: AssessContext,
  cluster: ClusterModel,
  trouble: SubnetView,
  effective: Effective = inEffect(context),
): StandbyVerdict[] {
  const verdicts: StandbyVerdict[] = [];
  for (const view of context.subnets.values()) {
    if (cluster.subnets.has(view.facts.subnetId)) continue;
    const reason = reasonAgainst(context, cluster, trouble.facts, view, effective);
    const marked = view.facts.tags.get(STANDBY_TAG) === cluster.name;
    verdicts.push({
      view,
      marked,
      nodes: nodesIn(cluster, trouble.facts, view),
      ...(reason === undefined ? {} : { reason }),
    });
  }
  return verdicts.sort(compareVerdicts);
}

function compareVerdicts(a: StandbyVerdict, b: StandbyVerdict): number {
  const rank = ({ reason }: StandbyVerdict) => (reason === undefined ? -1 : STANDBY_REASONS.indexOf(reason));
  return (
    rank(a) - rank(b) ||
    Number(b.marked) - Number(a.marked) ||
    (b.nodes ?? 0) - (a.nodes ?? 0) ||
    b.view.facts.availableIps - a.view.facts.availableIps ||
    (a.view.facts.subnetId < b.view.facts.subnetId ? -1 : 1)
  );
}

/** A standby has to do what the subnet in trouble does: serve nodes, or the pods of nodes that stand elsewhere. */
function nodesIn(cluster: ClusterModel, trouble: SubnetFacts, view: SubnetView): number | null {
  const footprint = footprintIn(cluster, trouble.subnetId);
  return footprint === undefined ? null : capacityOf(roomOf(view.ledger, 'min'), footprint);
}

function reasonAgainst(
  context: AssessContext,
  cluster: ClusterModel,
  trouble: SubnetFacts,
  view: SubnetView,
  effective: Effective,
): StandbyReason | undefined {
  const { facts, ledger, clusters } = view;
  const standbyFor = facts.tags.get(STANDBY_TAG);
  if (facts.vpcId !== trouble.vpcId) return 'other-vpc';
  const zoneType = effective.zoneTypes.get(facts.availabilityZoneId) ?? ORDINARY_ZONE;
  const troubleType = effective.zoneTypes.get(trouble.availabilityZoneId) ?? ORDINARY_ZONE;
  if (zoneType !== troubleType && zoneType === 'local-zone') return 'local-zone';
  if (zoneType !== troubleType && zoneType === 'wavelength-zone') return 'wavelength-zone';
  // An Outpost's subnet has the zone of the region: only its ARN tells it apart.
  if (facts.outpostArn !== trouble.outpostArn) return 'outpost';
  if (facts.availabilityZoneId !== trouble.availabilityZoneId) return 'other-az';
  if (facts.state !== 'available') return 'not-available';
  if (!ledger.applicable) return 'ipv6-only';
  if (facts.ownerId !== trouble.ownerId) return 'shared-by-another-account';
  if (facts.tags.has(PROTECTED_TAG)) return 'protected';
  // With this value the CNI puts no pods there from v1.22 on, a node's own subnet included.
  if (facts.tags.get(cluster.cniTag) === '0') return 'excluded-from-cni';
  if (standbyFor !== undefined && standbyFor !== cluster.name) return 'standby-for-another-cluster';
  if (clusters.length > 0) return 'serves-another-cluster';
  if (tagConflict(context, cluster, facts) !== undefined) return 'tag-value-conflict';
  if (differs(effective.routes, trouble, facts)) return 'other-route-table';
  if (differs(effective.acls, trouble, facts)) return 'other-network-acl';
  return hasRoom(context, cluster, trouble, view) ? undefined : 'not-enough-room';
}

/** Room for at least one more node; where a node's need is not known, more addresses than the threshold of a subnet that is low. */
function hasRoom(context: AssessContext, cluster: ClusterModel, trouble: SubnetFacts, view: SubnetView): boolean {
  const nodes = nodesIn(cluster, trouble, view);
  if (nodes !== null) return nodes > 0;
  const { ledger } = view;
  return ledger.applicable && ledger.availableIps >= lowIps(context, view);
}

/** What is in effect for each subnet, in a form that is equal where the effect is. */
export interface Effective {
  readonly zoneTypes: ReadonlyMap<string, string>;
  readonly routes: (subnet: SubnetFacts) => string | undefined;
  readonly acls: (subnet: SubnetFacts) => string | undefined;
}

/** Works out once what is in effect for every subnet: zone types, routes and ACLs. */
export function inEffect(context: AssessContext): Effective {
  const { zones, routeTables, networkAcls } = context.facts;
  return {
    zoneTypes: new Map(listOf(zones).map(({ zoneId, zoneType }) => [zoneId, zoneType])),
    routes: effectiveText(
      listOf(routeTables),
      (table: RouteTableFacts) => table.main,
      ({ routes }) => routes,
    ),
    acls: effectiveText(
      listOf(networkAcls),
      (acl: NetworkAclFacts) => acl.isDefault,
      ({ entries }) => entries,
    ),
  };
}

/** A subnet without a table or ACL of its own has that of its VPC: the main route table, the default ACL. */
function effectiveText<T extends { readonly vpcId: string; readonly subnetIds: readonly string[] }>(
  all: readonly T[],
  isDefault: (one: T) => boolean,
  lines: (one: T) => readonly string[],
): (subnet: SubnetFacts) => string | undefined {
  const bySubnet = new Map<string, string>();
  const byVpc = new Map<string, string>();
  for (const one of all) {
    const text = lines(one).join('\n');
    for (const id of one.subnetIds) bySubnet.set(id, text);
    if (isDefault(one)) byVpc.set(one.vpcId, text);
  }
  return ({ subnetId, vpcId }) => bySubnet.get(subnetId) ?? byVpc.get(vpcId);
}

function differs(of: (subnet: SubnetFacts) => string | undefined, a: SubnetFacts, b: SubnetFacts): boolean {
  const [first, second] = [of(a), of(b)];
  return first !== undefined && second !== undefined && first !== second;
}
