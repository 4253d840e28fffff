/** What taking a selector's tag off a subnet would do to the nodes that Karpenter runs there: the answer of `plan --untag`. */
import type { Finding } from '../../contract/finding.ts';
import { BLOCK_IPS } from '../ip/address-map.ts';
import { TAG } from '../subnet/eni-class.ts';
import type { InstanceFacts, SubnetFacts } from '../subnet/snapshot.ts';
import { type ClusterModel, DISCOVERY_TAG, type NodeLauncher } from './cluster-model.ts';
import type { AssessContext } from './context.ts';
import { compareText, finding } from './finding.ts';
import { listOf } from './readings.ts';
import { driftEffect } from './selection/karpenter.ts';
import { isById, matchesTerm, selectSubnets, selects } from './selection/selectors.ts';
import { isWhole } from './whole.ts';
import { list } from './words.ts';

export interface NodeClassEffect {
  readonly cluster: string;
  /** `tags` or `configuration` where the selector comes from there and stands for every node class of the cluster. */
  readonly nodeClass: string;
  /** Whether the node class would still select the subnet: by id, or by another term. */
  readonly stillSelected: boolean;
  /** Subnets that it would select afterwards; with 0 nothing launches any more. `null` where none of those that were read is among them and others may be. */
  readonly selectedAfter: number | null;
  /** Its nodes in the subnet, by instance id; `null` where instances were not read. */
  readonly nodes: readonly string[] | null;
  /** Of these, how many would be replaced; `null` where that is not known. */
  readonly replaced: number | null;
}

export interface UntagEffect {
  readonly subnetId: string;
  /** Tag keys that would go; where none were given, no more than it takes for no selector to find the subnet by its tags. */
  readonly keys: readonly string[];
  readonly nodeClasses: readonly NodeClassEffect[];
  /** Every node that would be replaced; `null` where that is not known. */
  readonly replaced: number | null;
  readonly findings: readonly Finding[];
}

/** Labels by which a node names its node class: that of Karpenter, that of EKS Auto Mode. */
const NODE_CLASS_LABELS = [TAG.karpenterNodeClass, 'eks.amazonaws.com/nodeclass'] as const;

/**
 * The effect of removing from a subnet the tags by which Karpenter's selectors find it.
 *
 * @param taken the keys that go, where it is not for {@link selectorKeys} to say.
 * @returns with no findings where nothing would be replaced and every node class keeps a subnet; `undefined` for a subnet that is not in the facts.
 */
export function untagEffect(
  context: AssessContext,
  subnetId: string,
  taken?: readonly string[],
): UntagEffect | undefined {
  const subnet = context.subnets.get(subnetId)?.facts;
  if (subnet === undefined) return undefined;
  const owned = context.clusters.flatMap((cluster) =>
    cluster.launchers
      .filter(({ kind, terms }) => kind === 'karpenter' && selects(terms, subnet))
      .map((launcher) => ({ cluster, launcher })),
  );
  const launchers = owned.map(({ launcher }) => launcher);
  const keys = taken ?? selectorKeys(launchers, subnet);
  const after = without(subnet, keys);
  const nodeClasses = owned.map(({ cluster, launcher }) => effectOn(context, cluster, launcher, after));
  const replaced = replacedNodes(nodeClasses)?.size ?? null;
  const harmless = replaced === 0 && leftEmpty(nodeClasses).length === 0;
  const findings = harmless ? [] : [causesDrift(context, subnet, keys, nodeClasses, replaced)];
  return { subnetId, keys, nodeClasses, replaced, findings };
}

/** Instance ids, each once, with the cluster whose node it is; `undefined` where that is not known of some node class. */
function replacedNodes(nodeClasses: readonly NodeClassEffect[]): ReadonlyMap<string, string> | undefined {
  const all = new Map<string, string>();
  for (const { cluster, nodes, replaced } of nodeClasses) {
    if (replaced === null) return undefined;
    if (replaced > 0) for (const id of nodes ?? []) all.set(id, cluster);
  }
  return all;
}

