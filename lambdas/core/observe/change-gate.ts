/** Which VPCs have to be read again: the rest is known from their last whole read. */
import { formatCidr } from '../ip/ipv4.ts';
import type { SubnetFacts } from '../subnet/snapshot.ts';

/** What is remembered of a VPC's last whole read, as far as the gate needs it. */
export interface LastRead {
  /** Epoch milliseconds at which it began. */
  readonly readAt: number;
  /** The counts moved while it was read, or its numbers did not add up: it says less than a read in peace. */
  readonly unsettled: boolean;
  /** What was known of the insides of clusters; another value may change who holds what. */
  readonly factsTag: string;
  /** By subnet id: CIDR, and EC2's count after the last page. */
  readonly counts: ReadonlyMap<string, { readonly cidr: string; readonly availableIps: number }>;
}

export interface GateOptions {
  readonly now: number;
  /** Milliseconds. */
  readonly fullReadAtMost: number;
  readonly factsTag: string;
  /** VPCs that somebody wants read although nothing moved: requests failed in them. */
  readonly asked?: ReadonlySet<string>;
}

/** Milliseconds for which a read answers whoever asks: the VPC CNI repeats a failed call every two minutes on every node. */
export const ASKED_AT_MOST_MS = 120_000;

export type ReadReason =
  | 'never read'
  | 'too old'
  | 'unsettled'
  | 'subnets changed'
  | 'counts moved'
  | 'facts changed'
  | 'asked for';

/** The VPCs to read, with the reason for each, in order of their ids. */
export function dueVpcs(
  subnets: readonly SubnetFacts[],
  reads: ReadonlyMap<string, LastRead>,
  options: GateOptions,
): ReadonlyMap<string, ReadReason> {
  const byVpc = new Map<string, SubnetFacts[]>();
  for (const subnet of subnets) {
    const listed = byVpc.get(subnet.vpcId);
    if (listed === undefined) byVpc.set(subnet.vpcId, [subnet]);
    else listed.push(subnet);
  }
  const due = new Map<string, ReadReason>();
  for (const [vpcId, own] of [...byVpc].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const reason = reasonToRead(own, reads.get(vpcId), options) ?? askedFor(vpcId, reads.get(vpcId), options);
    if (reason !== undefined) due.set(vpcId, reason);
  }
  return due;
}

function askedFor(vpcId: string, last: LastRead | undefined, { now, asked }: GateOptions): ReadReason | undefined {
  const wanted = asked?.has(vpcId) === true && last !== undefined && now - last.readAt >= ASKED_AT_MOST_MS;
  return wanted ? 'asked for' : undefined;
}

function reasonToRead(
  subnets: readonly SubnetFacts[],
  last: LastRead | undefined,
  { now, fullReadAtMost, factsTag }: GateOptions,
): ReadReason | undefined {
  if (last === undefined) return 'never read';
  if (now - last.readAt >= fullReadAtMost) return 'too old';
  if (last.unsettled) return 'unsettled';
  if (last.factsTag !== factsTag) return 'facts changed';
  const addressed = subnets.filter(({ cidr }) => cidr !== undefined);
  if (addressed.length !== last.counts.size) return 'subnets changed';
  for (const { subnetId, cidr, availableIps } of addressed) {
    const before = last.counts.get(subnetId);
    if (before === undefined || cidr === undefined || before.cidr !== formatCidr(cidr)) return 'subnets changed';
    if (before.availableIps !== availableIps) return 'counts moved';
  }
  return undefined;
}
