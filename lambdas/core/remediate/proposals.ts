/** What a person could do where Headroom does not act: with the place, the size and the price of it. */
import type { ClusterModel } from '../assess/cluster-model.ts';
import { formatTargets, type WarmTargets } from '../assess/cni-demand.ts';
import type { AssessContext, SubnetView } from '../assess/context.ts';
import { listOf } from '../assess/readings.ts';
import { untagEffect } from '../assess/untag.ts';
import { addresses, count, list, nameOf } from '../assess/words.ts';
import { blockSize, type Cidr, formatCidr, parseCidr } from '../ip/ipv4.ts';
import { AWS_RESERVED_IPS, isFull } from '../subnet/ledger.ts';
import { largestGap, secondaryRange } from './free-space.ts';
import { placeOf, type RoomNeed } from './need.ts';
import type { Decision, Rejected } from './plan.ts';

const NEW_SUBNET_RISK =
  'A new subnet is on the main route table and the default ACL: associate the ones of its siblings before it gets a tag.';

type Required = Pick<
  Decision,
  'subject' | 'action' | 'findingIds' | 'vpcId' | 'summary' | 'reason' | 'cost' | 'risk' | 'undo'
>;

function proposal(fields: Required & Partial<Decision>): Decision {
  return {
    effect: {},
    guards: [],
    writes: [],
    mode: 'observe',
    rejected: [],
    infrastructureCode: [],
    commands: [],
    ...fields,
  };
}

/** A subnet in free space of the VPC where there is some, else a range from 100.64.0.0/10 with a subnet in it. */
export function newRoom(
  context: AssessContext,
  need: RoomNeed,
  findingIds: readonly string[],
  rejected: readonly Rejected[],
): Decision {
  const { cluster, zone, trouble } = need;
  const { vpcId } = zone;
  const ranges = listOf(context.facts.vpcs).find((vpc) => vpc.vpcId === vpcId)?.cidrs;
  const place = {
    vpcId,
    zone: zone.zone,
    zoneId: zone.zoneId,
    cluster: cluster.name,
    relieves: trouble.facts.subnetId,
  };
  const why = `No subnet can stand in for ${nameOf(trouble.facts)}: ${reasonsInWords(rejected)}.`;
  const common = {
    ...place,
    findingIds,
    reason: why,
    rejected,
    undo: 'Delete the subnet while it is empty.',
  };
  const gap = ranges === undefined ? undefined : largestGap(ranges, subnetCidrs(context, vpcId));
  if (gap !== undefined) {
    return proposal({
      ...common,
      subject: `newSubnet/${placeOf(cluster, zone)}`,
      action: 'newSubnet',
      summary: `Make ${formatCidr(gap)} a subnet of ${vpcId} in ${zone.zone}: the largest free block of the VPC.`,
      effect: { availableIpsInZone: grows(zone.views, blockSize(gap.length) - AWS_RESERVED_IPS) },
      cost: 'None for the subnet.',
      risk: NEW_SUBNET_RISK,
      commands: subnetCommands(context, trouble, gap),
    });
  }
  if (ranges === undefined) {
    return proposal({
      ...common,
      subject: `newSubnet/${placeOf(cluster, zone)}`,
      action: 'newSubnet',
      summary: `Make another subnet of ${vpcId} in ${zone.zone}; the VPC's ranges were not read, so where it fits is not known.`,
      cost: 'None for the subnet.',
      risk: NEW_SUBNET_RISK,
      commands: [`aws ec2 describe-vpcs --vpc-ids ${vpcId}`],
    });
  }
  return secondaryCidr(context, need, common, secondaryRange(ranges, routedIn(context, vpcId)));
}

/** A /18 holds as many pods as the largest nodes of a zone run; four of them are the /16. */
const SECONDARY_SUBNET_LENGTH = 18;

