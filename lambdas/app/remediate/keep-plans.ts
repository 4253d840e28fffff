/** Keeps the plans of a VPC in step with what is decided now. Also what observe does where nothing may be changed: the plans stand there for all to see. */
import type { Config } from '../../contract/config.ts';
import { DETAIL_TYPES } from '../../contract/event-names.ts';
import type { Decision } from '../../core/remediate/plan.ts';
import { reconcile, type StoredPlan } from '../../core/remediate/stored-plan.ts';
import type { BusEvent, EventBus } from '../../ports/observing.ts';
import type { StateTable } from '../../ports/state-table.ts';
import { type Home, tell } from './events.ts';
import { addPlan, markAnnounced, movePlan } from './plan-book.ts';

export interface Keeping {
  readonly state: StateTable;
  readonly bus: EventBus<BusEvent>;
  readonly home: Home;
  readonly config: Config;
  readonly now: number;
}

/**
 * @param stored every plan of the VPC. @param decisions of a fresh look at it.
 * @returns the open plans afterwards. Plans that the mode keeps to itself (`observe`) are told to nobody.
 */
export async function keepPlans(
  { state, bus, home, config, now }: Keeping,
  stored: readonly StoredPlan[],
  decisions: readonly Decision[],
): Promise<readonly StoredPlan[]> {
  const { changed, created, kept } = reconcile(stored, decisions, now, config.remediation.planLifetime);
  for (const plan of changed) {
    const before = stored.find(({ id }) => id === plan.id);
    const event = plan.history.at(-1);
    if (before === undefined || event === undefined) continue;
    if (before.state === 'approved' && before.decision.mode !== 'observe') {
      const reason = `approved, and not done: ${event.why ?? event.what}`;
      await tell(bus, home, DETAIL_TYPES.remediationRefused, plan, now, { reason });
    }
    await movePlan(state, plan.id, [before.state], plan.state, event);
  }
  for (const plan of created) await addPlan(state, plan);
  const open = [...kept, ...created];
  // The table first, so that a plan which is told of is there; what a crash left untold is told by the next look.
  for (const plan of open) {
    if (plan.announced || plan.decision.mode === 'observe' || plan.state !== 'planned') continue;
    await tell(bus, home, DETAIL_TYPES.remediationPlanned, plan, now, { reason: plan.decision.reason });
    await markAnnounced(state, plan.id);
  }
  return open;
}
