/** Folds failures into one count for each subnet and kind of shortage: the VPC CNI repeats a failed call on every node every two minutes. */
import type { EventClass } from '../../contract/event-class.ts';
import type { FindingCode } from '../../contract/finding.ts';
import { compareText } from '../assess/finding.ts';
import type { Asked } from './asked.ts';
import type { ResolvedEvent, ResolvedItem } from './resolve.ts';
import type { Rooms, SubnetRoom } from './rooms.ts';

/** All failures of one kind in one subnet. */
export interface Fold {
  readonly code: FindingCode;
  readonly subnetId: string;
  readonly room: SubnetRoom | undefined;
  /** Events that tell of it: an event that names a subnet twice counts once. */
  readonly count: number;
  /** Epoch milliseconds; absent where no event says when. */
  readonly firstTime?: number;
  readonly lastTime?: number;
  /** Ids of the events, each once, in the order in which they came. */
  readonly eventIds: readonly string[];
  readonly classes: readonly EventClass[];
  readonly codes: readonly string[];
  readonly callers: readonly string[];
  /** The most that one of the requests wanted. */
  readonly asked: Asked;
  /** What AWS said in the newest event. */
  readonly message: string;
}

interface Draft {
  readonly code: FindingCode;
  readonly subnetId: string;
  readonly events: ResolvedEvent[];
  readonly items: ResolvedItem[];
}

/** @returns by code, then subnet: the order is total. An event that comes twice, by its id, counts once. */
export function fold(events: readonly ResolvedEvent[], rooms: Rooms): readonly Fold[] {
  const drafts = new Map<string, Draft>();
  for (const event of withoutRepeats(events)) {
    for (const item of event.items) {
      for (const subnetId of item.subnets) {
        const code = codeOf(item, rooms.room(subnetId));
        if (code === undefined) continue;
        const key = `${code}/${subnetId}`;
        const draft = drafts.get(key) ?? { code, subnetId, events: [], items: [] };
        if (draft.events.at(-1) !== event) draft.events.push(event);
        draft.items.push(item);
        drafts.set(key, draft);
      }
    }
  }
  return [...drafts.values()]
    .map((draft) => folded(draft, rooms.room(draft.subnetId)))
    .sort((a, b) => compareText(a.code, b.code) || compareText(a.subnetId, b.subnetId));
}

/** Events are delivered at least once (EventBridge user guide, "event delivery"); a repeat has the same id. */
export function withoutRepeats<E extends { readonly eventId: string | null }>(events: readonly E[]): readonly E[] {
  const seen = new Set<string>();
  return events.filter(({ eventId }) => {
    if (eventId === null) return true;
    if (seen.has(eventId)) return false;
    seen.add(eventId);
    return true;
  });
}

/**
 * The fact that a failure proves. A subnet without one available address is exhausted altogether, whatever was asked of it, so that an event and a scan
 * of the same subnet make the same finding. What stays open is no prefix in either case, where a prefix was asked for.
 */
function codeOf({ class: found, asked }: ResolvedItem, room: SubnetRoom | undefined): FindingCode | undefined {
  switch (found) {
    case 'IP_EXHAUSTED':
      return 'SUBNET_EXHAUSTED';
    case 'PREFIX_EXHAUSTED':
      return room?.availableIps === 0 ? 'SUBNET_EXHAUSTED' : 'PREFIX_EXHAUSTED';
    case 'PREFIX_OR_IP_CAPACITY':
      return asked.prefixes > 0 ? 'PREFIX_EXHAUSTED' : undefined;
    case 'ELB_HEADROOM':
      return 'ELB_HEADROOM_LOW';
    case 'EKS_UPGRADE_HEADROOM':
      return 'EKS_UPGRADE_BLOCKED';
    default:
      return undefined;
  }
}

function folded({ code, subnetId, events, items }: Draft, room: SubnetRoom | undefined): Fold {
  const times = events.map(({ time }) => time).filter((time) => time !== undefined);
  const first = times.length === 0 ? undefined : times.reduce((a, b) => Math.min(a, b));
  const last = times.length === 0 ? undefined : times.reduce((a, b) => Math.max(a, b));
  return {
    ...{ code, subnetId, room, count: events.length },
    ...(first === undefined ? {} : { firstTime: first }),
    ...(last === undefined ? {} : { lastTime: last }),
    eventIds: [...new Set(events.map(({ eventId }) => eventId).filter((id) => id !== null))],
    classes: unique(items.map((item) => item.class)),
    codes: unique(items.map((item) => item.code)),
    callers: unique(events.map(({ caller }) => caller)),
    asked: {
      addresses: items.reduce((most, { asked }) => Math.max(most, asked.addresses), 0),
      prefixes: items.reduce((most, { asked }) => Math.max(most, asked.prefixes), 0),
    },
    message: newestMessage(events, items),
  };
}

function newestMessage(events: readonly ResolvedEvent[], items: readonly ResolvedItem[]): string {
  const newest = events.reduce<ResolvedEvent | undefined>(
    (best, event) => (best === undefined || (event.time ?? 0) >= (best.time ?? 0) ? event : best),
    undefined,
  );
  return items.find((item) => newest?.items.includes(item))?.message ?? '';
}

function unique<T extends string>(values: readonly (T | undefined)[]): readonly T[] {
  return [...new Set(values.filter((value) => value !== undefined))].sort(compareText);
}
