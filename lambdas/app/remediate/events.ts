/** The events of contract.md 5 about plans. */

import { type DetailType, EVENT_SCHEMA_VERSION } from '../../contract/event-names.ts';
import type { RemediationDetail } from '../../contract/events.ts';
import type { Action } from '../../contract/modes.ts';
import { isAction } from '../../core/remediate/plan.ts';
import type { StoredPlan } from '../../core/remediate/stored-plan.ts';
import type { BusEvent, EventBus } from '../../ports/observing.ts';

export interface Home {
  readonly account: string;
  readonly region: string;
}

export interface Told {
  readonly reason: string;
  readonly summary?: string;
  readonly by?: string;
  readonly errorCode?: string;
}

/**
 * Tells the bus before the table: after a crash between the two it is told again under the same id, and a receiver drops the repeat.
 *
 * @throws AggregateError where the bus did not take it.
 */
export async function tell(
  bus: EventBus<BusEvent>,
  home: Home,
  type: DetailType,
  plan: StoredPlan,
  at: number,
  told: Told,
): Promise<void> {
  const { decision } = plan;
  if (!isAction(decision.action)) return;
  const detail = detailOf(home, type, plan, decision.action, at, told);
  const { taken, errors } = await bus.send([{ type, at, detail }]);
  if (!taken.has(detail.id)) throw new AggregateError(errors, `the bus did not take ${type} of ${plan.id}`);
}

function detailOf(
  { account, region }: Home,
  type: DetailType,
  { id, decision }: StoredPlan,
  action: Action,
  at: number,
  { reason, summary, by, errorCode }: Told,
): RemediationDetail {
  const { cluster, subnetId, findingIds } = decision;
  return {
    schemaVersion: EVENT_SCHEMA_VERSION,
    // One event of each kind for a plan; of failures one for each code.
    id: [id, type.split(' ').at(-1)?.toLowerCase(), errorCode].filter((part) => part !== undefined).join('/'),
    account,
    region,
    at: new Date(at).toISOString(),
    planId: id,
    findingId: findingIds[0] ?? '',
    action,
    ...(cluster === undefined ? {} : { cluster }),
    ...(subnetId === undefined ? {} : { subnetId }),
    summary: summary ?? decision.summary,
    reason,
    ...(by === undefined ? {} : { by }),
    ...(errorCode === undefined ? {} : { errorCode }),
  };
}
