import type { Finding } from '../../../contract/finding.ts';
import { BLOCK_IPS } from '../../ip/address-map.ts';
import { blockSize } from '../../ip/ipv4.ts';
import { isFull } from '../../subnet/ledger.ts';
import type { InstanceTypeFacts } from '../../subnet/snapshot.ts';
import type { ClusterModel } from '../cluster-model.ts';
import { cniDemand, formatTargets, type WarmTargets, warmTargets } from '../cni-demand.ts';
import type { AssessContext, SubnetView } from '../context.ts';
import { compareText, finding } from '../finding.ts';
import { nodeStates } from '../nodes.ts';
import { count, nameOf } from '../words.ts';

/** A kind of node that stands in a subnet or is to be launched there. */
interface Tenant {
  readonly cluster: ClusterModel;
  readonly limits: InstanceTypeFacts;
  /** Most pods on one such node here; 0 where that is not known. */
  readonly pods: number;
  readonly node?: string;
}

interface Misfit {
  readonly tenant: Tenant;
  readonly need: number;
  readonly prefixes: number;
  readonly eligibleBlocks: number;
}

/** `SUBNET_TOO_SMALL_FOR_INSTANCE`: one single node wants more than the whole empty subnet has. */
export function instanceFit(context: AssessContext): readonly Finding[] {
  const tenants = tenantsBySubnet(context);
  const findings: Finding[] = [];
  for (const view of context.subnets.values()) {
    if (view.facts.cidr === undefined || !view.ledger.applicable) continue;
    const usable = view.ledger.usableIps;
    const eligibleBlocks = isFull(view.ledger)
      ? view.ledger.eligibleBlocks
      : Math.max(0, blockSize(view.facts.cidr.length) / BLOCK_IPS - 2);
    const [worst] = (tenants.get(view.facts.subnetId) ?? [])
      .flatMap((tenant): Misfit[] => {
        const demand = cniDemand(tenant.cluster.cni, tenant.limits, tenant.pods);
        if (demand === undefined || (demand.ips <= usable && demand.prefixes <= eligibleBlocks)) return [];
        return [{ tenant, need: demand.ips, prefixes: demand.prefixes, eligibleBlocks }];
      })
      .sort((a, b) => b.need - a.need || compareText(a.tenant.limits.instanceType, b.tenant.limits.instanceType));
    if (worst !== undefined) findings.push(tooSmall(view, worst, usable));
  }
  return findings;
}

function tenantsBySubnet(context: AssessContext): ReadonlyMap<string, readonly Tenant[]> {
  const bySubnet = new Map<string, Map<string, Tenant>>();
  const note = (subnetId: string, tenant: Tenant) => {
    const here = bySubnet.get(subnetId) ?? new Map<string, Tenant>();
    const key = `${tenant.cluster.name}/${tenant.limits.instanceType}`;
    const known = here.get(key);
    if (known === undefined || tenant.pods > known.pods) here.set(key, tenant);
    bySubnet.set(subnetId, here);
  };
  for (const { cluster, limits, subnetId, pods, id } of nodeStates(context)) {
    if (limits === undefined || subnetId === undefined || !takesPodAddresses(cluster, subnetId)) continue;
    note(subnetId, { cluster, limits, pods: pods ?? 0, node: id });
  }
  const { instanceTypes } = context.facts;
  const known = instanceTypes.state === 'absent' ? [] : instanceTypes.value;
  for (const cluster of context.clusters) {
    // The type that "one more node" stands for, in every subnet that one may be launched into.
    const limits = known.find(({ instanceType }) => instanceType === cluster.instanceTypes[0]?.instanceType);
    if (limits === undefined) continue;
    for (const subnetId of cluster.nodeSubnets) {
      if (takesPodAddresses(cluster, subnetId)) note(subnetId, { cluster, limits, pods: 0 });
    }
  }
  return new Map([...bySubnet].map(([subnetId, here]) => [subnetId, [...here.values()]]));
}

/** Whether the pods of the cluster's nodes take IPv4 addresses of this subnet. */
function takesPodAddresses(cluster: ClusterModel, subnetId: string): boolean {
  if (cluster.facts?.ipFamily === 'ipv6') return false;
  return !cluster.cni.customNetworking || cluster.podSubnets.has(subnetId);
}

function tooSmall(view: SubnetView, misfit: Misfit, usable: number): Finding {
  const { tenant, need, prefixes, eligibleBlocks } = misfit;
  const type = tenant.limits.instanceType;
  const fits =
    prefixes > eligibleBlocks
      ? `${prefixes} prefixes, and the subnet can never give more than ${eligibleBlocks}`
      : `${need} addresses, and the empty subnet has ${usable}`;
  const targets = warmTargets(tenant.pods);
  return finding(
    'SUBNET_TOO_SMALL_FOR_INSTANCE',
    { subnet: view.facts },
    {
      severity: 'warning',
      observed: need,
      threshold: usable,
      message: `${nameOf(view.facts)} is too small for a single ${type}: with its CNI settings it wants ${fits}.`,
      evidence: {
        need,
        usable,
        instanceType: type,
        cluster: tenant.cluster.name,
        pods: tenant.pods,
        node: tenant.node,
        ...(prefixes > 0 ? { prefixesWanted: prefixes, eligibleBlocks } : {}),
      },
      remedy:
        prefixes > 0
          ? 'Use a larger subnet for this cluster: a /27 or smaller has no /28 that can be a prefix.'
          : `Use a larger subnet, or let nodes take less: ${formatTargets(targets)} on aws-node makes it ${addressesUnder(tenant, targets)} addresses for ${count(tenant.pods, 'pod')}.`,
    },
  );
}

function addressesUnder({ cluster, limits, pods }: Tenant, targets: WarmTargets): number | undefined {
  const env = new Map(cluster.cni.env)
    .set('WARM_IP_TARGET', String(targets.warmIpTarget))
    .set('MINIMUM_IP_TARGET', String(targets.minimumIpTarget));
  return cniDemand({ ...cluster.cni, env }, limits, pods)?.ips;
}
