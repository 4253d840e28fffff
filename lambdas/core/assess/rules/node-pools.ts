/** What is known only from inside a cluster: addresses that nodes hold for no pod, and more pods than addresses. */
import type { Finding } from '../../../contract/finding.ts';
import { addressablePods, formatTargets, type WarmTargets, warmTargets } from '../cni-demand.ts';
import type { AssessContext, SubnetView } from '../context.ts';
import { compareText, type FindingSubject, finding } from '../finding.ts';
import { type NodeState, nodeStates } from '../nodes.ts';
import { subnetThresholds } from '../subnet-thresholds.ts';
import { addresses, count, list, nameOf } from '../words.ts';

/** Nodes named in evidence, the worst. */
const NAMED_NODES = 50;

function bySubnet<T extends { readonly state: NodeState }>(nodes: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const node of nodes) {
    const id = node.state.subnetId;
    if (id === undefined) continue;
    const group = groups.get(id);
    if (group === undefined) groups.set(id, [node]);
    else group.push(node);
  }
  return groups;
}

function clustersOf(nodes: readonly { readonly state: NodeState }[]): string[] {
  return [...new Set(nodes.map(({ state }) => state.cluster.name))].sort(compareText);
}

interface IdleNode {
  readonly state: NodeState;
  readonly pods: number;
  readonly idle: number;
}

/** `WARM_POOL_WASTE`: nodes that keep many addresses which no pod uses. */
export function warmPoolWaste(context: AssessContext): readonly Finding[] {
  const idle: IdleNode[] = [];
  for (const state of nodeStates(context)) {
    if (state.pods === undefined) continue;
    const node = { state, pods: state.pods, idle: Math.max(0, state.heldIps - state.pods) };
    const view = state.subnetId === undefined ? undefined : context.subnets.get(state.subnetId);
    if (view !== undefined && wastes(context, view, node)) idle.push(node);
  }
  return [...bySubnet(idle)].map(([subnetId, nodes]) =>
    waste(context.subnets.get(subnetId) as SubnetView, nodes, context),
  );
}

function wastes(context: AssessContext, view: SubnetView, { state, idle }: IdleNode): boolean {
  const limits = subnetThresholds(context, view);
  return idle >= limits.warmPoolIdleIps && idle >= limits.warmPoolIdleShare * state.heldIps;
}

function waste(view: SubnetView, nodes: readonly IdleNode[], context: AssessContext): Finding {
  const targets = targetsFor(nodes);
  const here = nodes
    .map((node) => ({ ...node, idle: Math.min(node.idle, node.state.heldIpsHere) }))
    .sort((a, b) => b.idle - a.idle || compareText(a.state.id, b.state.id));
  const ips = here.reduce((sum, { idle }) => sum + idle, 0);
  const worst = here[0] as IdleNode;
  return finding(
    'WARM_POOL_WASTE',
    { subnet: view.facts },
    {
      severity: 'warning',
      observed: ips,
      threshold: subnetThresholds(context, view).warmPoolIdleIps,
      message: `${count(here.length, 'node')} in ${nameOf(view.facts)} ${here.length === 1 ? 'keeps' : 'keep'} ${addresses(ips)} that no pod uses; ${worst.state.id} holds ${worst.state.heldIps} for ${count(worst.pods, 'pod')}.`,
      evidence: {
        ips,
        count: here.length,
        node: worst.state.id,
        nodes: here
          .slice(0, NAMED_NODES)
          .map(({ state, idle, pods }) => ({ node: state.id, idle, held: state.heldIps, pods })),
        clusters: clustersOf(here),
        warmIpTarget: targets?.warmIpTarget,
        minimumIpTarget: targets?.minimumIpTarget,
      },
      remedy: wasteRemedy(targets),
    },
  );
}

/** What fits the busiest of the nodes; `undefined` where all are of Auto Mode, which has no such settings. */
function targetsFor(nodes: readonly IdleNode[]): WarmTargets | undefined {
  const tunable = nodes.filter(({ state }) => state.cluster.cni.mode !== 'auto');
  return tunable.length === 0 ? undefined : warmTargets(tunable.reduce((most, { pods }) => Math.max(most, pods), 0));
}

function wasteRemedy(targets: WarmTargets | undefined): string {
  if (targets === undefined)
    return 'Auto Mode has no warm-pool settings: fewer and larger nodes hold fewer idle addresses for each pod.';
  const setting = formatTargets(targets);
  return `Set ${setting} on aws-node (kubectl set env daemonset aws-node -n kube-system ${setting.replace(', ', ' ')}, or in the vpc-cni add-on's configuration): that fits the busiest of these nodes, at the price of more EC2 calls as pods come and go.`;
}

interface CrowdedNode {
  readonly state: NodeState;
  readonly maxPods: number;
  readonly limit: number;
}

