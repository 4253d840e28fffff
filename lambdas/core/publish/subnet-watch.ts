/** Which subnets have metrics of their own: those at risk, and those that a tag asks for; in at once, out only after a time without risk. */
import type { Finding, FindingCode, Severity } from '../../contract/finding.ts';
import { METRICS_ALWAYS, TAGS } from '../../contract/tags.ts';
import { compareText, severityRank } from '../assess/finding.ts';
import type { SubnetFacts } from '../subnet/snapshot.ts';

/**
 * Six hours. CloudWatch bills a metric by the hour it is sent in, so leaving later costs little, and a subnet that is full each morning keeps one graph.
 */
export const CALM_MS = 6 * 3_600_000;

/** Room in a subnet: what its three metrics show. */
const ROOM: ReadonlySet<FindingCode> = new Set<FindingCode>([
  'SUBNET_EXHAUSTED',
  'SUBNET_LOW',
  'SUBNET_BELOW_NODE_MINIMUM',
  'PREFIX_EXHAUSTED',
  'PREFIX_LOW',
  'FRAGMENTED',
]);

/** What is remembered of a subnet with metrics of its own. */
export interface Watched {
  /** Epoch milliseconds of the last scan that saw it at risk, or tagged. */
  readonly atRisk: number;
}

/** How often `atRisk` is written while it moves on: a fraction of the calm that it is held against. */
const REMEMBER_EVERY_MS = CALM_MS / 12;

export interface SubnetWatch {
  /** Subnets to publish, most wanted first, at most the cap. */
  readonly chosen: readonly string[];
  /** Subnets that wanted metrics and got none. */
  readonly cut: number;
  /** What to remember anew. */
  readonly remember: ReadonlyMap<string, Watched>;
  readonly forget: readonly string[];
}

const TAGGED_RANK = -1;
const CALM_RANK = 9;

export function watchSubnets(
  subnets: readonly SubnetFacts[],
  findings: readonly Finding[],
  known: ReadonlyMap<string, Watched>,
  options: {
    readonly now: number;
    readonly cap: number;
    /** Whether every subnet in scope is among the facts: one that could not be listed is not gone. */
    readonly complete: boolean;
  },
): SubnetWatch {
  const { now, cap, complete } = options;
  const worst = new Map<string, Severity>();
  for (const { code, severity, subnetId } of findings) {
    if (subnetId === undefined || severity === 'info' || !ROOM.has(code)) continue;
    const before = worst.get(subnetId);
    if (before === undefined || severityRank(severity) < severityRank(before)) worst.set(subnetId, severity);
  }
  const wanted: { readonly id: string; readonly rank: number; readonly incumbent: boolean }[] = [];
  const remember = new Map<string, Watched>();
  const present = new Set<string>();
  for (const { subnetId: id, tags, cidr } of subnets) {
    if (cidr === undefined) continue;
    present.add(id);
    const before = known.get(id);
    const tagged = tags.get(TAGS.metrics) === METRICS_ALWAYS;
    const severity = worst.get(id);
    const risky = tagged || severity !== undefined;
    if (!risky && (before === undefined || now - before.atRisk >= CALM_MS)) continue;
    const rank = tagged ? TAGGED_RANK : severity === undefined ? CALM_RANK : severityRank(severity);
    wanted.push({ id, rank, incumbent: before !== undefined });
    if (risky && (before === undefined || now - before.atRisk >= REMEMBER_EVERY_MS)) remember.set(id, { atRisk: now });
  }
  // Who has metrics keeps them before one that is no worse gets some: a swap would be billed twice and cut a graph.
  wanted.sort((a, b) => a.rank - b.rank || Number(b.incumbent) - Number(a.incumbent) || compareText(a.id, b.id));
  const chosen = wanted.slice(0, cap).map(({ id }) => id);
  const inside = new Set(chosen);
  return {
    chosen,
    cut: wanted.length - chosen.length,
    remember: new Map([...remember].filter(([id]) => inside.has(id))),
    forget: [...known.keys()].filter((id) => !inside.has(id) && (complete || present.has(id))).sort(),
  };
}