/** Node classes that would select no subnet any more. */
export function leftEmpty(nodeClasses: readonly NodeClassEffect[]): readonly string[] {
  return nodeClasses.filter(({ selectedAfter }) => selectedAfter === 0).map(({ nodeClass }) => nodeClass);
}

/**
 * Keys without which no term finds the subnet by its tags. The conditions of a term are ANDed, so one key of each is enough, and the others, which load
 * balancers, Terraform or people may go by, stay: the key that most terms ask for goes first, Karpenter's own among equals.
 */
function selectorKeys(launchers: readonly NodeLauncher[], subnet: SubnetFacts): string[] {
  let left = launchers.flatMap(({ terms }) => terms.filter((term) => !isById(term) && matchesTerm(term, subnet)));
  const keys: string[] = [];
  while (left.length > 0) {
    const counts = new Map<string, number>();
    for (const { tags } of left) for (const key of tags.keys()) counts.set(key, (counts.get(key) ?? 0) + 1);
    const [first] = [...counts].sort(
      ([a, n], [b, m]) => m - n || Number(isSharedKey(a)) - Number(isSharedKey(b)) || compareText(a, b),
    );
    if (first === undefined) break;
    const [key] = first;
    keys.push(key);
    left = left.filter(({ tags }) => !tags.has(key));
  }
  return keys.sort();
}

/** Whether a key may be anybody's; Karpenter's convention is its own. */
function isSharedKey(key: string): boolean {
  return key !== DISCOVERY_TAG && !key.startsWith(`${DISCOVERY_TAG}/`);
}

function without(subnet: SubnetFacts, keys: readonly string[]): SubnetFacts {
  return { ...subnet, tags: new Map([...subnet.tags].filter(([key]) => !keys.includes(key))) };
}

function effectOn(
  context: AssessContext,
  cluster: ClusterModel,
  launcher: NodeLauncher,
  after: SubnetFacts,
): NodeClassEffect {
  const { subnetId } = after;
  const stillSelected = selects(launcher.terms, after);
  const selected = new Set([
    ...launcher.subnetIds.filter((id) => id !== subnetId || stillSelected),
    // Those that the configuration leaves out are selected all the same.
    ...selectSubnets(launcher.terms, context.facts.excluded ?? []).flatMap((one) =>
      one.vpcId === after.vpcId ? [one.subnetId] : [],
    ),
  ]);
  const standing = nodesOf(context, cluster, launcher)?.filter((node) => node.subnetId === subnetId);
  // Nothing drifts from an empty set, so that what may lie outside a limited reading decides.
  const unsure = selected.size === 0 && !isWhole(context.facts, after.vpcId);
  const effect = standing === undefined ? undefined : driftEffect(selected, standing);
  const drifting = effect?.kind === 'drift' ? effect.nodes.length : 0;
  return {
    cluster: cluster.name,
    nodeClass: launcher.name,
    stillSelected,
    selectedAfter: unsure ? null : selected.size,
    nodes: standing === undefined ? null : standing.map(({ instanceId }) => instanceId),
    replaced: stillSelected ? 0 : effect === undefined || (unsure && effect.nodes.length > 0) ? null : drifting,
  };
}

interface StandingNode {
  readonly instanceId: string;
  readonly subnetId: string;
}

/**
 * The running nodes of a node class, by the tag that Karpenter or Auto Mode gives instances, the label of the node, or the node pool that it is of; `undefined`
 * where instances were not read. A node of which none of these tells the class counts for each: it may be of any.
 */
