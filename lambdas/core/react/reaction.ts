/** How failed requests move a finding on that scans keep as well: raised once, worse never unsaid, each event counted once. */
import { DETAIL_TYPES } from '../../contract/event-names.ts';
import type { Finding } from '../../contract/finding.ts';
import { severityRank } from '../assess/finding.ts';
import type { FindingState, Reaction } from '../publish/finding-state.ts';

/** What a batch of events says about one finding. Times are epoch milliseconds. */
export interface EventSighting {
  readonly finding: Finding;
  readonly eventIds: readonly string[];
  readonly firstTime: number;
  readonly lastTime: number;
}

export interface Moment {
  /** Epoch milliseconds. */
  readonly now: number;
  /** Scans begun so far: the finding is counted from there on. */
  readonly scans: number;
}

/**
 * Ids of events that are remembered with a finding. A thousand nodes repeat a failed call within two minutes, and a batch that failed comes again within six:
 * more are forgotten, and an event that comes later still would count twice.
 */
export const MOST_REMEMBERED = 4000;
/** Characters of an event's id that are kept: 64 bits of a UUID. */
const ID_LENGTH = 16;

/** @returns the state to write, or `undefined` where every event was counted before. The event that the state before it owed must have been sent. */
export function reactTo(
  before: FindingState | undefined,
  sighting: EventSighting,
  moment: Moment,
): FindingState | undefined {
  const seen = before?.reaction?.seen ?? [];
  const known = new Set(seen);
  const fresh = [...new Set(sighting.eventIds.map(shortId))].filter((id) => !known.has(id));
  if (fresh.length === 0) return undefined;
  const alive = before === undefined || before.status === 'cleared' ? undefined : before;
  const past = alive?.reaction;
  const reaction: Reaction = {
    seen: [...seen, ...fresh].slice(-MOST_REMEMBERED),
    count: (past?.count ?? 0) + fresh.length,
    first: Math.min(past?.first ?? sighting.firstTime, sighting.firstTime),
    last: Math.max(past?.last ?? sighting.lastTime, sighting.lastTime),
  };
  if (alive === undefined) return raised(firstState(sighting, fresh.length, reaction, moment), moment);
  const worse = severityRank(sighting.finding.severity) < severityRank(alive.finding.severity);
  const after: FindingState = {
    ...alive,
    finding: merged(alive, sighting, reaction),
    count: alive.count + fresh.length,
    firstSeen: alive.status === 'candidate' ? sighting.firstTime : alive.firstSeen,
    lastSeen: Math.max(alive.lastSeen, sighting.lastTime),
    missed: 0,
    reaction,
  };
  return worse || alive.status === 'candidate' ? raised(after, moment) : after;
}

function firstState(sighting: EventSighting, count: number, reaction: Reaction, { scans }: Moment): FindingState {
  return {
    finding: { ...sighting.finding, evidence: withTotals(sighting.finding, reaction) },
    status: 'open',
    firstSeen: sighting.firstTime,
    lastSeen: sighting.lastTime,
    count,
    countedIn: scans,
    readAt: sighting.firstTime,
    missed: 0,
    changes: 0,
    origin: 'react',
    reaction,
  };
}

/** What a scan measured stays, with what the events add; the worse severity holds. */
function merged({ finding: before, origin }: FindingState, { finding }: EventSighting, reaction: Reaction): Finding {
  const severity = severityRank(finding.severity) < severityRank(before.severity) ? finding.severity : before.severity;
  const base = origin === 'observe' ? before : finding;
  const evidence = { ...before.evidence, ...withTotals(finding, reaction) };
  return { ...base, severity, evidence };
}

function withTotals({ evidence }: Finding, { count, first, last }: Reaction): Finding['evidence'] {
  return { ...evidence, count, firstTime: new Date(first).toISOString(), lastTime: new Date(last).toISOString() };
}

function raised(state: FindingState, { now }: Moment): FindingState {
  const changes = state.changes + 1;
  const id = `${state.finding.id}@${new Date(state.firstSeen).toISOString()}#${changes}`;
  const owed = { id, type: DETAIL_TYPES.findingRaised, at: now, firstScan: false };
  return { ...state, status: 'open', changes, owed };
}

function shortId(eventId: string): string {
  return eventId.replaceAll('-', '').slice(-ID_LENGTH);
}