/** `NODE_MAX_PODS_TOO_HIGH`: the kubelet takes more pods than the instance type can have addresses for. Raised per subnet; of nodes whose subnet is not known, per cluster and zone. */
export function maxPods(context: AssessContext): readonly Finding[] {
  const crowded: CrowdedNode[] = [];
  for (const state of nodeStates(context)) {
    const { limits, node, cluster } = state;
    if (limits === undefined || node.maxPods === undefined || cluster.facts?.ipFamily === 'ipv6') continue;
    const limit = addressablePods(cluster.cni, limits);
    if (limit !== undefined && node.maxPods > limit) crowded.push({ state, maxPods: node.maxPods, limit });
  }
  const findings: Finding[] = [];
  for (const [subnetId, nodes] of bySubnet(crowded)) {
    // A subnet that was not read is one that nobody asked about.
    const view = context.subnets.get(subnetId);
    if (view !== undefined)
      findings.push(tooHigh({ subject: { subnet: view.facts }, name: nameOf(view.facts) }, nodes));
  }
  return [...findings, ...byZone(context, crowded).map(({ nodes, ...place }) => tooHigh(place, nodes))];
}

interface NodePlace {
  readonly subject: FindingSubject;
  /** In words. */
  readonly name: string;
}

/** The nodes of which nobody knows the subnet: the limit is that of their type wherever they stand. By cluster, and by zone where the node says it. */
function byZone(
  context: AssessContext,
  crowded: readonly CrowdedNode[],
): readonly (NodePlace & { readonly nodes: readonly CrowdedNode[] })[] {
  const places = new Map<string, NodePlace & { readonly nodes: CrowdedNode[] }>();
  for (const node of crowded) {
    const { subnetId, cluster, node: facts } = node.state;
    if (subnetId !== undefined) continue;
    const { name, vpcId } = cluster;
    const key = `${name} ${facts.zone ?? ''}`;
    const known = places.get(key);
    if (known !== undefined) {
      known.nodes.push(node);
      continue;
    }
    // A name stands for one zone in an account, whatever the VPC.
    const zoneId = [...context.subnets.values()].find((view) => view.facts.availabilityZone === facts.zone)?.facts
      .availabilityZoneId;
    const zone = facts.zone === undefined ? {} : { zone: facts.zone, ...(zoneId === undefined ? {} : { zoneId }) };
    const subject = { cluster: name, ...(vpcId === undefined ? {} : { vpcId }), ...zone };
    places.set(key, {
      subject,
      name: facts.zone === undefined ? `cluster ${name}` : `cluster ${name} in ${facts.zone}`,
      nodes: [node],
    });
  }
  return [...places.values()];
}

function tooHigh({ subject, name }: NodePlace, nodes: readonly CrowdedNode[]): Finding {
  const sorted = [...nodes].sort(
    (a, b) => b.maxPods - b.limit - (a.maxPods - a.limit) || compareText(a.state.id, b.state.id),
  );
  const worst = sorted[0] as CrowdedNode;
  const types = [...new Set(nodes.map(({ state }) => state.instanceType ?? ''))].sort(compareText);
  return finding('NODE_MAX_PODS_TOO_HIGH', subject, {
    severity: 'warning',
    observed: worst.maxPods,
    threshold: worst.limit,
    message: `${count(nodes.length, 'node')} ${subject.subnet === undefined ? 'of' : 'in'} ${name} ${nodes.length === 1 ? 'takes' : 'take'} more pods than ${nodes.length === 1 ? 'its' : 'their'} interfaces can address: ${worst.state.id} says ${worst.maxPods}, a ${worst.state.instanceType} has addresses for ${worst.limit}. The rest will hang without one, however much room the subnet has.`,
    evidence: {
      count: nodes.length,
      node: worst.state.id,
      maxPods: worst.maxPods,
      limit: worst.limit,
      instanceTypes: types,
      nodes: sorted
        .slice(0, NAMED_NODES)
        .map(({ state, maxPods: most, limit }) => ({ node: state.id, maxPods: most, limit })),
      clusters: clustersOf(nodes),
    },
    remedy: maxPodsRemedy(nodes),
  });
}

/** Each type has its own limit. Prefixes help only where they are off and the type can hold them. */
function maxPodsRemedy(nodes: readonly CrowdedNode[]): string {
  const limits = nodes.map(({ state, limit }) => `${limit} for ${state.instanceType}`);
  const unique = [...new Set(limits)].sort(
    (a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10) || compareText(a, b),
  );
  const lower = `Set maxPods to ${list(unique)} (kubelet configuration of the node group, spec.kubelet.maxPods of the EC2NodeClass)`;
  const byPrefixes = nodes.some(
    ({ state: { cluster, limits: of } }) => cluster.cni.mode !== 'prefix' && of?.nitro === true,
  );
  return byPrefixes ? `${lower}, or turn prefix delegation on in new nodes.` : `${lower}.`;
}
