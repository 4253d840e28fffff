/** Which subnets a cluster may use, by which evidence, and who launches its nodes there (docs/adr/0010). */
import type { EksUse } from '../subnet/eks-use.ts';
import type { KubernetesFacts, NodegroupFacts, SubnetFacts, SubnetSelectorTerm } from '../subnet/snapshot.ts';
import {
  type CniFacts,
  DISCOVERY_TAG,
  type NodeLauncher,
  SUBNET_EVIDENCE,
  type SubnetEvidence,
} from './cluster-model.ts';
import { listOf } from './readings.ts';
import { selectSubnets } from './selection/selectors.ts';
import { discoveredSubnets } from './selection/vpc-cni.ts';
import type { ClusterSettings } from './settings.ts';

export interface ClusterEvidence {
  readonly name: string;
  readonly vpcId: string | undefined;
  readonly subnets: readonly SubnetFacts[];
  readonly nodegroups: readonly NodegroupFacts[];
  readonly kubernetes: KubernetesFacts | undefined;
  readonly settings: ClusterSettings;
  readonly cni: CniFacts;
  readonly cniTag: string;
  readonly presence: ReadonlyMap<string, EksUse>;
}

export interface ClusterSubnets {
  readonly subnets: ReadonlyMap<string, readonly SubnetEvidence[]>;
  readonly nodeSubnets: ReadonlySet<string>;
  readonly podSubnets: ReadonlySet<string>;
  readonly launchers: readonly NodeLauncher[];
}

export function clusterSubnets(cluster: ClusterEvidence): ClusterSubnets {
  const found = new Found(cluster.subnets);
  const launchers = [...karpenterLaunchers(cluster, found), ...nodegroupLaunchers(cluster, found)];
  const selected = launchers.some(({ kind, name }) => kind === 'karpenter' && name !== TAGS);
  const present = cluster.subnets.filter(({ subnetId }) => cluster.presence.has(subnetId));
  // A selector says where new nodes go; without one, new ones are expected where the old ones stand.
  const standing = present.filter(({ subnetId }) => (cluster.presence.get(subnetId)?.nodes ?? 0) > 0);
  if (!selected) {
    found.node('interfaces', standing);
    if (launchers.length === 0 && standing.length > 0) launchers.push(launcher('unknown', 'nodes seen', [], standing));
  }
  podSubnets(cluster, found, present, selected);
  return { ...found.result(), launchers };
}

const CONFIGURATION = 'configuration';
const TAGS = 'tags';

function launcher(
  kind: NodeLauncher['kind'],
  name: string,
  terms: readonly SubnetSelectorTerm[],
  subnets: readonly SubnetFacts[],
): NodeLauncher {
  return { kind, name, terms, subnetIds: subnets.map(({ subnetId }) => subnetId) };
}

/** The configuration goes before node classes, and both before what the discovery tags suggest. */
function karpenterLaunchers(cluster: ClusterEvidence, found: Found): NodeLauncher[] {
  const configured = cluster.settings.karpenterSelectors;
  if (configured !== undefined) {
    const subnets = selectSubnets(configured, cluster.subnets);
    found.node('configured-selector', subnets);
    return [launcher('karpenter', CONFIGURATION, configured, subnets)];
  }
  const nodeClasses = listOf(cluster.kubernetes?.nodeClasses);
  if (nodeClasses.length > 0) {
    return nodeClasses.map(({ name, subnetSelectorTerms }) => {
      const subnets = selectSubnets(subnetSelectorTerms, cluster.subnets);
      found.node('node-class', subnets);
      return launcher('karpenter', name, subnetSelectorTerms, subnets);
    });
  }
  const terms = discoveryTerms(cluster.name);
  const tagged = selectSubnets(terms, cluster.subnets).filter(
    ({ vpcId }) => cluster.vpcId === undefined || vpcId === cluster.vpcId,
  );
  if (tagged.length === 0) return [];
  found.node('karpenter-tag', tagged);
  return [launcher('karpenter', TAGS, terms, tagged)];
}

