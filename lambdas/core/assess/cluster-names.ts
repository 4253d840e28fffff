/** Which clusters there are, and whose the files and nodes are that name none. */
import { NO_CLUSTER } from '../subnet/eks-use.ts';
import { clusterOfTags, hasNodeTag } from '../subnet/eni-class.ts';
import type { InstanceFacts, KubernetesFacts, RegionFacts, SubnetFacts } from '../subnet/snapshot.ts';
import { CNI_SCOPE_TAG, DISCOVERY_TAG, UNNAMED_CLUSTER } from './cluster-model.ts';
import type { SubnetView } from './context.ts';
import { listOf } from './readings.ts';
import { exactTagValue } from './selection/selectors.ts';
import type { AssessSettings } from './settings.ts';

/** The facts of a subnet before any cluster is known. */
export type BareView = Omit<SubnetView, 'clusters'>;

/** Clusters by name, and facts from inside by the cluster they were found to be of. */
export interface ClusterNames {
  readonly names: readonly string[];
  readonly kubernetes: ReadonlyMap<string, KubernetesFacts>;
}

/** Values of the discovery tag that say yes rather than whose. */
const NO_NAME = new Set(['', '*', '0', '1', 'true', 'false', 'yes', 'no', 'enabled', 'owned', 'shared']);

/**
 * Names every cluster that anything speaks of: EKS, node groups, add-ons, the configuration, facts from inside, tags of interfaces and instances.
 * A name that only a subnet's tag has counts where EKS was not asked: with a whole list at hand, it is the tag of a cluster that is gone.
 */
export function clusterNames(
  facts: RegionFacts,
  views: ReadonlyMap<string, BareView>,
  settings: AssessSettings,
): ClusterNames {
  const known = new Set<string>();
  for (const { name } of listOf(facts.clusters)) known.add(name);
  const fromEks = [...known];
  for (const { cluster } of listOf(facts.nodegroups)) known.add(cluster);
  for (const { cluster } of listOf(facts.addons)) known.add(cluster);
  for (const name of settings.clusters?.keys() ?? []) known.add(name);
  for (const { occupancy } of views.values()) {
    for (const name of occupancy?.clusters.keys() ?? []) known.add(name);
    for (const name of occupancy?.eksUse.keys() ?? []) if (name !== NO_CLUSTER) known.add(name);
  }
  for (const { tags } of listOf(facts.instances)) {
    const name = clusterOfTags(tags);
    if (name !== undefined) known.add(name);
  }
  for (const { cluster } of facts.kubernetes) if (cluster !== undefined) known.add(cluster);

  const named = facts.kubernetes.map((one) => one.cluster ?? namedFromInside(one, facts));
  for (const name of named) if (name !== undefined) known.add(name);
  if (facts.clusters.state !== 'read') {
    const claimed = claimedDiscoveryValues(facts, settings, named);
    for (const subnet of facts.subnets) {
      for (const name of namesOfSubnetTags(subnet)) if (!claimed.has(name)) known.add(name);
    }
  }

  const only = fromEks.length === 1 ? fromEks[0] : known.size === 1 ? [...known][0] : undefined;
  const kubernetes = new Map<string, KubernetesFacts>();
  facts.kubernetes.forEach((one, at) => {
    const name = named[at] ?? only ?? UNNAMED_CLUSTER;
    if (!kubernetes.has(name)) kubernetes.set(name, one);
    known.add(name);
  });
  return { names: [...known], kubernetes };
}

/** The name that a cluster's own files give away: that of its CNI, of its node classes' discovery tag, or of its nodes' instances. */
function namedFromInside(one: KubernetesFacts, facts: RegionFacts): string | undefined {
  const cni = one.daemonSet.state === 'absent' ? undefined : one.daemonSet.value.env.get('CLUSTER_NAME');
  if (cni !== undefined && cni !== '') return cni;
  const discovered = exactTagValue(
    listOf(one.nodeClasses).flatMap((nodeClass) => nodeClass.subnetSelectorTerms),
    DISCOVERY_TAG,
  );
  if (discovered !== undefined && !NO_NAME.has(discovered)) return discovered;
  const nodes = new Set(listOf(one.nodes).map((node) => node.instanceId));
  for (const { instanceId, tags } of listOf(facts.instances)) {
    const name = nodes.has(instanceId) ? clusterOfTags(tags) : undefined;
    if (name !== undefined) return name;
  }
  return undefined;
}

/** Discovery values that some cluster's own selector asks for: that cluster's, whatever they spell. */
function claimedDiscoveryValues(
  facts: RegionFacts,
  settings: AssessSettings,
  named: readonly (string | undefined)[],
): ReadonlySet<string> {
  const claimed = new Set<string>();
  const claim = (cluster: string | undefined, terms: Parameters<typeof exactTagValue>[0]) => {
    const value = exactTagValue(terms, DISCOVERY_TAG);
    if (value !== undefined && value !== cluster) claimed.add(value);
  };
  for (const [name, { karpenterSelectors }] of settings.clusters ?? []) claim(name, karpenterSelectors ?? []);
  facts.kubernetes.forEach((one, at) => {
    for (const nodeClass of listOf(one.nodeClasses)) claim(named[at], nodeClass.subnetSelectorTerms);
  });
  return claimed;
}

/** Clusters that a subnet's discovery and CNI tags name. The load balancer's `kubernetes.io/cluster/` tag outlives its cluster too often to count. */
function namesOfSubnetTags(subnet: SubnetFacts): readonly string[] {
  const names: string[] = [];
  for (const [key, value] of subnet.tags) {
    if (key === DISCOVERY_TAG && !NO_NAME.has(value)) names.push(value);
    else if (key.startsWith(`${DISCOVERY_TAG}/`)) names.push(key.slice(DISCOVERY_TAG.length + 1));
    else if (key.startsWith(CNI_SCOPE_TAG)) names.push(key.slice(CNI_SCOPE_TAG.length));
  }
  return names.filter((name) => name !== '');
}

/** The cluster whose node the instance is by its tags: a name, `NO_CLUSTER` for a node that names none, `undefined` for no node. */
export function clusterOfInstance(instance: InstanceFacts): string | undefined {
  return clusterOfTags(instance.tags) ?? (hasNodeTag(instance.tags) ? NO_CLUSTER : undefined);
}
