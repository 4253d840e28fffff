/** How many addresses the VPC CNI takes for a node, by its own settings. */
import { BLOCK_IPS } from '../ip/address-map.ts';
import type { InstanceTypeFacts } from '../subnet/snapshot.ts';
import type { CniFacts } from './cluster-model.ts';

export interface CniDemand {
  /** Every address of the subnet, primaries among them. */
  readonly ips: number;
  readonly prefixes: number;
}

/**
 * What the CNI wants for a node with this many pods, before any limit of the subnet.
 *
 * Single addresses: whole interfaces, as many as the pods fill and `WARM_ENI_TARGET` (default 1) more; with `WARM_IP_TARGET` or `MINIMUM_IP_TARGET`
 * only the addresses that these ask for. Prefixes: as many as the pods fill and `WARM_PREFIX_TARGET` (default 1) more (amazon-vpc-cni-k8s README,
 * EKS best practices "Prefix mode for Linux").
 *
 * @returns `undefined` where the mode is not known, or is Auto Mode, which has no such settings.
 */
export function cniDemand(cni: CniFacts, limits: InstanceTypeFacts, pods: number): CniDemand | undefined {
  const warmIps = setting(cni, 'WARM_IP_TARGET');
  const minimum = setting(cni, 'MINIMUM_IP_TARGET');
  const byAddress =
    warmIps === undefined && minimum === undefined ? undefined : Math.max(1, pods + (warmIps ?? 0), minimum ?? 0);
  if (cni.mode === 'prefix') {
    const warm = setting(cni, 'WARM_PREFIX_TARGET') ?? 1;
    const prefixes = Math.ceil((byAddress ?? Math.max(1, pods)) / BLOCK_IPS) + (byAddress === undefined ? warm : 0);
    return { ips: 1 + BLOCK_IPS * prefixes, prefixes };
  }
  if (cni.mode !== 'secondary-ip') return undefined;
  const perEni = Math.max(1, limits.ipv4PerEni - 1);
  if (byAddress === undefined) {
    const enis = Math.max(1, Math.ceil(pods / perEni)) + (setting(cni, 'WARM_ENI_TARGET') ?? 1);
    return { ips: Math.min(limits.maxEnis, enis) * limits.ipv4PerEni, prefixes: 0 };
  }
  const enis = Math.min(limits.maxEnis, Math.ceil(byAddress / perEni));
  return { ips: Math.min(byAddress, enis * perEni) + enis, prefixes: 0 };
}

/** A whole number of at least 0; `undefined` where it is not set or is something else, which the CNI passes over too. */
function setting(cni: CniFacts, name: string): number | undefined {
  const text = cni.env.get(name);
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** Settings under which a node keeps what its pods need and little more. */
export interface WarmTargets {
  readonly warmIpTarget: number;
  readonly minimumIpTarget: number;
}

/** Spare addresses kept ready: a tenth of the pods, at least 2, since each further one costs EC2 calls when pods start. */
const SPARE = { share: 0.1, least: 2 } as const;
/** What a node starts with: half as much again as the busiest node runs now. */
const START_FACTOR = 1.5;

/** @param pods most pods that one of the nodes runs. */
export function warmTargets(pods: number): WarmTargets {
  const warmIpTarget = Math.max(SPARE.least, Math.ceil(pods * SPARE.share));
  return { warmIpTarget, minimumIpTarget: Math.max(warmIpTarget, Math.ceil(pods * START_FACTOR)) };
}

export function formatTargets({ warmIpTarget, minimumIpTarget }: WarmTargets): string {
  return `WARM_IP_TARGET=${warmIpTarget}, MINIMUM_IP_TARGET=${minimumIpTarget}`;
}

/**
 * Most pods that the addresses of a node can serve, the two on the host network that every node has among them (amazon-vpc-cni-k8s `misc/eni-max-pods.txt`;
 * EKS best practices for the other modes). `undefined` where the mode is not known or is Auto Mode.
 */
export function addressablePods(cni: CniFacts, limits: InstanceTypeFacts): number | undefined {
  if (cni.mode !== 'prefix' && cni.mode !== 'secondary-ip') return undefined;
  // With custom networking the first interface serves no pod.
  const enis = Math.max(0, limits.maxEnis - (cni.customNetworking ? 1 : 0));
  const slots = enis * (limits.ipv4PerEni - 1);
  // Only Nitro instances can be given prefixes; the others fall back to single addresses.
  return slots * (cni.mode === 'prefix' && limits.nitro ? BLOCK_IPS : 1) + 2;
}
