/** The plans and the undo ledger, as the table keeps them. */
import type { PlanState } from '../../contract/plan.ts';
import { moved, type PlanEvent, STORED_PLAN_VERSION, type StoredPlan } from '../../core/remediate/stored-plan.ts';
import type { Change, UndoLedger } from '../../core/remediate/undo.ts';
import type { StateTable } from '../../ports/state-table.ts';
import { itemOf, itemsOf, StateConflict, update } from '../observe/items.ts';

/** How long a plan is kept after its time: a quarter of a year, so that a review finds it. Seconds. */
const KEPT_SECONDS = 90 * 86_400;

function expiry({ expiresAt }: StoredPlan): number {
  return Math.ceil(expiresAt / 1000) + KEPT_SECONDS;
}

/** Every plan, by id; those that another version wrote are left alone. */
export async function allPlans(state: StateTable): Promise<readonly StoredPlan[]> {
  const items = await itemsOf<StoredPlan>(state, 'plan');
  return [...items.values()].map(({ value }) => value).filter(({ version }) => version === STORED_PLAN_VERSION);
}

export async function planById(state: StateTable, id: string): Promise<StoredPlan | undefined> {
  const plan = (await itemOf<StoredPlan>(state, 'plan', id))?.value;
  return plan?.version === STORED_PLAN_VERSION ? plan : undefined;
}

/** @returns whether it is new: a run that is repeated finds it there. */
export function addPlan(state: StateTable, plan: StoredPlan): Promise<boolean> {
  return state.put('plan', plan.id, plan, { expected: undefined, expiresAt: expiry(plan) });
}

/** The bus was told of the plan; where somebody moved it meanwhile, that is told of by whoever did. */
export async function markAnnounced(state: StateTable, id: string): Promise<void> {
  const item = await itemOf<StoredPlan>(state, 'plan', id);
  if (item === undefined || item.value.announced) return;
  const plan = { ...item.value, announced: true };
  await state.put('plan', id, plan, { expected: item.version, expiresAt: expiry(plan) });
}

/**
 * Moves a plan from one of the states to another.
 *
 * @returns the plan as it is now; `undefined` where it is gone or was in none of the states: somebody else moved it.
 */
export async function movePlan(
  state: StateTable,
  id: string,
  from: readonly PlanState[],
  to: PlanState,
  event: PlanEvent,
  errorCode?: string,
): Promise<StoredPlan | undefined> {
  for (let attempt = 0; attempt < 10; attempt++) {
    const item = await itemOf<StoredPlan>(state, 'plan', id);
    if (item === undefined) return undefined;
    // The table took an earlier attempt, and the answer was lost.
    if (attempt > 0 && isMovedBy(item.value, to, event)) return item.value;
    if (!from.includes(item.value.state)) return undefined;
    const next = moved(item.value, to, event, errorCode);
    if (await state.put('plan', id, next, { expected: item.version, expiresAt: expiry(next) })) return next;
  }
  throw new StateConflict(`plan ${id}: the table refused ten writes in a row`);
}

function isMovedBy({ state, history }: StoredPlan, to: PlanState, event: PlanEvent): boolean {
  return state === to && JSON.stringify(history.at(-1)) === JSON.stringify(event);
}

/** An intent: what is about to be written, and what stood there before. */
export interface Intent {
  readonly planId: string;
  readonly vpcId: string;
  readonly at: number;
  readonly change: Change;
}

export async function intentOf(state: StateTable, planId: string): Promise<Intent | undefined> {
  return (await itemOf<Intent>(state, 'intent', planId))?.value;
}

export async function putIntent(state: StateTable, intent: Intent): Promise<void> {
  await update<Intent, void>(state, 'intent', intent.planId, () => ({ write: intent, answer: undefined }));
}

export async function dropIntent(state: StateTable, planId: string): Promise<void> {
  const item = await itemOf<Intent>(state, 'intent', planId);
  if (item !== undefined) await state.remove('intent', planId, item.version);
}

/** Puts a change that was made into the undo ledger; once, however often it is told. */
export async function recordChange(state: StateTable, { planId, vpcId, at, change }: Intent): Promise<void> {
  await update<UndoLedger, void>(state, 'undo', planId, (ledger) => {
    const changes = ledger?.changes ?? [];
    const same = (one: Change) => JSON.stringify(one) === JSON.stringify(change);
    if (changes.some(same)) return { answer: undefined };
    return { write: { vpcId, at: ledger?.at ?? at, changes: [...changes, change] }, answer: undefined };
  });
}

export async function undoLedger(state: StateTable, planId: string): Promise<UndoLedger | undefined> {
  return (await itemOf<UndoLedger>(state, 'undo', planId))?.value;
}

export async function undoLedgers(state: StateTable): Promise<ReadonlyMap<string, UndoLedger>> {
  const items = await itemsOf<UndoLedger>(state, 'undo');
  return new Map([...items].map(([id, { value }]) => [id, value]));
}
