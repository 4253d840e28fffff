/** Keeps plans where nothing may be changed, so that anyone can see what would be done; and says where an activation was taken back by others. */
import type { Config } from '../../contract/config.ts';
import type { Finding, FindingCode } from '../../contract/finding.ts';
import { ACTIONS } from '../../contract/modes.ts';
import { ANSWERED_CODES } from '../../contract/plan.ts';
import type { AssessContext } from '../../core/assess/context.ts';
import type { Decision } from '../../core/remediate/plan.ts';
import { revertedActivations } from '../../core/remediate/reverted.ts';
import { planSettings } from '../../core/remediate/settings.ts';
import { isOpen, type StoredPlan } from '../../core/remediate/stored-plan.ts';
import type { ObserveWorld } from '../../ports/observing.ts';
import { keepPlans } from '../remediate/keep-plans.ts';
import { allPlans, undoLedgers } from '../remediate/plan-book.ts';

const ANSWERED: ReadonlySet<FindingCode> = new Set(ANSWERED_CODES);

export interface PlanMemory {
  readonly plans: readonly StoredPlan[];
  /** `ACTIVATION_REVERTED`. */
  readonly reverted: (context: AssessContext) => readonly Finding[];
}

/** What earlier plans did, as far as a scan looks at it. */
export async function planMemory({ state }: ObserveWorld): Promise<PlanMemory> {
  const plans = await allPlans(state);
  const applied = plans.some((plan) => plan.state === 'applied');
  const ledgers = applied ? await undoLedgers(state) : new Map();
  return { plans, reverted: (context) => revertedActivations(context, plans, ledgers) };
}

export interface PlanScan {
  readonly home: { readonly account: string; readonly region: string };
  readonly config: Config;
  readonly context: AssessContext;
  readonly findings: readonly Finding[];
  /** VPCs that were read whole in this scan: plans rest on fresh facts only. */
  readonly vpcIds: readonly string[];
  readonly now: number;
}

/** Where a mode lets Headroom act it is remediate that plans: two planners would undo each other's work. */
export async function publishPlans(world: ObserveWorld, { plans }: PlanMemory, scan: PlanScan): Promise<void> {
  const { config, home, now } = scan;
  if (scan.vpcIds.length === 0 || ACTIONS.some((action) => config.mode[action] !== 'observe')) return;
  const decisions = await decisionsOf(plans, scan);
  for (const vpcId of scan.vpcIds) {
    const mine = (of: { readonly vpcId: string }) => of.vpcId === vpcId;
    const stored = plans.filter(({ decision }) => mine(decision));
    await keepPlans({ state: world.state, bus: world.bus, home, config, now }, stored, decisions.filter(mine));
  }
}

/** Without a finding that a plan answers there is nothing to decide, and the planner, a tenth of what observe would load at a cold start, is not loaded. */
async function decisionsOf(
  plans: readonly StoredPlan[],
  { config, context, findings }: PlanScan,
): Promise<readonly Decision[]> {
  if (!findings.some(({ code }) => ANSWERED.has(code))) return [];
  const { decide, placeOfDecision } = await import('../../core/remediate/plans.ts');
  const open = new Set(plans.filter(isOpen).map(({ decision }) => placeOfDecision(decision)));
  return decide({ context, findings, settings: planSettings(config), open: (place) => open.has(place) });
}
