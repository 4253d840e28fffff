import type { Finding } from '../../../contract/finding.ts';
import { BLOCK_IPS, SUBNET_LENGTHS } from '../../ip/address-map.ts';
import { blockSize } from '../../ip/ipv4.ts';
import { AWS_RESERVED_IPS, isFull } from '../../subnet/ledger.ts';
import type { InstanceTypeFacts, SubnetFacts } from '../../subnet/snapshot.ts';
import type { ClusterModel } from '../cluster-model.ts';
import { type CniDemand, cniDemand, formatTargets, onFirstInterface, warmTargets } from '../cni-demand.ts';
import type { AssessContext, SubnetView } from '../context.ts';
import { compareText, finding } from '../finding.ts';
import { nodeStates } from '../nodes.ts';
import { CNI_RULES, type CniRule, type CniSelection, cniRule, cniSubnetOrder } from '../selection/vpc-cni.ts';
import { isWhole } from '../whole.ts';
import { count, nameOf } from '../words.ts';

/** A kind of node that stands in a subnet or is to be launched there. */
interface Tenant {
  readonly cluster: ClusterModel;
  readonly limits: InstanceTypeFacts;
  /** Most pods on one such node here; `undefined` where that is not known. */
  readonly pods?: number;
  readonly node?: string;
}

interface Misfit {
  readonly tenant: Tenant;
  readonly need: number;
  readonly prefixes: number;
  /** Whether only the first interface is sure to be of this subnet: `need` and `prefixes` are then what it takes. */
  readonly firstOnly: boolean;
}

/** What the subnet could give if nothing else were in it. */
interface EmptySubnet {
  readonly usable: number;
  readonly eligibleBlocks: number;
}

/**
 * `SUBNET_TOO_SMALL_FOR_INSTANCE`: one single node wants more than the whole empty subnet has. A node whose pods are not known wants at least what none need;
 * one whose CNI may put its further interfaces into other subnets, what its first one takes.
 */
export function instanceFit(context: AssessContext): readonly Finding[] {
  const tenants = tenantsBySubnet(context);
  const findings: Finding[] = [];
  for (const view of context.subnets.values()) {
    if (view.facts.cidr === undefined || !view.ledger.applicable) continue;
    const empty: EmptySubnet = {
      usable: view.ledger.usableIps,
      eligibleBlocks: isFull(view.ledger) ? view.ledger.eligibleBlocks : innerBlocks(view.facts.cidr.length),
    };
    const [worst] = (tenants.get(view.facts.subnetId) ?? [])
      .flatMap((tenant): Misfit[] => {
        const firstOnly = goesElsewhere(context, tenant.cluster, view.facts);
        const demand = demandHere(tenant, firstOnly);
        if (demand === undefined || fits(demand, empty)) return [];
        return [{ tenant, need: demand.ips, prefixes: demand.prefixes, firstOnly }];
      })
      .sort((a, b) => b.need - a.need || compareText(a.tenant.limits.instanceType, b.tenant.limits.instanceType));
    if (worst !== undefined) findings.push(tooSmall(view, worst, empty));
  }
  return findings;
}

/** @param env the CNI's settings, where they are other than those of the cluster. */
function demandHere({ cluster, limits, pods }: Tenant, firstOnly: boolean, env = cluster.cni.env) {
  const demand = cniDemand({ ...cluster.cni, env }, limits, pods ?? 0);
  return demand !== undefined && firstOnly ? onFirstInterface(demand, limits) : demand;
}

/** Whether the CNI may put further interfaces of a node that stands here into another subnet; where not every subnet was read, nothing says that it may not. */
function goesElsewhere(context: AssessContext, cluster: ClusterModel, own: SubnetFacts): boolean {
  const cni = { ...cluster.cni, cniTag: cluster.cniTag };
  return cniRules(cni).some(
    (rule) =>
      rule !== 'off' &&
      !cluster.cni.customNetworking &&
      (!isWhole(context.facts, own.vpcId) ||
        cniSubnetOrder(rule, cni, own, context.facts.subnets).some(({ subnetId }) => subnetId !== own.subnetId)),
  );
}

/** The rule of the CNI, or each that it may be where its version is not known. */
function cniRules(cni: CniSelection): readonly CniRule[] {
  const rule = cniRule(cni);
  return rule === undefined ? CNI_RULES : [rule];
}

/** Prefixes run out before addresses do: beside the eligible blocks a subnet has 27 addresses, more than a node has interfaces. */
function fits({ ips, prefixes }: CniDemand, { usable, eligibleBlocks }: EmptySubnet): boolean {
  return prefixes > 0 ? prefixes <= eligibleBlocks : ips <= usable;
}

/** The /28s of a subnet of this length that hold no address which AWS keeps: all but the first and the last. */
function innerBlocks(length: number): number {
  return Math.max(0, blockSize(length) / BLOCK_IPS - 2);
}

