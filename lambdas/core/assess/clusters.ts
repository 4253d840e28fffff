/** Finds the clusters of a region in everything that speaks of them. */
import { EksUseCount, NO_CLUSTER } from '../subnet/eks-use.ts';
import type { NodeHolding } from '../subnet/occupancy.ts';
import type { EniReading, InstanceFacts, RegionFacts } from '../subnet/snapshot.ts';
import { cniFacts } from './cluster-cni.ts';
import { type ClusterModel, CNI_SCOPE_TAG, CNI_TAG, UNNAMED_CLUSTER } from './cluster-model.ts';
import { type BareView, type ClusterNames, clusterNames, clusterOfInstance } from './cluster-names.ts';
import { clusterSubnets, discoveryTerms } from './cluster-subnets.ts';
import { nodeFootprint } from './footprint.ts';
import { instanceTypesInUse } from './instance-types.ts';
import { listOf } from './readings.ts';
import { selects } from './selection/selectors.ts';
import type { AssessSettings } from './settings.ts';

/** The name of the CNI's add-on in EKS. */
const CNI_ADDON = 'vpc-cni';

type Presence = Map<string, Map<string, EksUseCount>>;

/**
 * The clusters, by name, each with the subnets it may use and why.
 *
 * Nodes and interfaces that name no cluster count for the only cluster of their VPC; where there is none or several, and nothing named lives in the
 * subnet, for one called `(unnamed)`, so that a subnet full of pods is never taken for one that serves none.
 *
 * @param enis how the interfaces were read; where they were not, clusters are known by tags, files and EKS alone.
 */
export function buildClusters(
  facts: RegionFacts,
  enis: EniReading,
  views: ReadonlyMap<string, BareView>,
  settings: AssessSettings = {},
): readonly ClusterModel[] {
  const found = clusterNames(facts, views, settings);
  const presence: Presence = new Map();
  const instances = new Map<string, InstanceFacts[]>();
  if (enis.state !== 'absent') addInterfaces(presence, views, found);
  for (const instance of listOf(facts.instances)) addInstance(presence, instances, instance, views);

  const vpcs = new Map(found.names.map((name) => [name, vpcOf(name, facts, presence)]));
  settleUnnamed(presence, instances, vpcs, views);
  const names = new Set([...found.names, ...presence.keys()]);
  names.delete(NO_CLUSTER);
  return [...names].sort().map((name) => model(name, { facts, settings, found, presence, instances, vpcs }));
}

/** What the interfaces say, and for nodes that a cluster's own files list, what those hold. */
function addInterfaces(presence: Presence, views: ReadonlyMap<string, BareView>, found: ClusterNames): void {
  const owners = new Map<string, string>();
  for (const [cluster, { nodes }] of found.kubernetes) {
    for (const { instanceId } of listOf(nodes)) if (instanceId !== undefined) owners.set(instanceId, cluster);
  }
  for (const [subnetId, { occupancy }] of views) {
    if (occupancy === undefined) continue;
    const unnamed = new EksUseCount();
    for (const [cluster, use] of occupancy.eksUse) {
      if (cluster === NO_CLUSTER) unnamed.add(use);
      else useIn(presence, cluster, subnetId).add(use);
    }
    for (const holding of occupancy.nodes.values()) {
      const cluster = owners.get(holding.instanceId);
      if (cluster !== undefined && !occupancy.eksUse.has(cluster))
        moveTo(useIn(presence, cluster, subnetId), unnamed, holding);
    }
    if (unnamed.nodes + unnamed.podInterfaces > 0) useIn(presence, NO_CLUSTER, subnetId).add(unnamed);
  }
}

/** Takes what a node holds out of what names no cluster; never more than is there, so that nothing counts twice. */
function moveTo(owned: EksUseCount, unnamed: EksUseCount, holding: NodeHolding): void {
  const pods = holding.prefixes > 0 || holding.secondaryIps > 0 ? holding.enis : 0;
  const part = {
    nodes: Math.min(1, unnamed.nodes),
    podInterfaces: Math.min(pods, unnamed.podInterfaces),
    prefixes: Math.min(holding.prefixes, unnamed.prefixes),
    secondaryIps: Math.min(holding.secondaryIps, unnamed.secondaryIps),
  };
  owned.add(part);
  unnamed.nodes -= part.nodes;
  unnamed.podInterfaces -= part.podInterfaces;
  unnamed.prefixes -= part.prefixes;
  unnamed.secondaryIps -= part.secondaryIps;
}

/** A node whose interfaces were not read stands in its subnet all the same. */
function addInstance(
  presence: Presence,
  instances: Map<string, InstanceFacts[]>,
  instance: InstanceFacts,
  views: ReadonlyMap<string, BareView>,
): void {
  const cluster = clusterOfInstance(instance);
  if (cluster === undefined || instance.state === 'terminated' || instance.state === 'shutting-down') return;
  const listed = instances.get(cluster);
  if (listed === undefined) instances.set(cluster, [instance]);
  else listed.push(instance);
  const subnetId = instance.subnetId;
  if (subnetId === undefined || !views.has(subnetId) || presence.get(cluster)?.has(subnetId) === true) return;
  useIn(presence, cluster, subnetId).add({ nodes: 1, podInterfaces: 0, prefixes: 0, secondaryIps: 0 });
}

