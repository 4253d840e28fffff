/** Which subnet Karpenter and the VPC CNI pick next in a zone, before and after a plan, by the rules of the versions in use. */
import type { ClusterModel } from '../assess/cluster-model.ts';
import type { AssessContext } from '../assess/context.ts';
import { karpenterPicks } from '../assess/selection/karpenter.ts';
import { rankedSubnets } from '../assess/selection/ranked.ts';
import { cniRule, cniSubnetOrder } from '../assess/selection/vpc-cni.ts';
import type { SubnetFacts } from '../subnet/snapshot.ts';
import type { Simulation } from './plan.ts';

/**
 * @param about the subnet that the plan acts on.
 * @param node a subnet of the cluster in the zone: for Karpenter only its zone counts, for the CNI it is where the node stands that wants another interface.
 */
export function simulate(
  before: AssessContext,
  after: AssessContext,
  cluster: string,
  about: string,
  node: SubnetFacts,
): Simulation {
  const was = clusterIn(before, cluster);
  const is = clusterIn(after, cluster);
  const zone = node.availabilityZone;
  const karpenter = is?.launchers
    .filter(({ kind }) => kind === 'karpenter')
    .map(({ name }) => ({
      nodeClass: name,
      before: karpenterPick(before, was, name, zone),
      after: karpenterPick(after, is, name, zone),
    }))
    .filter((pick) => pick.before !== null || pick.after !== null);
  const cni = is === undefined ? undefined : cniPicks(before, after, was, is, node);
  const changes =
    karpenter?.some((pick) => pick.after === about) === true || (cni !== undefined && cni.after === about);
  return {
    zone,
    ...(karpenter === undefined || karpenter.length === 0 ? {} : { karpenter }),
    ...(cni === undefined ? {} : { cni }),
    changes,
  };
}

function clusterIn({ clusters }: AssessContext, name: string): ClusterModel | undefined {
  return clusters.find((one) => one.name === name);
}

function karpenterPick(
  context: AssessContext,
  cluster: ClusterModel | undefined,
  launcher: string,
  zone: string,
): string | null {
  const found = cluster?.launchers.find(({ kind, name }) => kind === 'karpenter' && name === launcher);
  if (found === undefined) return null;
  return karpenterPicks(rankedSubnets(context, found.subnetIds)).get(zone)?.subnetId ?? null;
}

function cniPicks(
  before: AssessContext,
  after: AssessContext,
  was: ClusterModel | undefined,
  is: ClusterModel,
  node: SubnetFacts,
): Simulation['cni'] {
  if (is.cni.mode === 'auto' || is.cni.customNetworking) return undefined;
  const pick = (context: AssessContext, cluster: ClusterModel | undefined) => {
    if (cluster === undefined) return undefined;
    const cni = { ...cluster.cni, cniTag: cluster.cniTag };
    const rule = cniRule(cni);
    if (rule === undefined) return undefined;
    const all = rankedSubnets(context, context.subnets.keys());
    const at = all.find(({ subnetId }) => subnetId === node.subnetId) ?? node;
    return cniSubnetOrder(rule, cni, at, all)[0]?.subnetId ?? null;
  };
  const next = pick(after, is);
  if (next === undefined) return undefined;
  return {
    ...(is.cni.version === undefined ? {} : { version: is.cni.version }),
    nodeSubnet: node.subnetId,
    before: pick(before, was) ?? null,
    after: next,
  };
}

/** What a simulation says, in words: which consumer picks what, and whether the plan steers it. */
export function simulationWords({ zone, karpenter = [], cni, changes }: Simulation, about: string): string {
  const name = (id: string | null) => id ?? 'no subnet';
  const picks = karpenter.map(({ nodeClass, before, after }) =>
    before === after
      ? `Karpenter (${nodeClass}) goes on picking ${name(after)} in ${zone}`
      : `Karpenter (${nodeClass}) picks ${name(after)} in ${zone} next, instead of ${name(before)}`,
  );
  if (cni !== undefined) {
    const version = cni.version === undefined ? '' : ` v${cni.version}`;
    picks.push(
      cni.before === cni.after
        ? `the VPC CNI${version} goes on placing new interfaces of nodes in ${cni.nodeSubnet} into ${name(cni.after)}`
        : `the VPC CNI${version} places new interfaces of nodes in ${cni.nodeSubnet} into ${name(cni.after)}, instead of ${name(cni.before)}`,
    );
  }
  if (!changes) picks.push(`so nothing is steered to ${about}`);
  const text = picks.join('; ');
  return text === '' ? '' : `${text[0]?.toUpperCase()}${text.slice(1)}.`;
}