function nodesOf(
  context: AssessContext,
  cluster: ClusterModel,
  launcher: NodeLauncher,
): readonly StandingNode[] | undefined {
  if (context.facts.instances.state !== 'read') return undefined;
  const labels = new Map<string, string>();
  for (const { instanceId, labels: own } of listOf(cluster.kubernetes?.nodes)) {
    const nodeClass = NODE_CLASS_LABELS.map((label) => own.get(label)).find((value) => value !== undefined);
    if (instanceId !== undefined && nodeClass !== undefined) labels.set(instanceId, nodeClass);
  }
  const known = new Set(listOf(cluster.kubernetes?.nodeClasses).map(({ name }) => name));
  const pools = new Map(listOf(cluster.kubernetes?.nodePools).map(({ name, nodeClass }) => [name, nodeClass]));
  const mine = new Set(cluster.instanceIds);
  return context.facts.instances.value.flatMap((instance: InstanceFacts) => {
    const { instanceId, subnetId, tags } = instance;
    if (subnetId === undefined || isEnding(instance) || !(mine.has(instanceId) || labels.has(instanceId))) return [];
    const pool = tags.get(TAG.karpenterPool) ?? tags.get(TAG.autoModePool);
    const nodeClass =
      tags.get(TAG.karpenterNodeClass) ??
      tags.get(TAG.autoModeClass) ??
      labels.get(instanceId) ??
      pools.get(pool ?? '');
    if (nodeClass === undefined && pool === undefined) return [];
    const isOf = nodeClass === undefined || !known.has(launcher.name) || nodeClass === launcher.name;
    return isOf ? [{ instanceId, subnetId }] : [];
  });
}

/** Its addresses come back by themselves, and nothing has to be launched in its place. */
function isEnding({ state }: InstanceFacts): boolean {
  return state === 'shutting-down' || state === 'terminated';
}

function nodesInWords(replaced: number | null): string {
  return replaced === null ? 'an unknown number of nodes' : `${replaced} node${replaced === 1 ? '' : 's'}`;
}

/** `Karpenter replaces 4 nodes.` */
export function driftWords(replaced: number | null): string {
  return `Karpenter replaces ${nodesInWords(replaced)}.`;
}

function causesDrift(
  context: AssessContext,
  subnet: SubnetFacts,
  keys: readonly string[],
  nodeClasses: readonly NodeClassEffect[],
  replaced: number | null,
): Finding {
  const tags = keys.join(', ');
  const emptied = leftEmpty(nodeClasses);
  const alone =
    emptied.length === 0 ? '' : ` and leaves ${list(emptied)} without a subnet, where nothing launches any more`;
  return finding(
    'ACTION_CAUSES_DRIFT',
    { subnet, part: 'untag' },
    {
      severity: 'info',
      observed: replaced,
      message: `Taking ${tags} off ${subnet.subnetId} makes Karpenter replace ${nodesInWords(replaced)}${alone}.`,
      evidence: {
        action: 'untag',
        nodes: replaced,
        tagKeys: keys,
        nodeClasses: nodeClasses.map(({ cluster, nodeClass, stillSelected, replaced: own, nodes: standing }) => ({
          cluster,
          nodeClass,
          stillSelected,
          replaced: own,
          standing: standing?.length ?? null,
        })),
        addressesNeededElsewhere: addressesElsewhere(context, nodeClasses),
        nodeClassesLeftWithoutSubnet: emptied.length === 0 ? undefined : emptied,
      },
      remedy:
        'Add a standby subnet instead: adding a tag never replaces a node. If the tag must go, do it when replacing these nodes is fine.',
    },
  );
}

/** What as many new nodes take of the subnets that they are launched into; `undefined` where the number or the need of one is not known. */
function addressesElsewhere(context: AssessContext, nodeClasses: readonly NodeClassEffect[]): number | undefined {
  const nodes = replacedNodes(nodeClasses);
  if (nodes === undefined) return undefined;
  let sum = 0;
  for (const cluster of nodes.values()) {
    const footprint = context.clusters.find(({ name }) => name === cluster)?.footprint?.node;
    if (footprint === undefined) return undefined;
    sum += footprint.ips + BLOCK_IPS * footprint.prefixes;
  }
  return sum;
}
