/** Plans as they are kept: what becomes of each when the network is looked at again. Pure transitions. */
import type { DocumentPlan } from '../../contract/document.ts';
import type { PlanState } from '../../contract/plan.ts';
import { type Decision, failedGuards, isAction, isReady } from './plan.ts';

/** Grows with a change that an older reader would trip over. */
export const STORED_PLAN_VERSION = 1;

export interface PlanEvent {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly what: string;
  /** ARN of a person, as IAM knows them; absent for Headroom itself. */
  readonly by?: string;
  readonly why?: string;
}

export interface StoredPlan {
  readonly version: typeof STORED_PLAN_VERSION;
  readonly id: string;
  readonly decision: Decision;
  readonly state: PlanState;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly history: readonly PlanEvent[];
  /** Whether the bus was told of it: a plan that is told of is there to be approved. Never of one that the mode keeps to itself. */
  readonly announced: boolean;
  /** Code of what went wrong, where something did. */
  readonly errorCode?: string;
}

/** States in which something may still come of a plan. */
const OPEN: ReadonlySet<PlanState> = new Set(['planned', 'approved', 'applying', 'refused', 'undoing']);

export function isOpen({ state }: StoredPlan): boolean {
  return OPEN.has(state);
}

/** What a decision comes down to: another one is another plan. The numbers in its words may move. */
export function fingerprint(decision: Decision): string {
  return JSON.stringify([
    decision.action,
    decision.subnetId ?? null,
    decision.mode,
    decision.writes,
    failedGuards(decision).map(({ name }) => name),
  ]);
}

/** A short name for a plan, the same for the same decision at the same time: a run that is repeated names it alike. */
export function planId(decision: Decision, createdAt: number): string {
  const text = `${createdAt} ${decision.subject} ${fingerprint(decision)}`;
  return `plan-${fnv(text, 0x811c9dc5)}${fnv(text, 0x01000193).slice(0, 4)}`;
}

/** FNV-1a over 16-bit characters, eight hex digits. Names only: nothing rests on its strength. */
function fnv(text: string, seed: number): string {
  let hash = seed;
  for (let n = 0; n < text.length; n++) hash = Math.imul(hash ^ text.charCodeAt(n), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
}

export function newPlan(decision: Decision, now: number, lifetimeSeconds: number): StoredPlan {
  return {
    version: STORED_PLAN_VERSION,
    id: planId(decision, now),
    decision,
    state: 'planned',
    createdAt: now,
    expiresAt: now + lifetimeSeconds * 1000,
    history: [{ at: now, what: 'planned' }],
    announced: false,
  };
}

export function moved(plan: StoredPlan, state: PlanState, event: PlanEvent, errorCode?: string): StoredPlan {
  const { errorCode: _, ...rest } = plan;
  return {
    ...rest,
    state,
    history: [...plan.history, event],
    ...(errorCode === undefined ? {} : { errorCode }),
  };
}

export interface Reconciled {
  /** Stored plans whose state changes. */
  readonly changed: readonly StoredPlan[];
  readonly created: readonly StoredPlan[];
  /** Open plans that stand as they are. */
  readonly kept: readonly StoredPlan[];
}

/**
 * Holds the open plans of a VPC against the decisions of now.
 *
 * One that nobody needs any more is withdrawn; one whose facts changed is replaced, approved or not; one past its time expires. A refused plan keeps the same
 * decision from being planned again until it expires. What was begun (`applying`, `undoing`) is left to whoever carries it out.
 */
export function reconcile(
  stored: readonly StoredPlan[],
  decisions: readonly Decision[],
  now: number,
  lifetimeSeconds: number,
): Reconciled {
  const bySubject = new Map(decisions.map((decision) => [decision.subject, decision]));
  const changed: StoredPlan[] = [];
  const kept: StoredPlan[] = [];
  for (const plan of stored.filter(isOpen)) {
    const next = nextOf(plan, bySubject.get(plan.decision.subject), now);
    if (next === plan) kept.push(plan);
    else changed.push(next);
  }
  const taken = new Set(kept.map(({ decision }) => decision.subject));
  const created = decisions
    .filter(({ subject }) => !taken.has(subject))
    .map((one) => newPlan(one, now, lifetimeSeconds));
  return { changed, created, kept };
}

function nextOf(plan: StoredPlan, decision: Decision | undefined, now: number): StoredPlan {
  if (plan.state === 'applying' || plan.state === 'undoing') return plan;
  if (now >= plan.expiresAt) return moved(plan, 'expired', { at: now, what: 'expired' });
  if (decision === undefined) {
    return moved(plan, 'withdrawn', { at: now, what: 'withdrawn', why: 'what it answered is no longer so' });
  }
  if (fingerprint(decision) === fingerprint(plan.decision)) return plan;
  // Fewer leaked interfaces than were approved are what was approved: the rest is simply left out.
  if (plan.state === 'approved' && decision.action === 'cleanLeakedEnis' && overlap(plan.decision, decision))
    return plan;
  const why = plan.state === 'approved' ? 'the facts changed since it was approved' : 'the facts changed';
  return moved(plan, 'replaced', { at: now, what: 'replaced', why });
}

/** Whether the plan, in the state that it has, is what would be decided now. */
export function stillStands(plan: StoredPlan, decision: Decision, now: number): boolean {
  return nextOf(plan, decision, now) === plan;
}

function overlap(a: Decision, b: Decision): boolean {
  const writes = new Set(b.writes.map((write) => JSON.stringify(write)));
  return isReady(b) && a.writes.some((write) => writes.has(JSON.stringify(write)));
}

/** Whether a person may be asked, or Headroom may act, at all. */
export function isAnswerable({ decision, state }: StoredPlan, now: number, expiresAt: number): boolean {
  return (
    state === 'planned' &&
    now < expiresAt &&
    isAction(decision.action) &&
    decision.mode !== 'observe' &&
    isReady(decision)
  );
}

/** As `headroom plan` prints it. */
export function asDocument({ id, decision, state, createdAt, expiresAt, history }: StoredPlan): DocumentPlan {
  return {
    id,
    state,
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
    ...decision,
    history: history.map(({ at, ...rest }) => ({ at: new Date(at).toISOString(), ...rest })),
  };
}
