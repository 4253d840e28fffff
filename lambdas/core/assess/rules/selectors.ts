/** Findings about selectors that select nothing, and about tags that cannot serve two. */
import type { EvidenceValue } from '../../../contract/finding.ts';
import type { SubnetFacts, SubnetSelectorTerm } from '../../subnet/snapshot.ts';
import { type ClusterModel, DISCOVERY_TAG, type NodeLauncher } from '../cluster-model.ts';
import type { AssessContext } from '../context.ts';
import { finding } from '../finding.ts';
import { listOf } from '../readings.ts';
import { selectSubnets } from '../selection/selectors.ts';
import { tagConflict } from '../tag-conflict.ts';
import { isWhole } from '../whole.ts';
import type { Rule } from './rule.ts';

/** A selector of the cluster's own that selects no subnet; nothing is said where not every subnet that it may mean was read. */
function emptyLaunchers(context: AssessContext): readonly { cluster: ClusterModel; launcher: NodeLauncher }[] {
  const { facts } = context;
  return context.clusters.flatMap((cluster) =>
    cluster.launchers
      .filter(({ kind, subnetIds }) => kind === 'karpenter' && subnetIds.length === 0)
      .filter(({ terms }) => isWhole(facts, cluster.vpcId) && selectSubnets(terms, facts.excluded ?? []).length === 0)
      .map((launcher) => ({ cluster, launcher })),
  );
}

/** `SELECTOR_MATCHES_NO_SUBNET`: the node class is not ready and nothing launches. Names the tag to add, and the tags that nearly are it. */
export const selectorMatchesNoSubnet: Rule = (context) =>
  emptyLaunchers(context).map(({ cluster, launcher }) => {
    const { name, terms } = launcher;
    const wanted = describeTerms(terms);
    return finding(
      'SELECTOR_MATCHES_NO_SUBNET',
      { cluster: cluster.name, ...(cluster.vpcId === undefined ? {} : { vpcId: cluster.vpcId }), part: name },
      {
        severity: 'critical',
        observed: 0,
        message: `Node class ${name} of ${cluster.name} selects no subnet: none of ${context.facts.subnets.length} has ${wanted}. It launches nothing.`,
        evidence: { nodeClass: name, selector: wanted, nearMisses: nearMisses(terms, context.facts.subnets) },
        remedy: `Add the tag ${wanted} to the subnets meant, key and value exactly so, or correct the selector.`,
      },
    );
  });

function describeTerms(terms: readonly SubnetSelectorTerm[]): string {
  const texts = terms.map(({ id, tags }) => id ?? [...tags].map(([key, value]) => `${key}=${value}`).join(' and '));
  return texts.length === 0 ? 'any selector term' : texts.join(' or ');
}

/** Near misses that are listed at most: enough to see the pattern. */
const LISTED = 10;

/** Tags whose key is the wanted one but for its case or its value. */
function nearMisses(terms: readonly SubnetSelectorTerm[], subnets: readonly SubnetFacts[]): readonly EvidenceValue[] {
  const keys = new Set(terms.flatMap(({ tags }) => [...tags.keys()].map((key) => key.toLowerCase())));
  const near: EvidenceValue[] = [];
  for (const { subnetId, tags } of subnets) {
    for (const [key, value] of tags) {
      if (keys.has(key.toLowerCase()) && near.length < LISTED) near.push({ subnetId, key, value });
    }
  }
  return near;
}

/** Karpenter's own default for a pool that sets none (NodePool API v1, `expireAfter`). */
const DEFAULT_EXPIRY = '720h';

/** `NODES_EXPIRE_WITHOUT_REPLACEMENT`: the node class selects nothing, so that expiry takes its nodes away and nothing comes in their place. */
export const nodesExpireWithoutReplacement: Rule = (context) =>
  emptyLaunchers(context).flatMap(({ cluster, launcher }) =>
    listOf(cluster.kubernetes?.nodePools)
      .filter(({ nodeClass, expireAfter }) => nodeClass === launcher.name && expireAfter !== 'Never')
      .map(({ name, expireAfter = DEFAULT_EXPIRY }) =>
        finding(
          'NODES_EXPIRE_WITHOUT_REPLACEMENT',
          { cluster: cluster.name, ...(cluster.vpcId === undefined ? {} : { vpcId: cluster.vpcId }), part: name },
          {
            severity: 'warning',
            observed: expireAfter,
            message: `Nodes of pool ${name} are taken away ${expireAfter} after their start, and node class ${launcher.name} has no subnet to launch others into.`,
            evidence: { expireAfter, nodePool: name, nodeClass: launcher.name },
            remedy: `Give node class ${launcher.name} a subnet before then, or set expireAfter to Never until it has one.`,
          },
        ),
      ),
  );

