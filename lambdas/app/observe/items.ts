/** The items that observe keeps in the table, by kind: one place knows their types. */
import { HeadroomError } from '../../contract/headroom-error.ts';
import type { ItemKind } from '../../contract/names.ts';
import type { StateTable } from '../../ports/state-table.ts';

/** An item with the version that a write of it must find. */
export interface Item<T> {
  readonly value: T;
  readonly version: number;
}

/** All items of a kind. Their shape is ours: nobody else writes this kind. */
export async function itemsOf<T>(state: StateTable, kind: ItemKind): Promise<ReadonlyMap<string, Item<T>>> {
  return (await state.list(kind)) as ReadonlyMap<string, Item<T>>;
}

export async function itemOf<T>(state: StateTable, kind: ItemKind, subject: string): Promise<Item<T> | undefined> {
  return (await state.get(kind, subject)) as Item<T> | undefined;
}

export function valuesOf<T>(items: ReadonlyMap<string, Item<T>>): ReadonlyMap<string, T> {
  return new Map([...items].map(([subject, { value }]) => [subject, value]));
}

/** Attempts at a write that others keep being first at: with two writers at a time, three are many. */
const ATTEMPTS = 10;

/** Thrown where the table goes on refusing: the run fails, and is tried again. */
export class StateConflict extends HeadroomError {
  override readonly name = 'StateConflict';
  readonly code = 'STATE_CONFLICT';
  readonly retryable = true;
}

/**
 * Reads, decides, writes; where somebody else wrote in between, all of it again.
 *
 * @param decide - gives what to write (`undefined`: nothing) and what to answer.
 * @throws {@link StateConflict}
 */
export async function update<T, R>(
  state: StateTable,
  kind: ItemKind,
  subject: string,
  decide: (value: T | undefined) => { readonly write?: T; readonly answer: R },
): Promise<R> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const item = await itemOf<T>(state, kind, subject);
    const { write, answer } = decide(item?.value);
    if (write === undefined) return answer;
    if (await state.put(kind, subject, write, { expected: item?.version })) return answer;
  }
  throw new StateConflict(`${kind} ${subject}: the table refused ${ATTEMPTS} writes in a row`);
}

/** Writes in flight at once: the table takes thousands a second, the function's memory and sockets are what is spared. */
const IN_FLIGHT = 8;

/** Works on all items, so many at once; an error of one does not keep the others from it. @returns the errors. */
export async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<readonly unknown[]> {
  const errors: unknown[] = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const item = items[next++] as T;
      try {
        await work(item);
      } catch (error) {
        errors.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(IN_FLIGHT, items.length) }, worker));
  return errors;
}
