/** What of a subnet Kubernetes nodes and pods use, cluster by cluster: the evidence that a cluster lives there. */
import { type EniClass, isInstancePrimary } from './eni-class.ts';
import type { EniRecord } from './snapshot.ts';

/** Key of {@link EksUse} for interfaces whose cluster neither they nor their instance name. */
export const NO_CLUSTER = '';

/** What the nodes and pods of one cluster hold in one subnet; control-plane and unattached interfaces are no part of it. */
export interface EksUse {
  /** First interfaces of nodes. */
  readonly nodes: number;
  /** Interfaces that hold pod addresses, first interfaces among them where they do. */
  readonly podInterfaces: number;
  readonly prefixes: number;
  /** Single addresses that are not the first of their interface. */
  readonly secondaryIps: number;
}

export class EksUseCount implements EksUse {
  nodes = 0;
  podInterfaces = 0;
  prefixes = 0;
  secondaryIps = 0;

  add(other: EksUse): void {
    this.nodes += other.nodes;
    this.podInterfaces += other.podInterfaces;
    this.prefixes += other.prefixes;
    this.secondaryIps += other.secondaryIps;
  }
}

/** Counts an interface that a node or pod uses. */
export function countEksUse(
  uses: Map<string, EksUseCount>,
  cluster: string | undefined,
  role: EksRole,
  prefixes: number,
  secondaryIps: number,
): void {
  const key = cluster ?? NO_CLUSTER;
  let use = uses.get(key);
  if (use === undefined) {
    use = new EksUseCount();
    uses.set(key, use);
  }
  if (role === 'node') use.nodes++;
  if (role === 'pod' || prefixes > 0 || secondaryIps > 0) use.podInterfaces++;
  use.prefixes += prefixes;
  use.secondaryIps += secondaryIps;
}

/** Single addresses of an interface that are not its primary one. */
export function secondaryIpsOf(eni: EniRecord): number {
  return Math.max(0, eni.addresses.length - (eni.primary === undefined ? 0 : 1));
}

export type EksRole = 'node' | 'pod';

const ROLES: ReadonlyMap<EniClass, EksRole> = new Map<EniClass, EksRole>([
  ['karpenter-node-primary', 'node'],
  ['node-primary', 'node'],
  ['vpc-cni-secondary', 'pod'],
  ['sgp-trunk', 'pod'],
  ['sgp-branch', 'pod'],
  ['cilium', 'pod'],
]);

/** Whether an interface of this class is a node's first one or serves pods; `undefined` for any other, and for one that nothing uses. */
export function eksRole(eni: EniRecord, eniClass: EniClass): EksRole | undefined {
  if (eni.status === 'available') return undefined;
  if (eniClass === 'eks-auto-mode') return isInstancePrimary(eni) ? 'node' : 'pod';
  return ROLES.get(eniClass);
}
