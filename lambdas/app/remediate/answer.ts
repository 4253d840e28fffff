/** What a person answers to a plan: approve, refuse, undo. The table keeps who, when and what; nothing is changed in EC2 here. */
import type { Config } from '../../contract/config.ts';
import type { DocumentPlan } from '../../contract/document.ts';
import { DETAIL_TYPES } from '../../contract/event-names.ts';
import type { PlanAnswer } from '../../contract/plan.ts';
import { isApprover } from '../../core/remediate/approvers.ts';
import { isAction, isReady } from '../../core/remediate/plan.ts';
import { asDocument, type StoredPlan } from '../../core/remediate/stored-plan.ts';
import type { ApproveWorld } from '../../ports/remediating.ts';
import { type Home, tell } from './events.ts';
import { movePlan, planById, undoLedger } from './plan-book.ts';

export interface AnswerRequest {
  readonly answer: PlanAnswer;
  readonly planId: string;
  /** ARN of the caller, as IAM knows them: never what the caller says of itself. */
  readonly by: string;
  readonly why?: string;
}

/** `FORBIDDEN`: no approver. `NOT_FOUND`: no such plan. `CONFLICT`: the plan is not in a state for it; the message says in which. */
export type Answered =
  | { readonly ok: true; readonly plan: DocumentPlan }
  | { readonly ok: false; readonly code: 'FORBIDDEN' | 'NOT_FOUND' | 'CONFLICT'; readonly message: string };

export async function answerPlan(
  world: ApproveWorld,
  { home, config }: { readonly home: Home; readonly config: Config },
  request: AnswerRequest,
): Promise<Answered> {
  const { answer, planId, by } = request;
  if (!isApprover(config.remediation.approvers, by)) {
    world.log('warn', 'plan', 'an answer of somebody who is no approver', { planId, answer, by });
    return { ok: false, code: 'FORBIDDEN', message: `${by} is not in remediation.approvers` };
  }
  const plan = await planById(world.state, planId);
  if (plan === undefined) return { ok: false, code: 'NOT_FOUND', message: `there is no plan ${planId}` };
  const now = world.clock.now();
  const refusal = refusalOf(plan, answer, now);
  if (refusal !== undefined) return { ok: false, code: 'CONFLICT', message: refusal };
  if (answer === 'undo' && plan.state === 'failed' && !(await wroteAnything(world, planId)))
    return { ok: false, code: 'CONFLICT', message: `${planId} failed before it had changed anything` };
  const next = await noted(world, home, plan, request, now);
  if (next === undefined)
    return { ok: false, code: 'CONFLICT', message: `${planId} was changed by somebody else just now` };
  world.log('info', 'plan', 'answered', { planId, answer, by });
  if (answer !== 'refuse') await world.wake(plan.decision.vpcId);
  return { ok: true, plan: asDocument(next) };
}

/** A plan that failed may have written part of what it wanted, or all of it without the effect: that stands until somebody takes it back. */
async function wroteAnything({ state }: ApproveWorld, planId: string): Promise<boolean> {
  return ((await undoLedger(state, planId))?.changes ?? []).length > 0;
}

/** Why the answer cannot be taken; an answer that was given already is taken again, so that a lost reply does no harm. */
function refusalOf(plan: StoredPlan, answer: PlanAnswer, now: number): string | undefined {
  const { id, state, decision, expiresAt } = plan;
  if (answer === 'undo') {
    return ['applied', 'failed', 'undoing'].includes(state)
      ? undefined
      : `${id} is ${state}: only what was applied can be undone`;
  }
  if (answer === 'refuse') {
    return ['planned', 'approved', 'refused'].includes(state)
      ? undefined
      : `${id} is ${state}: it can no longer be refused`;
  }
  if (state === 'approved' || state === 'applying') return undefined;
  if (state !== 'planned') return `${id} is ${state}`;
  if (now >= expiresAt) return `${id} expired at ${new Date(expiresAt).toISOString()}`;
  if (!isAction(decision.action)) return `${id} is for a person to do: Headroom does not make it (${decision.action})`;
  if (decision.mode === 'observe') return `the mode of ${decision.action} is observe: nothing is changed`;
  const failed = decision.guards.filter(({ passed }) => !passed).map(({ name, detail }) => `${name} (${detail})`);
  return isReady(decision) ? undefined : `guards failed: ${failed.join('; ')}`;
}

async function noted(
  { state, bus }: ApproveWorld,
  home: Home,
  plan: StoredPlan,
  { answer, by, why }: AnswerRequest,
  at: number,
): Promise<StoredPlan | undefined> {
  const reason = why === undefined ? {} : { why };
  const told = { reason: why ?? `${answer} by a person`, by };
  switch (answer) {
    case 'approve': {
      if (plan.state !== 'planned') return plan;
      await tell(bus, home, DETAIL_TYPES.remediationApproved, plan, at, told);
      return movePlan(state, plan.id, ['planned'], 'approved', { at, what: 'approved', by, ...reason });
    }
    case 'refuse': {
      if (plan.state === 'refused') return plan;
      await tell(bus, home, DETAIL_TYPES.remediationRefused, plan, at, told);
      return movePlan(state, plan.id, ['planned', 'approved'], 'refused', { at, what: 'refused', by, ...reason });
    }
    case 'undo': {
      if (plan.state === 'undoing') return plan;
      // The code stays: by it an undo that is refused knows that the plan had failed.
      const event = { at, what: 'undo asked for', by, ...reason };
      return movePlan(state, plan.id, ['applied', 'failed'], 'undoing', event, plan.errorCode);
    }
  }
}
