/**
 * Which subnet Karpenter launches a node into, what it does when the launch fails for want of addresses, and which nodes it replaces when a subnet leaves
 * the selected set. Pure; by its source (karpenter-provider-aws `pkg/providers/subnet/subnet.go`, `pkg/providers/instance/instance.go`,
 * `pkg/cloudprovider/drift.go`; docs/selection.md). EKS Auto Mode runs the same code and is taken to choose alike.
 */
import type { SubnetFacts } from '../../subnet/snapshot.ts';
import { compareVersions, parseVersion, type Version } from './version.ts';

/** A selected subnet with the count that Karpenter sees. */
export type Selectable = Pick<SubnetFacts, 'subnetId' | 'availabilityZone' | 'availableIps'>;

/** What Karpenter remembers between launches, by subnet id. */
export interface KarpenterMemory {
  /** Estimated count after launches that no refresh of the subnet list has confirmed yet; it goes before EC2's count. */
  readonly inFlight?: ReadonlyMap<string, number>;
  /** Zones marked unavailable. */
  readonly blockedZones?: ReadonlySet<string>;
  /** Subnets marked unavailable. */
  readonly blockedSubnets?: ReadonlySet<string>;
}

/** The node class's status lists subnets so: most available first, then by id. */
export function statusOrder<S extends Selectable>(selected: readonly S[]): S[] {
  return [...selected].sort((a, b) => b.availableIps - a.availableIps || (a.subnetId < b.subnetId ? -1 : 1));
}

/**
 * The one subnet of each zone that goes into the launch request: the one with most available addresses, whatever they are worth. The first in the order
 * of the node class's status wins among equals.
 *
 * @returns by zone name. A zone whose only subnet has no address is there too: Karpenter has no minimum.
 */
export function karpenterPicks<S extends Selectable>(
  selected: readonly S[],
  memory: KarpenterMemory = {},
): ReadonlyMap<string, S> {
  const count = (subnet: S) => memory.inFlight?.get(subnet.subnetId) ?? subnet.availableIps;
  const picks = new Map<string, S>();
  for (const subnet of statusOrder(selected)) {
    const zone = subnet.availabilityZone;
    if (memory.blockedZones?.has(zone) === true || memory.blockedSubnets?.has(subnet.subnetId) === true) continue;
    const held = picks.get(zone);
    if (held === undefined || count(subnet) > count(held)) picks.set(zone, subnet);
  }
  return picks;
}

/**
 * The memory after a launch request: each picked subnet is taken to lose as many addresses as the smallest candidate instance type runs pods. A refresh of the
 * subnet list (every minute) forgets it all.
 *
 * @param smallestPods pods of that type.
 * @param launchedInto the subnets where nodes came up; the others get their estimate back.
 */
export function afterLaunch<S extends Selectable>(
  picks: ReadonlyMap<string, S>,
  memory: KarpenterMemory,
  smallestPods: number,
  launchedInto: ReadonlySet<string>,
): KarpenterMemory {
  const inFlight = new Map(memory.inFlight);
  for (const { subnetId, availableIps } of picks.values()) {
    if (launchedInto.has(subnetId)) inFlight.set(subnetId, (inFlight.get(subnetId) ?? availableIps) - smallestPods);
  }
  return { ...memory, inFlight };
}

/** What `InsufficientFreeAddressesInSubnet` makes unavailable for three minutes: the offering alone, the whole zone, or the subnet. */
export const FAILURE_RULES = ['offering', 'zone', 'subnet'] as const;
export type FailureRule = (typeof FAILURE_RULES)[number];

/** First versions of the rules, read at the project's git tags; the lower bound of `zone` is known to about one minor version. */
const FAILURE_SINCE: readonly (readonly [Version, FailureRule])[] = [
  [[1, 13, 0], 'subnet'],
  [[1, 6, 0], 'zone'],
  [[1, 0, 0], 'offering'],
];

/** How long what failed stays unavailable, seconds (Karpenter `UnavailableOfferingsTTL`). */
export const UNAVAILABLE_SECONDS = 180;

/** The rule of a version; `undefined` before v1.0 and where the version is not known. */
export function failureRule(version: string | undefined): FailureRule | undefined {
  const parsed = parseVersion(version);
  return parsed === undefined ? undefined : FAILURE_SINCE.find(([since]) => compareVersions(parsed, since) >= 0)?.[1];
}

/**
 * The memory after EC2 refused a launch for want of addresses in a picked subnet. From v1.13 the subnet alone is out, and its zone once all its selected subnets
 * are; before, other instance types go on picking it (`offering`) or the zone is out whatever else it has (`zone`).
 */
export function afterAddressFailure<S extends Selectable>(
  rule: FailureRule,
  failed: S,
  selected: readonly S[],
  memory: KarpenterMemory = {},
): KarpenterMemory {
  if (rule === 'offering') return memory;
  if (rule === 'zone') {
    return { ...memory, blockedZones: new Set([...(memory.blockedZones ?? []), failed.availabilityZone]) };
  }
  const blockedSubnets = new Set([...(memory.blockedSubnets ?? []), failed.subnetId]);
  const left = selected.some(
    (one) => one.availabilityZone === failed.availabilityZone && !blockedSubnets.has(one.subnetId),
  );
  const blockedZones = left ? memory.blockedZones : new Set([...(memory.blockedZones ?? []), failed.availabilityZone]);
  return { ...memory, blockedSubnets, ...(blockedZones === undefined ? {} : { blockedZones }) };
}

/** What a change of the selected set does to the nodes of a node class. */
export type DriftEffect<N> =
  /** Nodes outside the new set are replaced, at the pace of the disruption budgets. */
  | { readonly kind: 'drift'; readonly nodes: readonly N[] }
  /** The new set is empty: the node class is not ready, nothing launches, and nothing drifts either; expiry goes on. */
  | { readonly kind: 'not-ready'; readonly nodes: readonly N[] };

/** @returns the nodes that would be replaced; for `not-ready`, the ones that stand where the selector no longer looks. */
export function driftEffect<N extends { readonly subnetId: string }>(
  selectedAfter: ReadonlySet<string>,
  nodes: readonly N[],
): DriftEffect<N> {
  const outside = nodes.filter(({ subnetId }) => !selectedAfter.has(subnetId));
  return { kind: selectedAfter.size === 0 ? 'not-ready' : 'drift', nodes: outside };
}