/** Karpenter's convention, in both of its forms. */
export function discoveryTerms(cluster: string): readonly SubnetSelectorTerm[] {
  return [{ tags: new Map([[DISCOVERY_TAG, cluster]]) }, { tags: new Map([[`${DISCOVERY_TAG}/${cluster}`, '*']]) }];
}

function nodegroupLaunchers(cluster: ClusterEvidence, found: Found): NodeLauncher[] {
  return cluster.nodegroups.map(({ name, subnetIds }) => {
    const ids = new Set(subnetIds);
    const subnets = cluster.subnets.filter(({ subnetId }) => ids.has(subnetId));
    found.node('nodegroup', subnets);
    return launcher('nodegroup', name, [], subnets);
  });
}

/** Pods live beside their node unless custom networking or a pod selector sends them elsewhere; the CNI's tag opens further subnets to new interfaces. */
function podSubnets(cluster: ClusterEvidence, found: Found, present: readonly SubnetFacts[], selected: boolean): void {
  const { kubernetes, cni, subnets } = cluster;
  const eniConfigs = listOf(kubernetes?.eniConfigs);
  const podTerms = listOf(kubernetes?.nodeClasses).flatMap((one) => one.podSubnetSelectorTerms);
  if (cni.customNetworking && eniConfigs.length > 0) {
    const ids = new Set(eniConfigs.map(({ subnetId }) => subnetId));
    found.pods(
      'eni-config',
      subnets.filter(({ subnetId }) => ids.has(subnetId)),
    );
    return;
  }
  if (podTerms.length > 0) {
    found.pods('node-class', selectSubnets(podTerms, subnets));
    return;
  }
  if (!cni.customNetworking) found.podsBesideNodes();
  if (cni.mode !== 'auto' && cni.subnetDiscovery !== false && !cni.customNetworking) {
    const zones = found.nodeZones();
    const tagged = discoveredSubnets(cluster, subnets).filter(
      ({ availabilityZoneId }) => zones.size === 0 || zones.has(availabilityZoneId),
    );
    found.pods('cni-tag', tagged);
  }
  if (selected && !cni.customNetworking) return;
  found.pods(
    'interfaces',
    present.filter(({ subnetId }) => (cluster.presence.get(subnetId)?.podInterfaces ?? 0) > 0),
  );
}

class Found {
  private readonly all: readonly SubnetFacts[];
  private readonly evidence = new Map<string, Set<SubnetEvidence>>();
  private readonly nodeIds = new Set<string>();
  private readonly podIds = new Set<string>();

  constructor(all: readonly SubnetFacts[]) {
    this.all = all;
  }

  node(by: SubnetEvidence, subnets: readonly SubnetFacts[]): void {
    for (const { subnetId } of subnets) this.note(this.nodeIds, subnetId, by);
  }

  pods(by: SubnetEvidence, subnets: readonly SubnetFacts[]): void {
    for (const { subnetId } of subnets) this.note(this.podIds, subnetId, by);
  }

  podsBesideNodes(): void {
    for (const id of this.nodeIds) this.podIds.add(id);
  }

  nodeZones(): ReadonlySet<string> {
    return new Set(this.all.filter(({ subnetId }) => this.nodeIds.has(subnetId)).map((one) => one.availabilityZoneId));
  }

  result(): Omit<ClusterSubnets, 'launchers'> {
    const subnets = new Map<string, readonly SubnetEvidence[]>();
    for (const { subnetId } of this.all) {
      const evidence = this.evidence.get(subnetId);
      if (evidence !== undefined)
        subnets.set(
          subnetId,
          SUBNET_EVIDENCE.filter((one) => evidence.has(one)),
        );
    }
    return { subnets, nodeSubnets: this.nodeIds, podSubnets: this.podIds };
  }

  private note(ids: Set<string>, subnetId: string, by: SubnetEvidence): void {
    ids.add(subnetId);
    const known = this.evidence.get(subnetId);
    if (known === undefined) this.evidence.set(subnetId, new Set([by]));
    else known.add(by);
  }
}
