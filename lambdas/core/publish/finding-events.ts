/** The events that states owe: contract.md 5. */
import { type DetailType, EVENT_SCHEMA_VERSION } from '../../contract/event-names.ts';
import type { FindingDetail } from '../../contract/events.ts';
import type { FindingState } from './finding-state.ts';

/** An event of ours, as the bus takes it. */
export interface FindingEvent {
  readonly type: DetailType;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly detail: FindingDetail;
}

export interface Home {
  readonly account: string;
  readonly region: string;
}

/** The owed event of a state; `undefined` where it owes none. */
export function owedEvent(state: FindingState, { account, region }: Home): FindingEvent | undefined {
  const { owed, finding } = state;
  if (owed === undefined) return undefined;
  const { eniIds, ...rest } = finding;
  return {
    type: owed.type,
    at: owed.at,
    detail: {
      schemaVersion: EVENT_SCHEMA_VERSION,
      id: owed.id,
      account,
      region,
      at: new Date(owed.at).toISOString(),
      finding: eniIds === undefined ? rest : { ...rest, eniIds: [...eniIds] },
      firstSeen: new Date(state.firstSeen).toISOString(),
      lastSeen: new Date(state.lastSeen).toISOString(),
      count: state.count,
      firstScan: owed.firstScan,
      origin: state.origin,
      ...(owed.map === undefined ? {} : { map: [...owed.map] }),
    },
  };
}
