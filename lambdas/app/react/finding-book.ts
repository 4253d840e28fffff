/** The findings in the table, which scans keep too: state first, event second, so that a crash between them owes the event and whoever comes next sends it. */
import { SERVICE_ITEMS } from '../../contract/names.ts';
import type { ScanState } from '../../core/observe/scan-lock.ts';
import { type Home, owedEvent } from '../../core/publish/finding-events.ts';
import type { FindingState } from '../../core/publish/finding-state.ts';
import { paid } from '../../core/publish/finding-state.ts';
import { reactTo } from '../../core/react/reaction.ts';
import type { EventBus } from '../../ports/observing.ts';
import type { FindingBook, Sighting } from '../../ports/reacting.ts';
import type { StateTable } from '../../ports/state-table.ts';
import { forEach, itemOf, StateConflict } from '../observe/items.ts';

export interface BookOptions {
  readonly state: StateTable;
  readonly bus: EventBus;
  readonly home: Home;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Attempts at a write that others keep being first at. */
const ATTEMPTS = 10;

export function findingBook(options: BookOptions): FindingBook {
  return {
    async note(sightings) {
      const scan = await itemOf<ScanState>(options.state, 'service', SERVICE_ITEMS.scan);
      const moment = { now: options.now(), scans: scan?.value.count ?? 0 };
      const errors = new Map<string, unknown>();
      await forEach(sightings, async (sighting) => {
        try {
          await noteOne(options, sighting, moment);
        } catch (error) {
          errors.set(sighting.finding.id, error);
        }
      });
      return errors;
    },
  };
}

async function noteOne(
  options: BookOptions,
  sighting: Sighting,
  moment: { readonly now: number; readonly scans: number },
): Promise<void> {
  const { state } = options;
  const { id } = sighting.finding;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const item = await itemOf<FindingState>(state, 'finding', id);
    // What an earlier run owes is told first, so that no change is passed over.
    if (item?.value.owed !== undefined) await send(options, item.value);
    const before = item === undefined ? undefined : settled(item.value);
    const after = reactTo(before, sighting, moment) ?? (item?.value.status === 'cleared' ? undefined : before);
    if (after === undefined || after === item?.value) return;
    if (!(await state.put('finding', id, after, { expected: item?.version }))) continue;
    if (after.owed === undefined) return;
    await send(options, after);
    const rest = paid(after);
    // Refused where somebody moved it on meanwhile: they send it once more, under the same id.
    if (rest !== undefined) await state.put('finding', id, rest, { expected: (item?.version ?? 0) + 1 });
    return;
  }
  throw new StateConflict(`finding ${id}: the table refused ${ATTEMPTS} writes in a row`);
}

/** Without what it owed. A cleared finding stays what it is: only its item may go, which is the scan's to do. */
function settled(value: FindingState): FindingState {
  if (value.owed === undefined) return value;
  const { owed: _, ...rest } = value;
  return rest;
}

/** @throws where the bus did not take it; the cause is what kept it. */
async function send({ bus, home }: BookOptions, value: FindingState): Promise<void> {
  const event = owedEvent(value, home);
  if (event === undefined) return;
  const { taken, errors } = await bus.send([event]);
  if (!taken.has(event.detail.id)) throw new Error(`the bus did not take ${event.detail.id}`, { cause: errors[0] });
}
