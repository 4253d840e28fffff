/** What limits and cooldowns remember. */
import type { LastAction } from '../../core/remediate/run-guards.ts';
import type { StateTable } from '../../ports/state-table.ts';
import { itemOf, update } from '../observe/items.ts';

interface DayItem {
  readonly planIds: readonly string[];
}

/** Kept for a week, so that one can see what was counted. Seconds. */
const DAY_KEPT_SECONDS = 7 * 86_400;

function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}

/** Plans that were begun on this day (UTC). */
export async function begunToday(state: StateTable, now: number): Promise<readonly string[]> {
  return (await itemOf<DayItem>(state, 'day', dayOf(now)))?.value.planIds ?? [];
}

/**
 * Takes one of the day's actions for a plan, before it begins; a plan that has one takes no second.
 *
 * @returns whether it has one: not where the others took them all meanwhile.
 */
export async function takeSlot(state: StateTable, now: number, planId: string, perDay: number): Promise<boolean> {
  for (;;) {
    const item = await itemOf<DayItem>(state, 'day', dayOf(now));
    const planIds = item?.value.planIds ?? [];
    if (planIds.includes(planId)) return true;
    if (planIds.length >= perDay) return false;
    const options = { expected: item?.version, expiresAt: Math.floor(now / 1000) + DAY_KEPT_SECONDS };
    if (await state.put('day', dayOf(now), { planIds: [...planIds, planId] } satisfies DayItem, options)) return true;
  }
}

export async function lastAction(state: StateTable, subject: string): Promise<LastAction | undefined> {
  return (await itemOf<LastAction>(state, 'cooldown', subject))?.value;
}

export async function noteAction(state: StateTable, subject: string, action: LastAction): Promise<void> {
  await update<LastAction, void>(state, 'cooldown', subject, (last) =>
    last?.planId === action.planId ? { answer: undefined } : { write: action, answer: undefined },
  );
}
