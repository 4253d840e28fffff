/** The nodes of each cluster as its own files list them, with what they hold and how many pods need an address. */
import { BLOCK_IPS } from '../ip/address-map.ts';
import type { InstanceTypeFacts, KubernetesFacts, NodeFacts } from '../subnet/snapshot.ts';
import type { ClusterModel } from './cluster-model.ts';
import type { AssessContext } from './context.ts';
import { compareText } from './finding.ts';

/** One node, wherever its interfaces are. */
export interface NodeState {
  readonly cluster: ClusterModel;
  readonly node: NodeFacts;
  /** Instance id where it is known, else the node's name. */
  readonly id: string;
  /** The subnet where it holds most, else that of its instance; `undefined` where neither is known. */
  readonly subnetId?: string;
  readonly instanceType?: string;
  readonly limits?: InstanceTypeFacts;
  /** Pods that take an address of the node's interfaces; `undefined` where the pods were not read. */
  readonly pods?: number;
  /** Secondary addresses that it holds, 16 for each prefix: in all subnets, and in `subnetId`. */
  readonly heldIps: number;
  readonly heldIpsHere: number;
}

/** Every node that some cluster's files list, by cluster and id. */
export function nodeStates(context: AssessContext): readonly NodeState[] {
  const { instances, instanceTypes } = context.facts;
  const instanceById = new Map(
    (instances.state === 'absent' ? [] : instances.value).map((instance) => [instance.instanceId, instance]),
  );
  const limitsByType = new Map(
    (instanceTypes.state === 'absent' ? [] : instanceTypes.value).map((type) => [type.instanceType, type]),
  );
  const held = holdings(context);
  const states: NodeState[] = [];
  for (const cluster of context.clusters) {
    const inside = cluster.kubernetes;
    if (inside === undefined || inside.nodes.state === 'absent') continue;
    const pods = podsByNode(inside);
    for (const node of inside.nodes.value) {
      const instance = node.instanceId === undefined ? undefined : instanceById.get(node.instanceId);
      const places = node.instanceId === undefined ? [] : (held.get(node.instanceId) ?? []);
      const [most] = places;
      const subnetId = most?.subnetId ?? instance?.subnetId;
      const instanceType = node.instanceType ?? instance?.instanceType;
      const limits = instanceType === undefined ? undefined : limitsByType.get(instanceType);
      states.push({
        cluster,
        node,
        id: node.instanceId ?? node.name,
        ...(subnetId === undefined ? {} : { subnetId }),
        ...(instanceType === undefined ? {} : { instanceType }),
        ...(limits === undefined ? {} : { limits }),
        ...(pods === undefined ? {} : { pods: pods.get(node.name) ?? 0 }),
        heldIps: places.reduce((sum, place) => sum + place.ips, 0),
        heldIpsHere: most?.ips ?? 0,
      });
    }
  }
  return states.sort((a, b) => compareText(a.cluster.name, b.cluster.name) || compareText(a.id, b.id));
}

interface Held {
  readonly subnetId: string;
  readonly ips: number;
}

/** Secondary addresses by instance, the subnet with most of them first. */
function holdings(context: AssessContext): ReadonlyMap<string, readonly Held[]> {
  const byInstance = new Map<string, Held[]>();
  for (const [subnetId, view] of context.subnets) {
    for (const [instanceId, { secondaryIps, prefixes }] of view.occupancy?.nodes ?? []) {
      const places = byInstance.get(instanceId) ?? [];
      places.push({ subnetId, ips: secondaryIps + BLOCK_IPS * prefixes });
      byInstance.set(instanceId, places);
    }
  }
  for (const places of byInstance.values()) {
    places.sort((a, b) => b.ips - a.ips || compareText(a.subnetId, b.subnetId));
  }
  return byInstance;
}

/** Pods by node name: those that run or start, and do not share the node's own address. `undefined` where they were not all read. */
export function podsByNode(inside: KubernetesFacts): ReadonlyMap<string, number> | undefined {
  if (inside.pods.state !== 'read') return undefined;
  const counts = new Map<string, number>();
  for (const { nodeName, hostNetwork, phase } of inside.pods.value) {
    if (nodeName === undefined || hostNetwork || phase === 'Succeeded' || phase === 'Failed') continue;
    counts.set(nodeName, (counts.get(nodeName) ?? 0) + 1);
  }
  return counts;
}