function useIn(presence: Presence, cluster: string, subnetId: string): EksUseCount {
  const bySubnet = presence.get(cluster) ?? new Map<string, EksUseCount>();
  const use = bySubnet.get(subnetId) ?? new EksUseCount();
  presence.set(cluster, bySubnet.set(subnetId, use));
  return use;
}

/** EKS's word; else the VPC where most of its subnets are, by node groups, nodes, and the tags of Karpenter and the CNI. */
function vpcOf(cluster: string, facts: RegionFacts, presence: Presence): string | undefined {
  const told = listOf(facts.clusters).find(({ name }) => name === cluster)?.vpcId;
  if (told !== undefined) return told;
  const terms = discoveryTerms(cluster);
  const groups = listOf(facts.nodegroups).filter((group) => group.cluster === cluster);
  const ids = new Set([...groups.flatMap(({ subnetIds }) => subnetIds), ...(presence.get(cluster)?.keys() ?? [])]);
  const votes = new Map<string, number>();
  for (const subnet of facts.subnets) {
    const tagged = selects(terms, subnet) || subnet.tags.has(CNI_SCOPE_TAG + cluster);
    if (!tagged && !ids.has(subnet.subnetId)) continue;
    votes.set(subnet.vpcId, (votes.get(subnet.vpcId) ?? 0) + 1);
  }
  return [...votes].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))[0]?.[0];
}

/** Gives what names no cluster to the only cluster that it can be of. */
function settleUnnamed(
  presence: Presence,
  instances: Map<string, InstanceFacts[]>,
  vpcs: ReadonlyMap<string, string | undefined>,
  views: ReadonlyMap<string, BareView>,
): void {
  const named = new Set([...presence].flatMap(([cluster, uses]) => (cluster === NO_CLUSTER ? [] : [...uses.keys()])));
  for (const [subnetId, use] of presence.get(NO_CLUSTER) ?? []) {
    const owner = ownerIn(views.get(subnetId)?.facts.vpcId, vpcs);
    if (owner !== undefined || !named.has(subnetId)) useIn(presence, owner ?? UNNAMED_CLUSTER, subnetId).add(use);
  }
  presence.delete(NO_CLUSTER);
  for (const instance of instances.get(NO_CLUSTER) ?? []) {
    const owner = ownerIn(instance.vpcId ?? views.get(instance.subnetId ?? '')?.facts.vpcId, vpcs) ?? UNNAMED_CLUSTER;
    const listed = instances.get(owner);
    if (listed === undefined) instances.set(owner, [instance]);
    else listed.push(instance);
  }
  instances.delete(NO_CLUSTER);
}

function ownerIn(vpcId: string | undefined, vpcs: ReadonlyMap<string, string | undefined>): string | undefined {
  const here = [...vpcs].filter(([, vpc]) => vpc === undefined || vpc === vpcId);
  return here.length === 1 ? here[0]?.[0] : undefined;
}

interface Material {
  readonly facts: RegionFacts;
  readonly settings: AssessSettings;
  readonly found: ClusterNames;
  readonly presence: Presence;
  readonly instances: ReadonlyMap<string, readonly InstanceFacts[]>;
  readonly vpcs: ReadonlyMap<string, string | undefined>;
}

function model(name: string, material: Material): ClusterModel {
  const { facts, found, vpcs } = material;
  const settings = material.settings.clusters?.get(name) ?? {};
  const own = listOf(facts.clusters).find((cluster) => cluster.name === name);
  const kubernetes = found.kubernetes.get(name);
  const nodegroups = listOf(facts.nodegroups).filter(({ cluster }) => cluster === name);
  const addon = listOf(facts.addons).find((one) => one.cluster === name && one.name === CNI_ADDON);
  const presence = material.presence.get(name) ?? new Map<string, EksUseCount>();
  const use = new EksUseCount();
  for (const one of presence.values()) use.add(one);
  const vpcId = vpcs.get(name) ?? vpcOf(name, facts, material.presence);
  const cni = cniFacts({ facts: own, kubernetes, addon, use });
  const cniTag = settings.cniTag ?? CNI_TAG;
  const nodeClasses = listOf(kubernetes?.nodeClasses);
  const instanceTypes = instanceTypesInUse(material.instances.get(name) ?? [], kubernetes, nodegroups);
  const instanceType = instanceTypes[0]?.instanceType;
  const limits = listOf(facts.instanceTypes).find((type) => type.instanceType === instanceType);
  const footprint = nodeFootprint({ cni, ipv6: own?.ipFamily === 'ipv6', instanceType, limits, nodeClasses });
  return {
    name,
    ...(vpcId === undefined ? {} : { vpcId }),
    ...(own === undefined ? {} : { facts: own }),
    nodegroups,
    ...(kubernetes === undefined ? {} : { kubernetes }),
    cni,
    cniTag,
    ...clusterSubnets({
      name,
      vpcId,
      subnets: facts.subnets,
      nodegroups,
      kubernetes,
      settings,
      cni,
      cniTag,
      presence,
    }),
    presence,
    instanceIds: (material.instances.get(name) ?? []).map(({ instanceId }) => instanceId),
    instanceTypes,
    ...(footprint === undefined ? {} : { footprint }),
  };
}
