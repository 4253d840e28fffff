/** What is told of what was held: of each finding only how things stand now. */
import type { HeldItem, HoldReason, ToldItem } from '../../contract/notify-items.ts';
import type { FindingChange } from '../report/messages/finding-message.ts';

export interface HeldEvent {
  readonly id: string;
  readonly held: HeldItem;
}

/** Held events by what becomes of them. */
export interface Released {
  readonly tell: readonly { readonly id: string; readonly held: HeldItem; readonly change?: FindingChange }[];
  /** Told by nothing: superseded, or over before anybody wanted to know. */
  readonly drop: readonly string[];
}

/**
 * @param due - held events of one reason whose time has come.
 * @param told - by finding id.
 */
export function release(due: readonly HeldEvent[], reason: HoldReason, told: ReadonlyMap<string, ToldItem>): Released {
  const tell: Released['tell'][number][] = [];
  const drop: string[] = [];
  const byFinding = new Map<string, HeldEvent[]>();
  for (const event of due) {
    if (event.held.event.kind === 'remediation') {
      tell.push(event);
      continue;
    }
    const { id } = event.held.event.detail.finding;
    byFinding.set(id, [...(byFinding.get(id) ?? []), event]);
  }
  for (const [findingId, events] of byFinding) {
    const sorted = events.toSorted((a, b) => timeOf(a) - timeOf(b));
    const last = sorted.at(-1) as HeldEvent;
    drop.push(...sorted.slice(0, -1).map(({ id }) => id));
    const change = changeOf(sorted, last, reason, told.get(findingId));
    if (change === undefined) drop.push(last.id);
    else tell.push({ ...last, change });
  }
  return { tell, drop };
}

function changeOf(
  sorted: readonly HeldEvent[],
  last: HeldEvent,
  reason: HoldReason,
  told: ToldItem | undefined,
): FindingChange | undefined {
  const { event } = last.held;
  if (event.kind !== 'finding') return undefined;
  // Something newer was told at once, or came and was passed over.
  if (told !== undefined && told.eventId !== last.id && event.change !== 'passed') return undefined;
  if (event.change !== 'cleared') return event.change;
  const cameUnseen = sorted.some(
    ({ held }) => held.event.kind === 'finding' && held.event.change === 'raised' && held.event.before === undefined,
  );
  if (!cameUnseen) return 'cleared';
  return reason === 'quiet-hours' ? 'passed' : undefined;
}

function timeOf({ held }: HeldEvent): number {
  const at = Date.parse(held.event.detail.at);
  return Number.isNaN(at) ? 0 : at;
}
