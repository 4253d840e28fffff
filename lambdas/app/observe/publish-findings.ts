/** Moves the remembered findings on and tells the bus: state first, event second, so that a crash between them owes the event and the next scan sends it. */
import type { Finding } from '../../contract/finding.ts';
import { type FindingEvent, type Home, owedEvent } from '../../core/publish/finding-events.ts';
import { type FindingState, moveFindings, paid, type ScanOfFindings } from '../../core/publish/finding-state.ts';
import type { ObserveWorld } from '../../ports/observing.ts';
import { forEach, type Item, itemsOf, valuesOf } from './items.ts';

export type FindingItems = ReadonlyMap<string, Item<FindingState>>;

export function findingItems({ state }: ObserveWorld): Promise<FindingItems> {
  return itemsOf<FindingState>(state, 'finding');
}

export interface FindingsPublished {
  readonly raised: number;
  readonly cleared: number;
  readonly errors: readonly unknown[];
}

/** Sends what an earlier run owed, moves the findings, and sends what that owes. Errors are gathered, not thrown: the rest is still told. */
export async function publishFindings(
  world: ObserveWorld,
  home: Home,
  known: FindingItems,
  scan: Omit<ScanOfFindings, 'findings'>,
  findings: readonly Finding[],
): Promise<FindingsPublished> {
  const before = new Map(known);
  const errors: unknown[] = [...(await settle(world, home, before))];
  const moves = moveFindings(valuesOf(before), { ...scan, findings });
  errors.push(
    ...(await forEach([...moves], async ([id, state]) => {
      const item = before.get(id);
      const done = await write(world, id, state, item?.version);
      // Somebody else moved it meanwhile; the next scan sees what they made of it.
      if (!done || state === undefined) before.delete(id);
      else before.set(id, { value: state, version: (item?.version ?? 0) + 1 });
    })),
  );
  const owed = [...before.values()].flatMap(({ value }) => (value.owed === undefined ? [] : [value]));
  errors.push(...(await settle(world, home, before)));
  return {
    raised: owed.filter(({ status }) => status === 'open').length,
    cleared: owed.filter(({ status }) => status === 'cleared').length,
    errors,
  };
}

/** Sends every owed event and strikes out those that the bus took. */
async function settle(
  world: ObserveWorld,
  home: Home,
  items: Map<string, Item<FindingState>>,
): Promise<readonly unknown[]> {
  const events: FindingEvent[] = [];
  for (const { value } of items.values()) {
    const event = owedEvent(value, home);
    if (event !== undefined) events.push(event);
  }
  if (events.length === 0) return [];
  const { taken, errors } = await world.bus.send(events);
  const settled = [...items].filter(([, { value }]) => value.owed !== undefined && taken.has(value.owed.id));
  const failed = await forEach(settled, async ([id, { value, version }]) => {
    const after = paid(value);
    await write(world, id, after, version);
    if (after === undefined) items.delete(id);
    else items.set(id, { value: after, version: version + 1 });
  });
  return [...errors, ...failed];
}

function write(
  { state }: ObserveWorld,
  id: string,
  value: FindingState | undefined,
  version: number | undefined,
): Promise<boolean> {
  if (value !== undefined) return state.put('finding', id, value, { expected: version });
  return version === undefined ? Promise.resolve(true) : state.remove('finding', id, version);
}
