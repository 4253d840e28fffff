/** Who lives in a subnet, as far as it changes what a shortage means. */
import { EKS_CLASSES, ELB_CLASSES, type EniClass } from '../subnet/eni-class.ts';
import { type FullLedger, isFull } from '../subnet/ledger.ts';
import type { SubnetView } from './context.ts';

/** Interfaces that only nodes and pods have, whether or not anything tells of which cluster. */
const NODE_CLASSES: ReadonlySet<EniClass> = new Set(
  [...EKS_CLASSES].filter((eniClass) => eniClass !== 'eks-control-plane'),
);

/** Tags by which the load balancer controller finds subnets: value `1` or none (EKS user guide, "Route application and HTTP traffic"). */
const ELB_ROLE_TAGS = ['kubernetes.io/role/elb', 'kubernetes.io/role/internal-elb'] as const;

function holdsAny(ledger: FullLedger, classes: ReadonlySet<EniClass>): boolean {
  return ledger.holders.some((holder) => holder.enis > 0 && classes.has(holder.class));
}

/** Whether a shortage here keeps nodes or pods from starting: some cluster may use the subnet, or nodes stand in it whose cluster has no name. */
export function servesNodes(view: SubnetView): boolean {
  return view.clusters.length > 0 || (isFull(view.ledger) && holdsAny(view.ledger, NODE_CLASSES));
}

/**
 * Whether the subnet's consumers use /28 prefixes: `used` where an interface holds one or a setting asks for them, `single` where every cluster here is
 * known to want single addresses, else `unknown`.
 */
export type PrefixUse = 'used' | 'single' | 'unknown';

export function prefixUse(view: SubnetView): PrefixUse {
  if (isFull(view.ledger) && view.ledger.holders.some((holder) => holder.prefixes > 0)) return 'used';
  const modes = view.clusters.map((cluster) => {
    // The pods of an IPv6 cluster take /80 prefixes; with custom networking they take nothing from the subnet of their node.
    if (cluster.facts?.ipFamily === 'ipv6') return 'secondary-ip';
    if (cluster.cni.customNetworking && !cluster.podSubnets.has(view.facts.subnetId)) return 'secondary-ip';
    return cluster.cni.mode;
  });
  if (modes.some((mode) => mode === 'prefix' || mode === 'auto')) return 'used';
  if (view.clusters.some(asksForNodePrefixes)) return 'used';
  return modes.length > 0 && modes.every((mode) => mode === 'secondary-ip') ? 'single' : 'unknown';
}

/** Karpenter's `ipPrefixCount` puts prefixes in the launch request itself. */
function asksForNodePrefixes(cluster: SubnetView['clusters'][number]): boolean {
  const classes = cluster.kubernetes?.nodeClasses;
  if (classes === undefined || classes.state === 'absent') return false;
  return classes.value.some((nodeClass) => (nodeClass.ipPrefixCount ?? 0) > 0);
}

/** Whether load balancers are put here: the controller's tag says so, or one stands here already. */
export function servesLoadBalancers(view: SubnetView): boolean {
  return hasElbTag(view) || (isFull(view.ledger) && holdsAny(view.ledger, ELB_CLASSES));
}

/** Whether an application load balancer may be put here. */
export function servesApplicationLoadBalancers(view: SubnetView): boolean {
  return hasElbTag(view) || (isFull(view.ledger) && holdsAny(view.ledger, new Set(['elb-alb'])));
}

function hasElbTag(view: SubnetView): boolean {
  return ELB_ROLE_TAGS.some((tag) => {
    const value = view.facts.tags.get(tag);
    return value === '1' || value === '';
  });
}

/** Whether EC2 says that another account owns the subnet; `undefined` where one of the two accounts is not known. */
export function sharedFrom(view: SubnetView, account: string | undefined): boolean | undefined {
  const owner = view.facts.ownerId;
  return owner === undefined || account === undefined ? undefined : owner !== account;
}
