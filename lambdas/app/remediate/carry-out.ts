/** Carries out one plan: writes, looks whether it works, and takes it back where it does not and that is safe. */
import { DETAIL_TYPES } from '../../contract/event-names.ts';
import type { PlanState } from '../../contract/plan.ts';
import type { Decision, Write } from '../../core/remediate/plan.ts';
import type { StoredPlan } from '../../core/remediate/stored-plan.ts';
import { undoVerdict } from '../../core/remediate/undo.ts';
import type { RemediateWorld } from '../../ports/remediating.ts';
import { WriteError } from '../../ports/write-error.ts';
import { tell } from './events.ts';
import { movePlan, undoLedger } from './plan-book.ts';
import { type StepContext, settleIntent, step } from './steps.ts';
import { stopped } from './stopped.ts';
import type { Subject } from './subject.ts';
import { anyStands, takeBack } from './take-back.ts';
import { type Verified, verify } from './verify.ts';
import type { VpcLock } from './vpc-lock.ts';

/** Between two writes, milliseconds: EC2 gives calls that write five a second for the whole account (domain.md 2.38), and others need some of them. */
const WRITE_PAUSE_MS = 500;
/** Karpenter looks at subnets every minute (`pkg/controllers/nodeclass/subnet.go`): after that nodes may stand there, and nothing is taken back by itself. */
const CONSUMER_REFRESH_MS = 60_000;
/** Kept back of the function's time for looking whether it works: with less nothing is begun. Milliseconds. */
export const VERIFY_RESERVE_MS = 90_000;

export interface Carrying {
  readonly world: RemediateWorld;
  readonly subject: Subject;
  readonly lock: VpcLock;
  readonly plan: StoredPlan;
  /** The same decision as it is made now; `undefined` where it is no longer made, as after its own writes, or a guard of it fails. */
  readonly fresh: Decision | undefined;
}

/** Carries out a plan in the state `applying`, from wherever an earlier run left it. @returns its last state; `applying` where time ran out or somebody stopped it. */
export async function carryOut(carrying: Carrying): Promise<PlanState> {
  const { world, subject, lock, plan, fresh } = carrying;
  const context: StepContext = { world, lock, planId: plan.id, vpcId: plan.decision.vpcId };
  await settleIntent(context);
  const last = plan.history.at(-1);
  if (last?.what === TAKING_BACK) return takenBack(carrying, last.why ?? '');
  const still = new Set(fresh?.writes.map((write) => JSON.stringify(write)));
  const made: Write[] = [];
  const skipped: string[] = [];
  for (const write of plan.decision.writes) {
    if (world.clock.remaining() < VERIFY_RESERVE_MS) return 'applying';
    if ((await stopped(world, subject)) !== undefined) return 'applying';
    try {
      const outcome = await checkedStep(context, write, still);
      if (outcome.kind === 'skipped') skipped.push(outcome.why);
      else made.push(write);
      if (outcome.kind === 'written') await world.clock.wait(WRITE_PAUSE_MS);
    } catch (error) {
      if (!(error instanceof WriteError) || error.unanswered) throw error;
      const meanwhile = meanwhileOf(write, error.code);
      if (meanwhile !== undefined) {
        await settleIntent(context);
        if (meanwhile === 'done') made.push(write);
        else skipped.push(error.message);
        continue;
      }
      await settleIntent(context);
      return fail(
        carrying,
        error.code,
        `${error.message} (${made.length} of ${plan.decision.writes.length} writes made)`,
      );
    }
  }
  if (made.length === 0)
    return fail(carrying, 'NOTHING_LEFT', `nothing of it is needed any more: ${skipped[0] ?? 'no writes'}`);
  return conclude(carrying, made, skipped);
}

const GONE: ReadonlySet<string> = new Set(['InvalidNetworkInterfaceID.NotFound']);
/** EC2's words for an interface that somebody attached, or a service took. */
const IN_USE: ReadonlySet<string> = new Set([
  'InvalidNetworkInterface.InUse',
  'InvalidParameterValue',
  'OperationNotPermitted',
]);

/** Whether a refusal tells what became of a leaked interface since it was read: others of the plan go on. `undefined`: the plan itself is refused. */
function meanwhileOf(write: Write, code: string): 'done' | 'not wanted' | undefined {
  if (write.kind === 'deleteInterface') {
    if (GONE.has(code)) return 'done';
    return IN_USE.has(code) ? 'not wanted' : undefined;
  }
  return write.kind === 'setTags' && GONE.has(code) ? 'not wanted' : undefined;
}

/** A write that the decision of now no longer holds is made only if it was made already. */
async function checkedStep(context: StepContext, write: Write, still: ReadonlySet<string>) {
  if (still.has(JSON.stringify(write))) return step(context, write);
  return (await isSo(context, write))
    ? ({ kind: 'already-so' } as const)
    : ({ kind: 'skipped', why: 'it is not wanted any more' } as const);
}

