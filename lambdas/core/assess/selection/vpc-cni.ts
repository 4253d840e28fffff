/**
 * Which subnets the Amazon VPC CNI tries, and in which order, when a node needs another interface. Pure; by the source of each version
 * (amazon-vpc-cni-k8s `pkg/awsutils/awsutils.go`, `GetVpcSubnets`, `createENI`, `isSubnetValidForENICreation`; docs/selection.md).
 */
import type { SubnetFacts, Tags } from '../../subnet/snapshot.ts';
import { CNI_SCOPE_TAG, CNI_TAG } from '../cluster-model.ts';
import { compareVersions, parseVersion, type Version } from './version.ts';

/** What the CNI needs to know of itself. */
export interface CniSelection {
  /** `1.22.1`; `undefined` where nobody said. */
  readonly version?: string | undefined;
  /** `ENABLE_SUBNET_DISCOVERY`; `undefined` stands for the default of the version. */
  readonly subnetDiscovery?: boolean | undefined;
  readonly customNetworking?: boolean | undefined;
  /** `CLUSTER_NAME`, which the CNI's own chart leaves empty. */
  readonly clusterName?: string | undefined;
  /** Tag key of discovery; the CNI's own, unless a fork is configured otherwise. */
  readonly cniTag?: string | undefined;
}

/**
 * `off`: before v1.18.0, or switched off. `key`: v1.18.0 to v1.21.x, the presence of the key. `legacy-scope`: v1.22.0, the value and
 * `kubernetes.io/cluster/`. `value`: v1.22.1 and later, the value and `cni.networking.k8s.aws/cluster/`.
 */
export const CNI_RULES = ['off', 'key', 'legacy-scope', 'value'] as const;
export type CniRule = (typeof CNI_RULES)[number];

const LEGACY_SCOPE = 'kubernetes.io/cluster/';
/** First versions of the rules, read at the project's git tags. */
const RULE_SINCE: readonly (readonly [Version, CniRule])[] = [
  [[1, 22, 1], 'value'],
  [[1, 22, 0], 'legacy-scope'],
  [[1, 18, 0], 'key'],
];

/** The rule of a version; `undefined` where the version is not known, or cannot be read. */
export function cniRule(cni: CniSelection): CniRule | undefined {
  if (cni.subnetDiscovery === false) return 'off';
  const version = parseVersion(cni.version);
  if (version === undefined) return undefined;
  return RULE_SINCE.find(([since]) => compareVersions(version, since) >= 0)?.[1] ?? 'off';
}

/** Whether a new interface of a node may be put into the subnet, zone and VPC apart. */
export function isCandidate(rule: CniRule, cni: CniSelection, subnet: SubnetFacts, nodeSubnetId: string): boolean {
  const primary = subnet.subnetId === nodeSubnetId;
  const value = subnet.tags.get(cni.cniTag ?? CNI_TAG);
  const clusterName = cni.clusterName ?? '';
  switch (rule) {
    case 'off':
      return primary;
    case 'key':
      return primary || value !== undefined;
    case 'legacy-scope':
      // The scope holds for every subnet here, the node's own and a CNI without a cluster name included.
      if (value === '0' || !inScope(subnet.tags, LEGACY_SCOPE, clusterName)) return false;
      return primary || (value !== undefined && value !== '');
    case 'value':
      if (value === '0') return false;
      if (value === undefined || value === '') return primary;
      return clusterName === '' || inScope(subnet.tags, CNI_SCOPE_TAG, clusterName);
  }
}

/** A subnet without any cluster tag serves every cluster; only the key counts. */
function inScope(tags: Tags, prefix: string, clusterName: string): boolean {
  let scoped = false;
  for (const key of tags.keys()) {
    if (!key.startsWith(prefix)) continue;
    if (key === prefix + clusterName) return true;
    scoped = true;
  }
  return !scoped;
}

/**
 * The subnets that the CNI tries for a new interface of a node, in its order: most available addresses first, the first one that works is taken.
 *
 * The sort is stable over the order in which EC2 lists the subnets, which is not documented; here that is the order given.
 *
 * @param rule from {@link cniRule}, or the one to suppose.
 * @returns empty where custom networking decides (the ENIConfig's subnet, whatever the tags say) or where no subnet is valid.
 */
export function cniSubnetOrder(
  rule: CniRule,
  cni: CniSelection,
  node: SubnetFacts,
  subnets: readonly SubnetFacts[],
): readonly SubnetFacts[] {
  if (cni.customNetworking === true) return [];
  return subnets
    .filter(
      (subnet) =>
        subnet.vpcId === node.vpcId &&
        subnet.availabilityZone === node.availabilityZone &&
        isCandidate(rule, cni, subnet, node.subnetId),
    )
    .sort((a, b) => b.availableIps - a.availableIps);
}

/** The tagged subnets that a cluster's CNI may use beside its nodes' own; by the rule of the newest versions where the version is not known. */
export function discoveredSubnets(
  cluster: { readonly vpcId: string | undefined; readonly cni: CniSelection; readonly cniTag: string },
  subnets: readonly SubnetFacts[],
): readonly SubnetFacts[] {
  const cni = { ...cluster.cni, cniTag: cluster.cniTag };
  const rule = cniRule(cni) ?? 'value';
  return subnets.filter(
    (subnet) => subnet.vpcId === cluster.vpcId && subnet.tags.has(cluster.cniTag) && isCandidate(rule, cni, subnet, ''),
  );
}
