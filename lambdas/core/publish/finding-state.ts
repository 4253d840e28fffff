/** What is remembered of each finding, and how a scan moves it on: raised once, cleared once, each told by one event (docs/adr/0061). */
import type { DetailType } from '../../contract/event-names.ts';
import { DETAIL_TYPES } from '../../contract/event-names.ts';
import type { Finding, FindingCode } from '../../contract/finding.ts';
import { compareText, severityRank } from '../assess/finding.ts';

/** Scans in a row that must miss a finding before it is cleared: a value at its threshold is told of once. */
export const SCANS_TO_CLEAR = 2;
/** Seen once, these may be two reads a moment apart: they count from the second read in a row. */
const SEEN_TWICE: ReadonlySet<FindingCode> = new Set<FindingCode>(['UNACCOUNTED_IPS']);
/** Milliseconds between two writes about a finding that only goes on. */
const TOUCH_MS = 300_000;

/**
 * Milliseconds after the last failed request during which a finding stays as bad as that made it: the VPC CNI repeats a failed call every two minutes, so
 * five repeats in a row have not come.
 */
export const EVENTS_QUIET_MS = 600_000;

/** What failed requests said of a finding. Times are epoch milliseconds. */
export interface Reaction {
  /** Short ids of the newest events, so that a repeat counts once. */
  readonly seen: readonly string[];
  readonly count: number;
  readonly first: number;
  readonly last: number;
}

/** An event that is owed: written with the change it tells of, taken out once the bus has it. */
export interface OwedEvent {
  /** Stable for the same fact and change. */
  readonly id: string;
  readonly type: DetailType;
  /** Epoch milliseconds of the change. */
  readonly at: number;
  readonly firstScan: boolean;
  /** What the subnet looked like then: kept with the event, so that one that is sent late still tells of that time. */
  readonly map?: readonly string[];
}

/** The item of a finding. Times are epoch milliseconds. */
export interface FindingState {
  readonly finding: Finding;
  /** `candidate`: seen, and not yet often enough. `cleared`: gone, and the event is still owed. */
  readonly status: 'candidate' | 'open' | 'cleared';
  readonly firstSeen: number;
  readonly lastSeen: number;
  /** Scans and events that saw it, as of `countedIn`. */
  readonly count: number;
  /** Number of the scan up to which `count` counts. */
  readonly countedIn: number;
  /** Time of the read that a candidate rests on: the same read seen again proves nothing. */
  readonly readAt: number;
  /** Scans in a row that missed it. */
  readonly missed: number;
  /** Changes told so far: part of the next event's id. */
  readonly changes: number;
  readonly owed?: OwedEvent;
  readonly origin: 'observe' | 'react';
  /** Of a finding that failed requests proved too. */
  readonly reaction?: Reaction;
}

export interface ScanOfFindings {
  /** Epoch milliseconds at which the reads began. */
  readonly at: number;
  readonly number: number;
  /** The first scan of a deployment. */
  readonly first: boolean;
  readonly previousAt?: number;
  readonly findings: readonly Finding[];
  /** Whether this scan measured everything that the finding rests on; else it is neither there nor gone. */
  readonly measured: (finding: Finding) => boolean;
  /** When the numbers behind a finding were read. */
  readonly readAt: (finding: Finding) => number;
  /** The map that goes with a finding that is raised; `undefined` where none does. Default: none. */
  readonly mapOf?: (finding: Finding) => readonly string[] | undefined;
}

/** The states to write, by finding id; `undefined` deletes the item. States that stay as they are do not appear. */
export type FindingMoves = ReadonlyMap<string, FindingState | undefined>;

export function moveFindings(known: ReadonlyMap<string, FindingState>, scan: ScanOfFindings): FindingMoves {
  const moves = new Map<string, FindingState | undefined>();
  const seen = new Map(scan.findings.map((finding) => [finding.id, finding]));
  const ids = [...new Set([...known.keys(), ...seen.keys()])].sort(compareText);
  for (const id of ids) {
    const before = known.get(id);
    const finding = seen.get(id);
    // What is owed is told first, so that no change is passed over.
    if (before?.owed !== undefined) continue;
    if (finding !== undefined) {
      const after = sighted(before, finding, scan);
      if (after !== before) moves.set(id, after);
    } else if (before !== undefined && !isLoud(before, scan.at)) {
      const after = missed(before, scan);
      if (after !== before) moves.set(id, after);
    }
  }
  return moves;
}

