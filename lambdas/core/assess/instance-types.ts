/** Which instance types a cluster runs on. */
import type { InstanceFacts, KubernetesFacts, NodegroupFacts } from '../subnet/snapshot.ts';
import { listOf } from './readings.ts';

/**
 * Types in use, by the instances that carry the cluster's tags and the nodes that its own files list, each counted once; then those that its node groups
 * ask for. Most used first, then the one that node groups want most of, then by name.
 */
export function instanceTypesInUse(
  instances: readonly InstanceFacts[],
  kubernetes: KubernetesFacts | undefined,
  nodegroups: readonly NodegroupFacts[],
): readonly { readonly instanceType: string; readonly nodes: number }[] {
  const nodes = new Map<string, number>();
  const wanted = new Map<string, number>();
  const add = (counts: Map<string, number>, type: string, n: number) => counts.set(type, (counts.get(type) ?? 0) + n);
  const seen = new Set<string>();
  for (const { instanceId, instanceType } of instances) {
    seen.add(instanceId);
    add(nodes, instanceType, 1);
  }
  for (const { instanceId, instanceType } of listOf(kubernetes?.nodes)) {
    if (instanceType === undefined || (instanceId !== undefined && seen.has(instanceId))) continue;
    add(nodes, instanceType, 1);
  }
  for (const { instanceTypes, desiredSize } of nodegroups) {
    // A group tries its types in the order written, so that the first one stands for it.
    instanceTypes.forEach((type, at) => {
      add(nodes, type, 0);
      add(wanted, type, at === 0 ? (desiredSize ?? 1) : 0);
    });
  }
  return [...nodes]
    .map(([instanceType, count]) => ({ instanceType, nodes: count }))
    .sort(
      (a, b) =>
        b.nodes - a.nodes ||
        (wanted.get(b.instanceType) ?? 0) - (wanted.get(a.instanceType) ?? 0) ||
        (a.instanceType < b.instanceType ? -1 : 1),
    );
}
