/**
 * How many more nodes a zone takes where pods have subnets of their own (custom networking, pod subnet selectors), some of which nodes are launched into as
 * well: what a shared subnet gives to the one is gone for the other (docs/adr/0011).
 */
import { BLOCK_IPS } from '../ip/address-map.ts';
import type { Footprint } from './cluster-model.ts';
import { capacityOf, largest, type Place, type Room } from './footprint.ts';

/**
 * A node takes one address of any of its subnets, and its pods one share of any of theirs.
 *
 * `best`: exact, where nodes and pods are placed as well as can be: each beside the shared subnets as far as there is room, and the shares in shared
 * subnets where they lower the count least. `careful`: nodes take their addresses of the shared subnets first; never more than `best`.
 *
 * @param nodes subnets that nodes may be launched into.
 * @param pods subnets that pods live in.
 * @param share what the pods of one node take.
 * @returns `null` where the free prefixes of a pod subnet are needed and not known.
 */
export function apartCapacity(
  nodes: readonly Place[],
  pods: readonly Place[],
  share: Footprint,
  placing: 'best' | 'careful',
): number | null {
  const nodeIds = new Set(nodes.map(({ subnetId }) => subnetId));
  const sharedIds = new Set(pods.flatMap(({ subnetId }) => (nodeIds.has(subnetId) ? [subnetId] : [])));
  const shared: Room[] = [];
  const steps: Step[] = [];
  let podsBeside = 0;
  for (const { subnetId, room } of pods) {
    const shares = capacityOf(room, share);
    if (shares === null) return null;
    if (sharedIds.has(subnetId)) {
      shared.push(room);
      steps.push(...stepsOf(room, share, shares));
    } else podsBeside += shares;
  }
  const nodesBeside = sum(
    nodes.filter(({ subnetId }) => !sharedIds.has(subnetId)).map(({ room }) => room.availableIps),
  );
  const common = sum(shared.map(({ availableIps }) => availableIps));
  const sharesInCommon = sum(steps.map(({ shares }) => shares));
  steps.sort((a, b) => a.ips - b.ips);
  const most = Math.min(nodesBeside + common, podsBeside + sharesInCommon);
  return largest(most, (count) => {
    const shares = Math.max(0, count - podsBeside);
    const addresses = placing === 'careful' && shares > 0 ? count : Math.max(0, count - nodesBeside);
    return addresses + ipsOf(steps, shares) <= common;
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** So many shares that each lower EC2's count of their subnet by so many addresses. */
interface Step {
  readonly ips: number;
  readonly shares: number;
}

/** The shares that a room has for pods: those of prefixes that EC2's count does not hold cost least, and go first. */
function stepsOf({ reservedPrefixes }: Room, { ips, prefixes }: Footprint, shares: number): readonly Step[] {
  if (prefixes === 0) return [{ ips, shares }];
  const hidden = Math.min(shares, Math.floor(reservedPrefixes / prefixes));
  const rest = reservedPrefixes % prefixes;
  const mixed = rest > 0 && shares > hidden ? 1 : 0;
  return [
    { ips, shares: hidden },
    { ips: ips + BLOCK_IPS * (prefixes - rest), shares: mixed },
    { ips: ips + BLOCK_IPS * prefixes, shares: shares - hidden - mixed },
  ];
}

/** @param steps the cheapest first. */
function ipsOf(steps: readonly Step[], shares: number): number {
  let left = shares;
  let ips = 0;
  for (const step of steps) {
    const taken = Math.min(left, step.shares);
    ips += taken * step.ips;
    left -= taken;
  }
  return ips;
}