/** Requests failed for this a short time ago, whatever a scan makes of it. */
function isLoud({ reaction }: FindingState, at: number): boolean {
  return reaction !== undefined && at - reaction.last < EVENTS_QUIET_MS;
}

/** What a scan found, no less bad than failed requests proved it to be while they go on. */
function withReaction(before: FindingState | undefined, found: Finding, at: number): Finding {
  const reaction = before?.reaction;
  if (before === undefined || reaction === undefined || !isLoud(before, at)) return found;
  const held =
    severityRank(before.finding.severity) < severityRank(found.severity) ? before.finding.severity : found.severity;
  const refusedRequests = {
    count: reaction.count,
    firstTime: new Date(reaction.first).toISOString(),
    lastTime: new Date(reaction.last).toISOString(),
  };
  return { ...found, severity: held, evidence: { ...found.evidence, refusedRequests } };
}

function sighted(before: FindingState | undefined, found: Finding, scan: ScanOfFindings): FindingState {
  const readAt = scan.readAt(found);
  const finding = withReaction(before, found, scan.at);
  if (before === undefined) return fresh(finding, scan, readAt);
  if (before.status === 'candidate') {
    // The very same read, looked at again.
    if (readAt <= before.readAt) return before;
    return raised({ ...before, finding, lastSeen: scan.at, count: before.count + 1, countedIn: scan.number }, scan);
  }
  const severity = before.finding.severity !== finding.severity;
  const counted = { count: before.count + (scan.number - before.countedIn), countedIn: scan.number };
  const after: FindingState = {
    ...before,
    finding,
    lastSeen: scan.at,
    missed: 0,
    readAt,
    origin: 'observe',
    ...counted,
  };
  if (severity) return raised(after, scan);
  // What only goes on is written now and then; `previousAt` tells the rest when it is cleared.
  return before.missed > 0 || scan.at - before.lastSeen >= TOUCH_MS ? after : before;
}

function fresh(finding: Finding, scan: ScanOfFindings, readAt: number): FindingState {
  const state: FindingState = {
    finding,
    status: 'candidate',
    firstSeen: scan.at,
    lastSeen: scan.at,
    count: 1,
    countedIn: scan.number,
    readAt,
    missed: 0,
    changes: 0,
    origin: 'observe',
  };
  return SEEN_TWICE.has(finding.code) ? state : raised(state, scan);
}

function raised(state: FindingState, scan: ScanOfFindings): FindingState {
  const changes = state.changes + 1;
  const owed = owe(state, changes, DETAIL_TYPES.findingRaised, scan);
  const map = scan.mapOf?.(state.finding);
  return { ...state, status: 'open', changes, owed: map === undefined ? owed : { ...owed, map } };
}

function missed(before: FindingState, scan: ScanOfFindings): FindingState | undefined {
  if (!scan.measured(before.finding)) return before;
  if (before.status === 'candidate') return undefined;
  const count = before.missed === 0 ? before.count + Math.max(0, scan.number - 1 - before.countedIn) : before.count;
  const lastSeen = before.missed === 0 ? Math.max(before.lastSeen, scan.previousAt ?? 0) : before.lastSeen;
  const after: FindingState = { ...before, missed: before.missed + 1, count, countedIn: scan.number, lastSeen };
  if (after.missed < SCANS_TO_CLEAR) return after;
  const changes = after.changes + 1;
  return { ...after, status: 'cleared', changes, owed: owe(after, changes, DETAIL_TYPES.findingCleared, scan) };
}

function owe(state: FindingState, change: number, type: DetailType, scan: ScanOfFindings): OwedEvent {
  return {
    id: `${state.finding.id}@${new Date(state.firstSeen).toISOString()}#${change}`,
    type,
    at: scan.at,
    firstScan: scan.first,
  };
}

/** Whether a finding counts already: what has to be seen twice does not count before the second read. */
export function isAdmitted(known: ReadonlyMap<string, FindingState>, finding: Finding, readAt: number): boolean {
  if (!SEEN_TWICE.has(finding.code)) return true;
  const before = known.get(finding.id);
  return before !== undefined && (before.status === 'open' || before.readAt < readAt);
}

/** What a state becomes once its event is on the bus; `undefined`: the item goes. */
export function paid(state: FindingState): FindingState | undefined {
  if (state.status === 'cleared') return undefined;
  const { owed: _, ...rest } = state;
  return rest;
}
