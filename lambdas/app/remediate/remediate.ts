/** remediate: look, plan, and carry out what the mode, a person and every guard allow. One VPC at a time, one run at a time for each. */
import { type Decision, isReady } from '../../core/remediate/plan.ts';
import { placeOfDecision } from '../../core/remediate/plans.ts';
import { cooldownHold, type Hold, limitHold, windowHold } from '../../core/remediate/run-guards.ts';
import { isOpen, type StoredPlan, stillStands } from '../../core/remediate/stored-plan.ts';
import type { RemediateWorld } from '../../ports/remediating.ts';
import { carryOut, VERIFY_RESERVE_MS } from './carry-out.ts';
import { begunToday, lastAction, noteAction, takeSlot } from './counters.ts';
import { keepPlans } from './keep-plans.ts';
import { type Look, look } from './look.ts';
import { allPlans, movePlan } from './plan-book.ts';
import { stopped } from './stopped.ts';
import type { Subject } from './subject.ts';
import { undoPlan } from './undo-plan.ts';
import { lockVpc, type VpcLock } from './vpc-lock.ts';

/** Looks in a row, where others keep asking: the queue brings what is left. */
const MOST_ROUNDS = 3;

export interface RemediateRun {
  /** Of this run alone: holds the locks. */
  readonly id: string;
  readonly vpcIds: readonly string[];
  /** Whether VPCs with an open plan are looked at too. */
  readonly open: boolean;
}

/** What a run shares between its VPCs. */
interface Running {
  readonly world: RemediateWorld;
  readonly subject: Subject;
  readonly run: RemediateRun;
  /** Actions begun in this run. */
  begun: number;
}

/** Rejects where a VPC failed, after the others were looked at: the queue brings the message again. */
export async function remediate(world: RemediateWorld, subject: Subject, run: RemediateRun): Promise<void> {
  const running: Running = { world, subject, run, begun: 0 };
  const vpcIds = [...run.vpcIds, ...(run.open ? vpcsOf(await allPlans(world.state)) : [])];
  const errors: unknown[] = [];
  for (const vpcId of [...new Set(vpcIds)].sort()) {
    try {
      // Ended by Lambda in the middle, a run would hold the VPC until its lease is over.
      if (world.clock.remaining() < VERIFY_RESERVE_MS) throw new Error(`no time left for ${vpcId}`);
      await locked(running, vpcId);
    } catch (error) {
      world.log('error', 'apply', 'a VPC failed', { vpcId, error: String(error) });
      errors.push(error);
    }
  }
  if (errors.length > 0)
    throw new AggregateError(errors, `${errors.length} of ${vpcIds.length} VPCs failed: ${String(errors[0])}`);
}

function vpcsOf(plans: readonly StoredPlan[]): readonly string[] {
  return plans.filter(isOpen).map(({ decision }) => decision.vpcId);
}

async function locked(running: Running, vpcId: string): Promise<void> {
  const { world, run } = running;
  const lock = await lockVpc(world, vpcId, run.id);
  // Whoever holds it was told to look once more: nothing is lost, and nothing is thrown for being busy.
  if (lock === undefined) return;
  for (let round = 1; ; round++) {
    let released = false;
    try {
      await oneRound(running, vpcId, lock);
    } finally {
      released = await lock.release();
    }
    if (released || round >= MOST_ROUNDS) return;
  }
}

async function oneRound(running: Running, vpcId: string, lock: VpcLock): Promise<void> {
  const { world, subject } = running;
  const { config } = subject;
  const stored = (await allPlans(world.state)).filter(({ decision }) => decision.vpcId === vpcId);
  const places = new Set(stored.filter(isOpen).map(({ decision }) => placeOfDecision(decision)));
  const lookNow = () => look(world, subject, vpcId, (place) => places.has(place));
  let seen = await lookNow();
  const { state, bus, clock } = world;
  const open = await keepPlans({ state, bus, home: subject, config, now: clock.now() }, stored, seen.decisions);
  world.log('info', 'plan', 'plans', { vpcId, decisions: seen.decisions.length, open: open.length });
  // What was begun goes first: it is half done.
  const order = ['undoing', 'applying', 'approved', 'planned'];
  const due = open
    .filter((plan) => order.includes(plan.state) && (plan.state !== 'planned' || plan.decision.mode === 'auto'))
    .sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
  let changed = false;
  for (const plan of due) {
    const stop = await stopped(world, subject);
    if (stop !== undefined) {
      world.log('warn', 'apply', 'stopped', { planId: plan.id, ...stop });
      continue;
    }
    // What one plan wrote may leave nothing for the next one to do, or no room to do it in.
    if (changed) seen = await lookNow();
    if (plan.state === 'undoing') {
      await undoPlan(world, subject, lock, plan, seen);
      changed = true;
    } else changed = await oneAction(running, lock, plan, seen);
  }
}

/** @returns whether it was begun or gone on with. */
async function oneAction(running: Running, lock: VpcLock, plan: StoredPlan, seen: Look): Promise<boolean> {
  const { world, subject } = running;
  const fresh = seen.decisions.find(({ subject: name }) => name === plan.decision.subject);
  if (plan.state !== 'applying') {
    if (fresh === undefined || !mayGo(fresh) || !stillStands(plan, fresh, world.clock.now())) return false;
    if (world.clock.remaining() < VERIFY_RESERVE_MS) return false;
    const hold = await holdOf(running, plan);
    if (hold !== undefined) {
      world.log('info', 'apply', 'held', { planId: plan.id, ...hold });
      return false;
    }
    if (!(await begin(running, plan))) return false;
  }
  // One whose guards fail by now is gone on with only as far as it was made already.
  const wanted = fresh !== undefined && mayGo(fresh) ? fresh : undefined;
  const state = await carryOut({ world, subject, lock, plan: { ...plan, state: 'applying' }, fresh: wanted });
  world.log('info', 'verify', 'carried out', { planId: plan.id, state });
  return true;
}

function mayGo(decision: Decision): boolean {
  return isReady(decision) && decision.mode !== 'observe';
}

/** Subject of the cooldown: the place whose nodes an action moves, else the subnet. */
function cooldownSubject({ decision }: StoredPlan): string {
  return decision.action === 'activateStandby'
    ? (placeOfDecision(decision) ?? decision.vpcId)
    : `${decision.action}/${decision.subnetId ?? decision.vpcId}`;
}

async function holdOf({ world, subject, begun }: Running, plan: StoredPlan): Promise<Hold | undefined> {
  const { limits, cooldown, windows } = subject.config.remediation;
  const now = world.clock.now();
  const today = await begunToday(world.state, now);
  return (
    (plan.state === 'planned' ? windowHold(windows, now) : undefined) ??
    limitHold(limits, { thisRun: begun, today }, plan.id) ??
    cooldownHold(await lastAction(world.state, cooldownSubject(plan)), cooldown, plan.id, now)
  );
}

/** Takes the day's slot, starts the cooldown and marks the plan, in this order: a crash in between costs a slot and never makes an action uncounted. */
async function begin(running: Running, plan: StoredPlan): Promise<boolean> {
  const { world, subject } = running;
  const now = world.clock.now();
  if (!(await takeSlot(world.state, now, plan.id, subject.config.remediation.limits.perDay))) return false;
  running.begun++;
  await noteAction(world.state, cooldownSubject(plan), { planId: plan.id, at: now });
  const why = plan.state === 'planned' ? { why: 'the mode is auto' } : {};
  return (
    (await movePlan(world.state, plan.id, [plan.state], 'applying', { at: now, what: 'begun', ...why })) !== undefined
  );
}
