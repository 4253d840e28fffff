/** What taking a selector's tag off a subnet would do to the nodes that Karpenter runs there: the answer of `plan --untag`. */
import type { Finding } from '../../contract/finding.ts';
import { TAG } from '../subnet/eni-class.ts';
import type { InstanceFacts, SubnetFacts } from '../subnet/snapshot.ts';
import type { ClusterModel, NodeLauncher } from './cluster-model.ts';
import type { AssessContext } from './context.ts';
import { finding } from './finding.ts';
import { listOf } from './readings.ts';
import { driftEffect } from './selection/karpenter.ts';
import { matchesTerm, selects } from './selection/selectors.ts';

export interface NodeClassEffect {
  readonly cluster: string;
  /** `tags` or `configuration` where the selector comes from there and stands for every node class of the cluster. */
  readonly nodeClass: string;
  /** Whether the node class would still select the subnet: by id, or by another term. */
  readonly stillSelected: boolean;
  /** Subnets that it would select afterwards; with 0 nothing launches any more. */
  readonly selectedAfter: number;
  /** Its nodes in the subnet, by instance id; `null` where instances were not read. */
  readonly nodes: readonly string[] | null;
  /** Of these, how many would be replaced; `null` where that is not known. */
  readonly replaced: number | null;
}

export interface UntagEffect {
  readonly subnetId: string;
  /** Tag keys that the selectors look at and that would go. */
  readonly keys: readonly string[];
  readonly nodeClasses: readonly NodeClassEffect[];
  /** Every node that would be replaced; `null` where that is not known. */
  readonly replaced: number | null;
  readonly findings: readonly Finding[];
}

/**
 * The effect of removing from a subnet each tag by which a Karpenter selector finds it.
 *
 * @returns with no findings where nothing would be replaced and every node class keeps a subnet; `undefined` for a subnet that is not in the facts.
 */
export function untagEffect(context: AssessContext, subnetId: string): UntagEffect | undefined {
  const subnet = context.subnets.get(subnetId)?.facts;
  if (subnet === undefined) return undefined;
  const owned = context.clusters.flatMap((cluster) =>
    cluster.launchers
      .filter(({ kind, terms }) => kind === 'karpenter' && selects(terms, subnet))
      .map((launcher) => ({ cluster, launcher })),
  );
  const keys = selectorKeys(
    owned.map(({ launcher }) => launcher),
    subnet,
  );
  const after = without(subnet, keys);
  const nodeClasses = owned.map(({ cluster, launcher }) => effectOn(context, cluster, launcher, after));
  const replaced = nodeClasses.reduce((sum, one) => add(sum, one.replaced), 0 as number | null);
  const emptied = nodeClasses.some(({ selectedAfter }) => selectedAfter === 0);
  const findings = replaced === 0 && !emptied ? [] : [causesDrift(context, subnet, keys, nodeClasses, replaced)];
  return { subnetId, keys, nodeClasses, replaced, findings };
}

function add(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}

/** Keys of the terms that match the subnet by its tags. */
function selectorKeys(launchers: readonly NodeLauncher[], subnet: SubnetFacts): string[] {
  const keys = new Set<string>();
  for (const { terms } of launchers) {
    for (const term of terms) {
      if (term.id === undefined && matchesTerm(term, subnet)) for (const key of term.tags.keys()) keys.add(key);
    }
  }
  return [...keys].sort();
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
  const selected = new Set(launcher.subnetIds.filter((id) => id !== subnetId || stillSelected));
  const standing = nodesOf(context, cluster, launcher)?.filter((node) => node.subnetId === subnetId);
  const effect = standing === undefined ? undefined : driftEffect(selected, standing);
  return {
    cluster: cluster.name,
    nodeClass: launcher.name,
    stillSelected,
    selectedAfter: selected.size,
    nodes: standing === undefined ? null : standing.map(({ instanceId }) => instanceId),
    replaced: stillSelected ? 0 : effect === undefined ? null : effect.kind === 'drift' ? effect.nodes.length : 0,
  };
}

interface StandingNode {
  readonly instanceId: string;
  readonly subnetId: string;
}

/** The running nodes of a node class, by the tag that Karpenter gives instances or the label of the node; `undefined` where instances were not read. */
function nodesOf(
  context: AssessContext,
  cluster: ClusterModel,
  launcher: NodeLauncher,
): readonly StandingNode[] | undefined {
  if (context.facts.instances.state !== 'read') return undefined;
  const labels = new Map<string, string>();
  for (const { instanceId, labels: own } of listOf(cluster.kubernetes?.nodes)) {
    const nodeClass = own.get(TAG.karpenterNodeClass);
    if (instanceId !== undefined && nodeClass !== undefined) labels.set(instanceId, nodeClass);
  }
  const known = new Set(listOf(cluster.kubernetes?.nodeClasses).map(({ name }) => name));
  const mine = new Set(cluster.instanceIds);
  return context.facts.instances.value.flatMap((instance: InstanceFacts) => {
    const { instanceId, subnetId, state, tags } = instance;
    const nodeClass = tags.get(TAG.karpenterNodeClass) ?? labels.get(instanceId);
    if (nodeClass === undefined || subnetId === undefined || state === 'terminated') return [];
    if (!mine.has(instanceId) && !labels.has(instanceId)) return [];
    return !known.has(launcher.name) || nodeClass === launcher.name ? [{ instanceId, subnetId }] : [];
  });
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
  const footprint = context.clusters.find(({ name }) => name === nodeClasses[0]?.cluster)?.footprint?.node;
  const perNode = footprint === undefined ? undefined : footprint.ips + 16 * footprint.prefixes;
  const emptied = nodeClasses.filter(({ selectedAfter }) => selectedAfter === 0).map(({ nodeClass }) => nodeClass);
  return finding(
    'ACTION_CAUSES_DRIFT',
    { subnet, part: 'untag' },
    {
      severity: 'info',
      observed: replaced,
      message: `Taking ${tags} off ${subnet.subnetId} makes Karpenter replace ${nodesInWords(replaced)}.`,
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
        addressesNeededElsewhere: perNode === undefined || replaced === null ? undefined : perNode * replaced,
        nodeClassesLeftWithoutSubnet: emptied.length === 0 ? undefined : emptied,
      },
      remedy:
        'Add a standby subnet instead: adding a tag never replaces a node. If the tag must go, do it when replacing these nodes is fine.',
    },
  );
}
