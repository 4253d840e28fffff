/** Which tags make a cluster's own consumers find a subnet: Karpenter by its selectors, the VPC CNI by its discovery tag. */
import { type ClusterModel, CNI_SCOPE_TAG } from '../assess/cluster-model.ts';
import type { AssessContext } from '../assess/context.ts';
import { matchesTerm } from '../assess/selection/selectors.ts';
import { cniRule } from '../assess/selection/vpc-cni.ts';
import type { SubnetFacts, SubnetSelectorTerm } from '../subnet/snapshot.ts';

export interface ActivationTags {
  /** What to set, by key; those of Karpenter and of the CNI. */
  readonly tags: ReadonlyMap<string, string>;
  /** Keys by which Karpenter's selectors find the subnet. */
  readonly karpenterKeys: readonly string[];
  /** Keys of the CNI. */
  readonly cniKeys: readonly string[];
  /** Why a tag does not decide, or why the CNI gets none. */
  readonly notes: readonly string[];
}

/** @param trouble a subnet that the cluster uses: the standby gets what makes this one be found. */
export function activationTags(context: AssessContext, cluster: ClusterModel, trouble: SubnetFacts): ActivationTags {
  const notes: string[] = [];
  const karpenter = karpenterTags(cluster, trouble, notes);
  const cni = cniTags(context, cluster, trouble, notes);
  return {
    tags: new Map([...karpenter, ...cni]),
    karpenterKeys: [...karpenter.keys()],
    cniKeys: [...cni.keys()],
    notes,
  };
}

/**
 * For each selector that finds the subnet in trouble: the keys of the term that does, with the values that it has. By its own values a pattern is matched too,
 * and nothing has to be made up.
 */
function karpenterTags(cluster: ClusterModel, trouble: SubnetFacts, notes: string[]): ReadonlyMap<string, string> {
  const tags = new Map<string, string>();
  for (const { kind, name, terms, subnetIds } of cluster.launchers) {
    if (kind !== 'karpenter' || !subnetIds.includes(trouble.subnetId)) continue;
    const term = terms.find((one) => byTags(one) && matchesTerm(one, trouble));
    if (term === undefined) {
      notes.push(`${name} selects ${trouble.subnetId} by its id: add the standby's id to it`);
      continue;
    }
    for (const key of term.tags.keys()) tags.set(key, trouble.tags.get(key) as string);
  }
  return tags;
}

function byTags({ id, tags }: SubnetSelectorTerm): boolean {
  return (id === undefined || id === '') && tags.size > 0;
}

/** The value that opts a subnet in under every rule of the CNI. */
const CNI_IN = '1';
/** Only the key counts (amazon-vpc-cni-k8s `ValidSubnetTagsMatchingClusterName`). */
const SCOPE_VALUE = 'shared';

/**
 * The CNI places new interfaces of running nodes by its tag (from v1.18 on); from v1.22.1 on the tag can be kept to one cluster. Where it cannot, it would open
 * the subnet to every cluster of the VPC: then only where there is no other.
 */
function cniTags(
  context: AssessContext,
  cluster: ClusterModel,
  trouble: SubnetFacts,
  notes: string[],
): ReadonlyMap<string, string> {
  const none = new Map<string, string>();
  const { cni, cniTag } = cluster;
  if (cni.customNetworking) {
    notes.push('custom networking: an ENIConfig names the subnet of pods, no tag does');
    return none;
  }
  if (cni.mode === 'auto') {
    notes.push('EKS Auto Mode runs no VPC CNI that looks at tags');
    return none;
  }
  if (!cluster.podSubnets.has(trouble.subnetId)) return none;
  const rule = cniRule({ ...cni, cniTag });
  if (rule === undefined) {
    notes.push('the version of the VPC CNI is not known: its tag is left alone, since versions read it differently');
    return none;
  }
  if (rule === 'off') {
    notes.push(
      'the VPC CNI does not discover subnets (before v1.18, or switched off): running nodes stay in their own',
    );
    return none;
  }
  if (rule === 'legacy-scope') {
    notes.push('VPC CNI v1.22.0 reads cluster tags in a way that no other version does: its tag is left alone');
    return none;
  }
  const alone = context.clusters.every(
    (one) => one === cluster || (one.vpcId !== undefined && one.vpcId !== trouble.vpcId),
  );
  const scoped = rule === 'value' && cni.clusterName !== undefined;
  if (!scoped && !alone) {
    notes.push(
      rule === 'value'
        ? `CLUSTER_NAME is not set in the VPC CNI: ${cniTag} would open the subnet to every cluster of the VPC`
        : `VPC CNI v${cni.version ?? '?'} cannot keep ${cniTag} to one cluster, and the VPC has others`,
    );
    return none;
  }
  const tags = new Map([[cniTag, CNI_IN]]);
  if (scoped) tags.set(CNI_SCOPE_TAG + (cni.clusterName as string), SCOPE_VALUE);
  return tags;
}
