/** Puts the pages of an input together. */
import { isDeepStrictEqual } from 'node:util';
import { InputError } from '../../core/input/input-error.ts';
import type { Place } from '../../core/input/place.ts';

/** What one document held. */
export interface Page<T> {
  readonly place: Place;
  readonly items: readonly T[];
}

/** Order of ids: by code unit, the same on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Items of all pages by id. A thing that two pages hold counts once, as the later page has it: the list may move while its pages are read. */
export function mergeById<T>(pages: readonly Page<T>[], idOf: (item: T) => string): readonly T[] {
  const byId = new Map<string, T>();
  for (const { items } of pages) for (const item of items) byId.set(idOf(item), item);
  return sorted(byId);
}

/** As {@link mergeById}, for items that numbers are made from. Errors: `CONFLICT` where two pages say different things of one id. */
export function mergeStrictly<T>(pages: readonly Page<T>[], idOf: (item: T) => string): readonly T[] {
  const byId = new Map<string, { readonly item: T; readonly place: Place }>();
  for (const { items, place } of pages) {
    for (const item of items) {
      const id = idOf(item);
      const other = byId.get(id);
      if (other !== undefined && !isDeepStrictEqual(other.item, item)) {
        const found = `says something else of ${id} than ${other.place}`;
        throw new InputError('CONFLICT', place, { found, expected: 'one state of each, all files from one read' });
      }
      byId.set(id, { item, place });
    }
  }
  return sorted(new Map([...byId].map(([id, { item }]) => [id, item])));
}

function sorted<T>(byId: ReadonlyMap<string, T>): readonly T[] {
  return [...byId].sort(([a], [b]) => compare(a, b)).map(([, item]) => item);
}
