/** Takes back a plan that a person asked to have undone, or says why not. */
import { DETAIL_TYPES } from '../../contract/event-names.ts';
import type { StoredPlan } from '../../core/remediate/stored-plan.ts';
import { undoVerdict } from '../../core/remediate/undo.ts';
import type { RemediateWorld } from '../../ports/remediating.ts';
import { WriteError } from '../../ports/write-error.ts';
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
  const failed = async (errorCode: string, what: string, why: string) => {
    const at = world.clock.now();
    const told = { reason: `not undone: ${why}`, errorCode, ...who };
    await tell(world.bus, subject, DETAIL_TYPES.remediationFailed, plan, at, told);
    const before = plan.errorCode === undefined ? 'applied' : 'failed';
    await movePlan(world.state, plan.id, ['undoing'], before, { at, what, why }, plan.errorCode);
  };
  if (!verdict.safe) return failed('UNDO_REFUSED', 'undo refused', verdict.why);
  let done: readonly string[];
  try {
    done = await takeBack(world, lock, changes);
  } catch (error) {
    // EC2's own word that it will not: asked again it would say the same, and every other plan of the VPC would wait behind this one.
    if (!(error instanceof WriteError) || error.unanswered) throw error;
    return failed(error.code, 'undo failed', error.message);
  }
  const at = world.clock.now();
  const reason = done.length === 0 ? 'nothing of it stood any more' : `taken back: ${done.join('; ')}`;
  await tell(world.bus, subject, DETAIL_TYPES.remediationUndone, plan, at, { reason, ...who });
  await movePlan(world.state, plan.id, ['undoing'], 'undone', { at, what: 'undone', why: reason });
}