/**
 * `POD_SUBNET_ZONE_MISSING`: pods have subnets of their own (a pod selector of EKS Auto Mode, or ENIConfigs under custom networking), and in a zone where
 * nodes stand or may be launched there is none.
 */
export const podSubnetZoneMissing: Rule = (context) =>
  context.clusters.flatMap((cluster) => {
    const { excluded = [] } = context.facts;
    const subnets = context.facts.subnets.filter(({ vpcId }) => isWhole(context.facts, vpcId));
    const all = [...subnets, ...excluded];
    const autoMode = listOf(cluster.kubernetes?.nodeClasses)
      .filter(({ podSubnetSelectorTerms }) => podSubnetSelectorTerms.length > 0)
      .flatMap(({ name, subnetSelectorTerms, podSubnetSelectorTerms }) => {
        const nodes = [...selectSubnets(subnetSelectorTerms, subnets), ...nodeZones(cluster, subnets)];
        const pods = selectSubnets(podSubnetSelectorTerms, all);
        return missing(cluster, nodes, pods, `pod subnet selector of ${name}`, name);
      });
    const configs = new Set(listOf(cluster.kubernetes?.eniConfigs).map(({ subnetId }) => subnetId));
    if (!cluster.cni.customNetworking || configs.size === 0) return autoMode;
    const pods = all.filter(({ subnetId }) => configs.has(subnetId));
    return [...autoMode, ...missing(cluster, nodeZones(cluster, subnets), pods, 'ENIConfigs', 'ENIConfig')];
  });

/** Subnets where nodes stand, or, where none are seen, may be launched. */
function nodeZones(cluster: ClusterModel, subnets: readonly SubnetFacts[]): readonly SubnetFacts[] {
  return subnets.filter(
    ({ subnetId }) => (cluster.presence.get(subnetId)?.nodes ?? 0) > 0 || cluster.nodeSubnets.has(subnetId),
  );
}

function missing(
  cluster: ClusterModel,
  nodes: readonly SubnetFacts[],
  pods: readonly SubnetFacts[],
  source: string,
  part: string,
) {
  const covered = new Set(pods.map(({ availabilityZoneId }) => availabilityZoneId));
  const zones = new Map(nodes.map((subnet) => [subnet.availabilityZoneId, subnet]));
  return [...zones].flatMap(([zoneId, { availabilityZone: zone, vpcId }]) => {
    if (covered.has(zoneId)) return [];
    const here = nodes.filter(({ availabilityZoneId }) => availabilityZoneId === zoneId);
    return [
      finding(
        'POD_SUBNET_ZONE_MISSING',
        { cluster: cluster.name, zone, zoneId, vpcId, part },
        {
          severity: 'critical',
          observed: 0,
          message: `The ${source} of ${cluster.name} has no subnet in ${zone}, where its nodes are launched: pods there get no address.`,
          evidence: { source, nodeSubnets: [...new Set(here.map(({ subnetId }) => subnetId))] },
          remedy: `Tag or name a pod subnet in ${zone}, or keep nodes out of that zone.`,
        },
      ),
    ];
  });
}

/**
 * `TAG_VALUE_CONFLICT`: a cluster wants a value of a key on a subnet where it has nodes, node groups or pods, and the key already holds another cluster's. One
 * key holds one value: writing it would take the subnet from the other cluster and replace its nodes.
 */
export const tagValueConflict: Rule = (context) =>
  context.clusters.flatMap((cluster) => {
    const groups = new Set(cluster.nodegroups.flatMap(({ subnetIds }) => subnetIds));
    return context.facts.subnets
      .filter(({ subnetId }) => cluster.presence.has(subnetId) || groups.has(subnetId))
      .flatMap((subnet) => {
        const conflict = tagConflict(context, cluster, subnet);
        if (conflict === undefined) return [];
        const { key, current, wanted, other } = conflict;
        return [
          finding(
            'TAG_VALUE_CONFLICT',
            { subnet, cluster: cluster.name, part: key },
            {
              severity: 'warning',
              observed: current,
              message: `${subnet.subnetId} has ${key}=${current}, which serves ${other}; ${cluster.name} would need ${key}=${wanted}, and a key holds one value.`,
              evidence: { key, current, wanted, servesCluster: other },
              remedy: `Do not overwrite it: use a key of its own, such as ${DISCOVERY_TAG}/${cluster.name}, in the tag and in the selector.`,
            },
          ),
        ];
      });
  });