function secondaryCidr(
  context: AssessContext,
  { cluster, zone, trouble }: RoomNeed,
  common: Pick<Decision, 'findingIds' | 'vpcId' | 'reason' | 'undo'> & Partial<Decision>,
  range: Cidr | undefined,
): Decision {
  const fields = {
    ...common,
    subject: `secondaryCidr/${placeOf(cluster, zone)}`,
    action: 'secondaryCidr',
    cost: 'None for the range; one of the five IPv4 ranges that a VPC may have by default.',
    risk: 'Addresses of 100.64.0.0/10 are often not routed beyond the VPC: pods there need source NAT, and NAT or endpoint routes of their own. EKS may take five hours to know a new range; it must not overlap the cluster’s service range.',
    undo: 'Disassociate the range while no subnet is made of it.',
  } as const;
  if (range === undefined) {
    const summary = `Give ${zone.vpcId} another range and make a subnet of it in ${zone.zone}: no block of a /26 or more is free in it, and no /16 of 100.64.0.0/10.`;
    return proposal({ ...fields, summary });
  }
  const subnet = { base: range.base, length: SECONDARY_SUBNET_LENGTH };
  return proposal({
    ...fields,
    summary: `Add ${formatCidr(range)} to ${zone.vpcId} and make a subnet of it in ${zone.zone}: the VPC has no free block of a /26 or more.`,
    effect: { availableIpsInZone: grows(zone.views, blockSize(subnet.length) - AWS_RESERVED_IPS) },
    commands: [
      `aws ec2 associate-vpc-cidr-block --vpc-id ${zone.vpcId} --cidr-block ${formatCidr(range)}`,
      ...subnetCommands(context, trouble, subnet),
    ],
  });
}

function grows(views: readonly SubnetView[], by: number) {
  const before = views.reduce((sum, { ledger }) => sum + (ledger.applicable ? ledger.availableIps : 0), 0);
  return { before, after: before + by };
}

function subnetCidrs({ facts }: AssessContext, vpcId: string): Cidr[] {
  return facts.subnets.flatMap((subnet) => (subnet.vpcId === vpcId && subnet.cidr !== undefined ? [subnet.cidr] : []));
}

/** IPv4 destinations of the VPC's routes. */
function routedIn({ facts }: AssessContext, vpcId: string): Cidr[] {
  return listOf(facts.routeTables)
    .filter((table) => table.vpcId === vpcId)
    .flatMap(({ routes }) => routes)
    .flatMap((route) => parseCidr(route.split(' ')[0] as string) ?? []);
}

/** In this order a subnet is never found by a selector before it has its routes. */
function subnetCommands({ facts }: AssessContext, { facts: sibling }: SubnetView, cidr: Cidr): string[] {
  const table = listOf(facts.routeTables).find(({ subnetIds }) => subnetIds.includes(sibling.subnetId));
  return [
    `aws ec2 create-subnet --vpc-id ${sibling.vpcId} --cidr-block ${formatCidr(cidr)} --availability-zone ${sibling.availabilityZone}`,
    ...(table === undefined
      ? []
      : [`aws ec2 associate-route-table --route-table-id ${table.routeTableId} --subnet-id NEW_SUBNET`]),
  ];
}

function reasonsInWords(rejected: readonly Rejected[]): string {
  const counts = new Map<string, number>();
  for (const { reason } of rejected) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return counts.size === 0 ? 'there is no other' : [...counts].map(([reason, n]) => `${n} ${reason}`).join(', ');
}

/** Node groups keep their subnets for life (EKS `UpdateNodegroupConfig` has no field for them): another subnet means another group. */
export function moveNodeGroup(
  need: RoomNeed,
  findingIds: readonly string[],
  standby: SubnetView | undefined,
): Decision | undefined {
  const { cluster, zone, trouble } = need;
  const groups = cluster.nodegroups.filter(({ subnetIds }) => subnetIds.includes(trouble.facts.subnetId));
  const first = groups[0];
  if (first === undefined || cluster.launchers.some(({ kind }) => kind === 'karpenter')) return undefined;
  const nodes = groups.reduce((sum, { desiredSize }) => sum + (desiredSize ?? 0), 0);
  const known = groups.every(({ desiredSize }) => desiredSize !== undefined);
  const to = standby === undefined ? 'a subnet with room' : nameOf(standby.facts);
  return proposal({
    subject: `moveNodeGroup/${placeOf(cluster, zone)}`,
    action: 'moveNodeGroup',
    findingIds,
    vpcId: zone.vpcId,
    zone: zone.zone,
    zoneId: zone.zoneId,
    cluster: cluster.name,
    ...(standby === undefined ? {} : { subnetId: standby.facts.subnetId }),
    relieves: trouble.facts.subnetId,
    summary: `Make a new node group of ${cluster.name} with ${to} in ${zone.zone}, and drain ${list(groups.map(({ name }) => name))}.`,
    reason: `A managed node group’s subnets cannot be changed, so no tag opens another subnet to ${list(groups.map(({ name }) => name))}.`,
    cost: known
      ? `${count(nodes, 'node')} run twice while the old group drains.`
      : 'The nodes run twice while the old group drains.',
    risk: `${known ? `All ${count(nodes, 'node')}` : 'All nodes'} of the group are replaced: pods move at the pace of their disruption budgets.`,
    undo: 'Scale the old group up again before it is deleted.',
    commands: groups.map(
      ({ name }) => `aws eks describe-nodegroup --cluster-name ${cluster.name} --nodegroup-name ${name}`,
    ),
  });
}

