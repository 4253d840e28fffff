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
 * How the pods of a node of this type get addresses. Only Nitro instances can be given prefixes: on any other the CNI goes back to single addresses
 * (domain.md 2.2; amazon-vpc-cni-k8s `pkg/ipamd/ipamd.go`, `nodeInit`). A type whose limits are not known is taken for one of Nitro.
 */
export function modeOn(cni: CniFacts, limits: InstanceTypeFacts | undefined): CniFacts['mode'] {
  return cni.mode === 'prefix' && limits?.nitro === false ? 'secondary-ip' : cni.mode;
}

/** Interfaces that may serve pods: those of the type, or `MAX_ENI` where that is fewer; with custom networking the first one serves none. */
function podInterfaces(cni: CniFacts, limits: InstanceTypeFacts): number {
  const most = Math.min(limits.maxEnis, target(cni, 'MAX_ENI') ?? limits.maxEnis);
  return Math.max(0, most - (cni.customNetworking ? 1 : 0));
}

/** Slots of an interface besides its first address: each takes one address or one prefix. */
function slotsOf({ ipv4PerEni }: InstanceTypeFacts): number {
  return Math.max(1, ipv4PerEni - 1);
}

/**
 * What the CNI wants for a node with this many pods, of the subnet that its pods live in and before any limit of it.
 *
 * Single addresses: whole interfaces, as many as the pods fill and `WARM_ENI_TARGET` (default 1) more; with `WARM_IP_TARGET` or `MINIMUM_IP_TARGET`
 * only the addresses that these ask for. Prefixes: as many as the pods fill and `WARM_PREFIX_TARGET` (default 1) more, and the first address of each interface
 * that they need (amazon-vpc-cni-k8s README, EKS best practices "Prefix mode for Linux"). Never more than the interfaces of the type hold.
 *
 * @returns `undefined` where the mode is not known, or is Auto Mode, which has no such settings.
 */
export function cniDemand(cni: CniFacts, limits: InstanceTypeFacts, pods: number): CniDemand | undefined {
  const mode = modeOn(cni, limits);
  if (mode !== 'prefix' && mode !== 'secondary-ip') return undefined;
  const most = podInterfaces(cni, limits);
  const slots = slotsOf(limits);
  const warmIps = target(cni, 'WARM_IP_TARGET');
  const minimum = target(cni, 'MINIMUM_IP_TARGET');
  const byAddress =
    warmIps === undefined && minimum === undefined ? undefined : Math.max(pods + (warmIps ?? 0), minimum ?? 0);
  if (mode === 'prefix') {
    const filled = Math.ceil((byAddress ?? Math.max(1, pods)) / BLOCK_IPS);
    const spare = byAddress === undefined ? (setting(cni, 'WARM_PREFIX_TARGET') ?? 1) : 0;
    const prefixes = Math.min(filled + spare, most * slots);
    return { ips: Math.ceil(prefixes / slots) + BLOCK_IPS * prefixes, prefixes };
  }
  if (byAddress === undefined) {
    const enis = Math.max(1, Math.ceil(pods / slots)) + (setting(cni, 'WARM_ENI_TARGET') ?? 1);
    return { ips: Math.min(most, enis) * limits.ipv4PerEni, prefixes: 0 };
  }
  const enis = Math.min(most, Math.ceil(byAddress / slots));
  return { ips: Math.min(byAddress, enis * slots) + enis, prefixes: 0 };
}

/** What of it the first interface alone takes: the only one that is never put into another subnet (docs/selection.md). */
export function onFirstInterface({ ips, prefixes }: CniDemand, limits: InstanceTypeFacts): CniDemand {
  if (prefixes === 0) return { ips: Math.min(ips, limits.ipv4PerEni), prefixes };
  const here = Math.min(prefixes, slotsOf(limits));
  return { ips: 1 + BLOCK_IPS * here, prefixes: here };
}

/** A whole number of at least 0; `undefined` where it is not set or is something else, which the CNI passes over too. */
function setting(cni: CniFacts, name: string): number | undefined {
  const text = cni.env.get(name);
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** One of the settings for which 0 is the same as not set (amazon-vpc-cni-k8s `pkg/ipamd/ipamd.go`: `noWarmIPTarget`, `noMinimumIPTarget`, `getMaxENI`). */
function target(cni: CniFacts, name: 'WARM_IP_TARGET' | 'MINIMUM_IP_TARGET' | 'MAX_ENI'): number | undefined {
  const value = setting(cni, name);
  return value === 0 ? undefined : value;
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
  const mode = modeOn(cni, limits);
  if (mode !== 'prefix' && mode !== 'secondary-ip') return undefined;
  return podInterfaces(cni, limits) * slotsOf(limits) * (mode === 'prefix' ? BLOCK_IPS : 1) + 2;
}
