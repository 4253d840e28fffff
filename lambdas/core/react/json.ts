/** Reads of JSON whose shape nobody guarantees: what is not as expected counts as not there, and nothing throws. */

export type JsonObject = Readonly<Record<string, unknown>>;

export function objectOf(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}

/** A text with something in it. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** The value at the end of a path of keys; inherited names (`constructor`) are none. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let here = value;
  for (const key of path) {
    const holder = objectOf(here);
    if (holder === undefined || !Object.hasOwn(holder, key)) return undefined;
    here = holder[key];
  }
  return here;
}

export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  return textOf(at(value, ...path));
}

/** Values looked at in one event. The largest that EventBridge delivers is 256 KB and holds far fewer. */
const MOST_VALUES = 200_000;

/** Every object inside a value, the value itself first, in document order. A loop with a stack of its own, so that depth is no danger. */
export function* objectsIn(value: unknown): Iterable<JsonObject> {
  for (const inner of valuesIn(value)) {
    const object = objectOf(inner);
    if (object !== undefined) yield object;
  }
}

/** Every text inside a value, in document order. Keys are none. */
export function* textsIn(value: unknown): Iterable<string> {
  for (const inner of valuesIn(value)) if (typeof inner === 'string') yield inner;
}

function* valuesIn(value: unknown): Iterable<unknown> {
  const stack: unknown[] = [value];
  for (let seen = 0; stack.length > 0 && seen < MOST_VALUES; seen++) {
    const here = stack.pop();
    yield here;
    if (typeof here !== 'object' || here === null) continue;
    const inner: unknown[] = Array.isArray(here) ? here : Object.values(here);
    for (let i = inner.length - 1; i >= 0; i--) stack.push(inner[i]);
  }
}

/** A count given as a number or as its text, as EC2's records have both. */
export function countOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

/**
 * The members of a list in any form that CloudTrail gives one: `{items: [...]}`, `{item: [...]}`, `{item: {...}}`, a plain array, one member alone,
 * or the empty text or `null` where there are none.
 */
export function membersOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null || value === '') return [];
  if (Array.isArray(value)) return value as readonly unknown[];
  const holder = objectOf(value);
  if (holder === undefined) return [value];
  if (Object.keys(holder).length === 0) return [];
  const inner = holder.items ?? holder.item ?? holder.member;
  return inner === undefined ? [value] : membersOf(inner);
}