/**
 * @param idle idle addresses and the nodes that hold them, as the finding counted them.
 * @param targets what fits the busiest of them, as the finding says.
 */
export function smallerWarmPool(
  cluster: ClusterModel,
  view: SubnetView,
  findingIds: readonly string[],
  idle: { readonly ips: number; readonly nodes: number },
  targets: WarmTargets,
): Decision {
  const setting = formatTargets(targets);
  const { facts } = view;
  return proposal({
    subject: `smallerWarmPool/${cluster.name}/${facts.subnetId}`,
    action: 'smallerWarmPool',
    findingIds,
    vpcId: facts.vpcId,
    zone: facts.availabilityZone,
    zoneId: facts.availabilityZoneId,
    cluster: cluster.name,
    subnetId: facts.subnetId,
    summary: `Let the VPC CNI keep fewer addresses in stock: ${setting} on aws-node of ${cluster.name}, instead of ${addresses(idle.ips)} idle on ${count(idle.nodes, 'node')} of ${nameOf(facts)}.`,
    reason: `Without these settings every node keeps a whole spare ${cluster.cni.mode === 'prefix' ? 'prefix (WARM_PREFIX_TARGET)' : 'interface (WARM_ENI_TARGET)'}.`,
    effect: { idleIps: { before: idle.ips, after: null } },
    cost: 'More EC2 calls: a smaller stock is filled up more often, and those calls are throttled in large clusters.',
    risk: 'Pods wait a little longer for an address when many start at once.',
    undo: 'Set the old values again.',
    commands: [`kubectl set env daemonset/aws-node -n kube-system ${setting.replace(', ', ' ')}`],
  });
}

/** A fragmented subnet gets its /28s back only when its nodes go; Karpenter replaces them once its tag is gone. */
export function retireSubnet(
  context: AssessContext,
  cluster: ClusterModel,
  view: SubnetView,
  findingIds: readonly string[],
): Decision | undefined {
  const { facts, ledger } = view;
  if (!isFull(ledger)) return undefined;
  const effect = untagEffect(context, facts.subnetId);
  if (effect === undefined || effect.keys.length === 0) return undefined;
  // The last subnet of a selector, or of a zone, is never proposed: nothing could launch there any more. Nor one that may be.
  if (effect.nodeClasses.some(({ selectedAfter }) => selectedAfter === 0 || selectedAfter === null)) return undefined;
  const siblings = [...context.subnets.values()].filter(
    (one) =>
      one !== view &&
      cluster.nodeSubnets.has(one.facts.subnetId) &&
      one.facts.availabilityZoneId === facts.availabilityZoneId,
  );
  if (siblings.length === 0) return undefined;
  const nodes = effect.replaced === null ? 'an unknown number of nodes' : count(effect.replaced, 'node');
  return proposal({
    subject: `retireSubnet/${cluster.name}/${facts.subnetId}`,
    action: 'retireSubnet',
    findingIds,
    vpcId: facts.vpcId,
    zone: facts.availabilityZone,
    zoneId: facts.availabilityZoneId,
    cluster: cluster.name,
    subnetId: facts.subnetId,
    summary: `Retire ${nameOf(facts)} for a while: take ${effect.keys.join(', ')} off it, and Karpenter replaces ${nodes}; then it is whole again.`,
    reason: `${ledger.freePrefixes} of ${ledger.bestCaseFreePrefixes} /28s that its free addresses could make are whole; scattered addresses go only with their nodes.`,
    effect: {
      freePrefixes: { before: ledger.freePrefixes, after: ledger.bestCaseFreePrefixes },
      nodesReplaced: { before: 0, after: effect.replaced },
    },
    cost: `${nodes} are launched anew in ${list(siblings.map((one) => one.facts.subnetId))}.`,
    risk: 'Node replacement evicts pods, at the pace of the disruption budgets. Never done by Headroom itself.',
    undo: 'Put the tag back; nodes that were replaced stay where they are.',
    commands: [`headroom plan --untag ${facts.subnetId}`],
  });
}