function tenantsBySubnet(context: AssessContext): ReadonlyMap<string, readonly Tenant[]> {
  const bySubnet = new Map<string, Map<string, Tenant>>();
  const note = (subnetId: string, tenant: Tenant) => {
    const here = bySubnet.get(subnetId) ?? new Map<string, Tenant>();
    const key = `${tenant.cluster.name}/${tenant.limits.instanceType}`;
    const known = here.get(key);
    if (known === undefined || (tenant.pods ?? -1) > (known.pods ?? -1)) here.set(key, tenant);
    bySubnet.set(subnetId, here);
  };
  for (const { cluster, limits, subnetId, pods, id } of nodeStates(context)) {
    if (limits === undefined || subnetId === undefined || !takesPodAddresses(cluster, subnetId)) continue;
    note(subnetId, { cluster, limits, ...(pods === undefined ? {} : { pods }), node: id });
  }
  const { instanceTypes } = context.facts;
  const known = instanceTypes.state === 'absent' ? [] : instanceTypes.value;
  for (const cluster of context.clusters) {
    // The type that "one more node" stands for, in every subnet where the pods of one may come to live.
    const limits = known.find(({ instanceType }) => instanceType === cluster.instanceTypes[0]?.instanceType);
    if (limits === undefined) continue;
    for (const subnetId of cluster.cni.customNetworking ? cluster.podSubnets : cluster.nodeSubnets) {
      if (takesPodAddresses(cluster, subnetId)) note(subnetId, { cluster, limits });
    }
  }
  return new Map([...bySubnet].map(([subnetId, here]) => [subnetId, [...here.values()]]));
}

/**
 * Whether the pods of the cluster's nodes cannot but take IPv4 addresses of this subnet: with custom networking that of the ENIConfig, else the one that the
 * node stands in. Of a subnet that the CNI discovers it takes what there is, and goes on to the next.
 */
function takesPodAddresses(cluster: ClusterModel, subnetId: string): boolean {
  if (cluster.facts?.ipFamily === 'ipv6') return false;
  if (cluster.cni.customNetworking) return cluster.podSubnets.has(subnetId);
  return cluster.nodeSubnets.has(subnetId) || (cluster.presence.get(subnetId)?.nodes ?? 0) > 0;
}

function tooSmall(view: SubnetView, misfit: Misfit, empty: EmptySubnet): Finding {
  const { tenant, need, prefixes, firstOnly } = misfit;
  const { usable, eligibleBlocks } = empty;
  const type = tenant.limits.instanceType;
  const byPrefixes = prefixes > 0;
  return finding(
    'SUBNET_TOO_SMALL_FOR_INSTANCE',
    { subnet: view.facts },
    {
      severity: 'warning',
      observed: byPrefixes ? prefixes : need,
      threshold: byPrefixes ? eligibleBlocks : usable,
      message: `${nameOf(view.facts)} is too small for a single ${type}: with its CNI settings ${firstOnly ? 'its first interface' : 'it'} wants ${
        byPrefixes
          ? `${count(prefixes, 'prefix', 'prefixes')}, and the subnet can never give more than ${eligibleBlocks}`
          : `${need} addresses, and the empty subnet has ${usable}`
      }.`,
      evidence: {
        need,
        usable,
        instanceType: type,
        cluster: tenant.cluster.name,
        pods: tenant.pods,
        node: tenant.node,
        ...(byPrefixes ? { prefixesWanted: prefixes, eligibleBlocks } : {}),
      },
      remedy: byPrefixes ? morePrefixes(view, prefixes) : fewerAddresses(misfit, usable),
    },
  );
}

/** The longest prefix length whose subnet fits; no node wants more than a /16 has. */
function lengthThat(suffices: (length: number) => boolean): number {
  let length = SUBNET_LENGTHS.smallest;
  while (length > SUBNET_LENGTHS.largest && !suffices(length)) length--;
  return length;
}

function morePrefixes(view: SubnetView, prefixes: number): string {
  const cidr = view.facts.cidr;
  if (cidr !== undefined && innerBlocks(cidr.length) >= prefixes) {
    return 'Shrink or delete its explicit CIDR reservations, which keep /28s from being prefixes, or use another subnet for this cluster.';
  }
  const length = lengthThat((one) => innerBlocks(one) >= prefixes);
  return `Use a subnet of /${length} or larger for this cluster: the first and the last /28 of a subnet can never be a prefix.`;
}

function fewerAddresses({ tenant, need, firstOnly }: Misfit, usable: number): string {
  const { cluster, pods } = tenant;
  const larger = `Use a subnet of /${lengthThat((length) => blockSize(length) - AWS_RESERVED_IPS >= need)} or larger`;
  if (pods === undefined) {
    return `${larger}, or set WARM_IP_TARGET and MINIMUM_IP_TARGET on aws-node, so that nodes take what their pods need and not whole interfaces.`;
  }
  const targets = warmTargets(pods);
  const env = new Map(cluster.cni.env)
    .set('WARM_IP_TARGET', String(targets.warmIpTarget))
    .set('MINIMUM_IP_TARGET', String(targets.minimumIpTarget));
  const tuned = demandHere(tenant, firstOnly, env)?.ips ?? need;
  const setting = `${formatTargets(targets)} on aws-node makes it ${tuned} addresses for ${count(pods, 'pod')}`;
  return tuned <= usable ? `${larger}, or let nodes take less: ${setting}.` : `${larger}: even ${setting}.`;
}
