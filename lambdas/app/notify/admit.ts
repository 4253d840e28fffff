/** Takes up one event: decides once what becomes of it, and remembers that before anything is told. */
import type { HeldItem, MessageItem } from '../../contract/notify-items.ts';
import { type Decision, decide, toldAfter } from '../../core/notify/decide.ts';
import { changedAt, type NotifyEvent } from '../../core/notify/incoming.ts';
import type { StateTable } from '../../ports/state-table.ts';
import { expiresAt, HeldElsewhere, type Read, readHeld, readMessage, readMute, readTold } from './items.ts';

export interface Admission {
  readonly event: NotifyEvent;
  readonly item: Read<MessageItem>;
}

export interface AdmitSettings {
  /** End of the quiet hours, where it is quiet at that time. */
  readonly quietUntil: (now: number) => number | undefined;
}

/**
 * The decision is written first, under a condition: of two copies of an event one finds the other's decision. What is remembered of the finding is
 * written after it, and again when the event comes again, so that a run that ended in between is made up for.
 *
 * @throws {@link HeldElsewhere} where another run was faster; the event then has to come again.
 */
export async function admit(
  state: StateTable,
  event: NotifyEvent,
  now: number,
  settings: AdmitSettings,
): Promise<Admission> {
  const { id } = event.detail;
  const findingId = findingIdOf(event);
  const told = findingId === undefined ? undefined : await readTold(state, findingId);
  const known = await readMessage(state, id);
  const decision =
    known === undefined
      ? decide(event, await worldOf(state, event, told?.value, now, settings))
      : decisionOf(known.value);
  const item = known ?? (await remember(state, event, decision, now));
  const after = toldAfter(event, decision, told?.value);
  if (after !== undefined && findingId !== undefined) {
    const done = await state.put('told', findingId, after, { expected: told?.version });
    if (!done) throw new HeldElsewhere(`another event of ${findingId} is being told`);
  }
  return { event, item };
}

export function findingIdOf(event: NotifyEvent): string | undefined {
  if (event.kind === 'test') return undefined;
  return event.kind === 'finding' ? event.detail.finding.id : event.detail.findingId;
}

async function worldOf(
  state: StateTable,
  event: NotifyEvent,
  told: Parameters<typeof decide>[1]['told'],
  now: number,
  { quietUntil }: AdmitSettings,
) {
  const findingId = findingIdOf(event);
  const heldId = told?.heldId;
  const held = heldId === undefined ? undefined : (await readHeld(state, heldId))?.value;
  return {
    now,
    told,
    mute: findingId === undefined ? undefined : await readMute(state, findingId),
    quietUntil: quietUntil(now),
    heldWith: held,
  };
}

async function remember(
  state: StateTable,
  event: NotifyEvent,
  decision: Decision,
  now: number,
): Promise<Read<MessageItem>> {
  const value: MessageItem = {
    decision: decision.decision,
    ...(decision.decision === 'tell' ? {} : { why: decision.why }),
    ...(decision.decision === 'silent' || decision.change === undefined ? {} : { change: decision.change }),
    ...(decision.decision === 'silent' || decision.before === undefined ? {} : { before: decision.before }),
    told: {},
    lease: 0,
  };
  const { id } = event.detail;
  // Held events are written first: a decision to hold with nothing held would be a lost message.
  if (decision.decision === 'hold') await hold(state, event, decision);
  const done = await state.put('message', id, value, { expected: undefined, expiresAt: expiresAt(now) });
  if (!done) throw new HeldElsewhere(`another copy of ${id} is being taken up`);
  return { value, version: 1 };
}

async function hold(
  state: StateTable,
  event: NotifyEvent,
  decision: Extract<Decision, { decision: 'hold' }>,
): Promise<void> {
  const held: HeldItem = { reason: decision.why, due: decision.due, event: heldEvent(event, decision) };
  // No expiry: it goes when it is told. Already there: an earlier try wrote it.
  await state.put('held', event.detail.id, held, { expected: undefined });
}

function heldEvent(event: NotifyEvent, decision: Extract<Decision, { decision: 'hold' }>): HeldItem['event'] {
  if (event.kind === 'remediation') return { kind: 'remediation', type: event.type, detail: event.detail };
  if (event.kind === 'finding') {
    return {
      kind: 'finding',
      type: event.type,
      change: decision.change ?? 'raised',
      detail: event.detail,
      ...(decision.before === undefined ? {} : { before: decision.before }),
    };
  }
  throw new Error('a test is never held');
}

function decisionOf(item: MessageItem): Decision {
  const change = item.change === undefined ? {} : { change: item.change };
  const before = item.before === undefined ? {} : { before: item.before };
  switch (item.decision) {
    case 'tell':
      return { decision: 'tell', ...change, ...before };
    case 'hold':
      return { decision: 'hold', ...change, ...before, why: holdReason(item.why), due: 0 };
    default:
      return { decision: 'silent', why: item.why ?? '' };
  }
}

function holdReason(why: string | undefined): HeldItem['reason'] {
  return why === 'muted' || why === 'quiet-hours' ? why : 'first-scan';
}

/** Oldest first, so that a finding comes before it goes; equal times keep their order. */
export function inOrder<T extends { readonly event: NotifyEvent }>(items: readonly T[]): readonly T[] {
  return items.toSorted((a, b) => changedAt(a.event) - changedAt(b.event));
}