async function isSo({ world: { reader } }: StepContext, write: Write): Promise<boolean> {
  switch (write.kind) {
    case 'createReservation':
      return (await reader.reservations(write.subnetId)).has(write.cidr);
    case 'deleteInterface':
      return !(await reader.interfaces([write.eniId])).has(write.eniId);
    case 'setTags': {
      const { resourceId, tags, stamp } = write;
      const now = resourceId.startsWith('eni-')
        ? (await reader.interfaces([resourceId])).get(resourceId)?.tags
        : (await reader.subnetTags([resourceId])).get(resourceId);
      if (now === undefined || (stamp !== undefined && !now.has(stamp))) return false;
      return Object.entries(tags).every(([key, value]) => now.get(key) === value);
    }
  }
}

async function conclude(carrying: Carrying, made: readonly Write[], skipped: readonly string[]): Promise<PlanState> {
  const { world, subject, plan } = carrying;
  const verified = await verify(world, subject, plan.decision, made);
  if (!verified.works) return takenBackOrFailed(carrying, verified);
  const left = skipped.length === 0 ? '' : ` ${skipped.length} left out: ${skipped[0]}.`;
  const reason = `${verified.why}.${left}`;
  const at = world.clock.now();
  await tell(world.bus, subject, DETAIL_TYPES.remediationApplied, plan, at, { reason });
  await movePlan(world.state, plan.id, ['applying'], 'applied', { at, what: 'applied', why: reason });
  return 'applied';
}

/** Taken back where nobody can have acted on it yet; else it stays, and it says so. */
async function takenBackOrFailed(carrying: Carrying, { why, look }: Verified): Promise<PlanState> {
  const { world, plan } = carrying;
  const ledger = await undoLedger(world.state, plan.id);
  const changes = ledger?.changes ?? [];
  if (plan.decision.action !== 'activateStandby' || look === undefined) {
    return fail(carrying, 'NOT_VERIFIED', `${why}; it stays as it is: nothing depends on it`);
  }
  const age = world.clock.now() - (ledger?.at ?? 0);
  if (age >= CONSUMER_REFRESH_MS) {
    return fail(
      carrying,
      'NOT_VERIFIED',
      `${why}; not taken back: ${Math.round(age / 1000)} s after the write nodes may stand there`,
    );
  }
  const verdict = undoVerdict(look.context, plan.decision, changes);
  if (!verdict.safe && verdict.nodes !== 0)
    return fail(carrying, 'NOT_VERIFIED', `${why}; not taken back: ${verdict.why}`);
  // Noted first: who goes on with this would else find the tags gone and write them again.
  const at = world.clock.now();
  await movePlan(world.state, plan.id, ['applying'], 'applying', { at, what: TAKING_BACK, why });
  return takenBack(carrying, why);
}

/** What the history says once it was decided that the plan does not work and is taken back. */
const TAKING_BACK = 'taking back';

/** Takes back, or finds it taken back by a run that died since. */
async function takenBack(carrying: Carrying, why: string): Promise<PlanState> {
  const { world, subject, lock, plan } = carrying;
  if ((await stopped(world, subject)) !== undefined) return 'applying';
  const ledger = await undoLedger(world.state, plan.id);
  const changes = ledger?.changes ?? [];
  const tooLate = world.clock.now() - (ledger?.at ?? 0) >= CONSUMER_REFRESH_MS;
  if (tooLate && (await anyStands(world.reader, changes))) {
    return fail(carrying, 'NOT_VERIFIED', `${why}; not taken back in time: nodes may stand there by now`);
  }
  let done: readonly string[];
  try {
    done = await takeBack(world, lock, changes);
  } catch (error) {
    if (!(error instanceof WriteError) || error.unanswered) throw error;
    return fail(carrying, 'NOT_VERIFIED', `${why}; it could not be taken back: ${error.message}`);
  }
  const reason = `${why}; taken back: ${done.join('; ') || 'nothing was left of it'}`;
  const at = world.clock.now();
  await tell(world.bus, subject, DETAIL_TYPES.remediationFailed, plan, at, { reason, errorCode: 'ROLLED_BACK' });
  await movePlan(
    world.state,
    plan.id,
    ['applying'],
    'rolledBack',
    { at, what: 'rolled back', why: reason },
    'ROLLED_BACK',
  );
  return 'rolledBack';
}

async function fail({ world, subject, plan }: Carrying, errorCode: string, reason: string): Promise<PlanState> {
  const at = world.clock.now();
  world.log('warn', 'apply', 'a plan failed', { planId: plan.id, errorCode, reason });
  await tell(world.bus, subject, DETAIL_TYPES.remediationFailed, plan, at, { reason, errorCode });
  await movePlan(world.state, plan.id, ['applying'], 'failed', { at, what: 'failed', why: reason }, errorCode);
  return 'failed';
}
