/** Takes back a plan that a person asked to have undone, or says why not. */
import { DETAIL_TYPES } from '../../contract/event-names.ts';
import type { StoredPlan } from '../../core/remediate/stored-plan.ts';
import { undoVerdict } from '../../core/remediate/undo.ts';
import type { RemediateWorld } from '../../ports/remediating.ts';
import { tell } from './events.ts';
import type { Look } from './look.ts';
import { movePlan, undoLedger } from './plan-book.ts';
import { settleIntent } from './steps.ts';
import type { Subject } from './subject.ts';
import { takeBack } from './take-back.ts';
import type { VpcLock } from './vpc-lock.ts';

export async function undoPlan(
  world: RemediateWorld,
  subject: Subject,
  lock: VpcLock,
  plan: StoredPlan,
  seen: Look,
): Promise<void> {
  await settleIntent({ world, lock, planId: plan.id, vpcId: plan.decision.vpcId });
  const changes = (await undoLedger(world.state, plan.id))?.changes ?? [];
  const verdict = undoVerdict(seen.context, plan.decision, changes);
  const by = plan.history.findLast(({ what }) => what === 'undo asked for')?.by;
  const who = by === undefined ? {} : { by };
  if (!verdict.safe) {
    const at = world.clock.now();
    const told = { reason: `not undone: ${verdict.why}`, errorCode: 'UNDO_REFUSED', ...who };
    await tell(world.bus, subject, DETAIL_TYPES.remediationFailed, plan, at, told);
    await movePlan(world.state, plan.id, ['undoing'], 'applied', { at, what: 'undo refused', why: verdict.why });
    return;
  }
  const done = await takeBack(world, lock, changes);
  const at = world.clock.now();
  const reason = done.length === 0 ? 'nothing of it stood any more' : `taken back: ${done.join('; ')}`;
  await tell(world.bus, subject, DETAIL_TYPES.remediationUndone, plan, at, { reason, ...who });
  await movePlan(world.state, plan.id, ['undoing'], 'undone', { at, what: 'undone', why: reason });
}
