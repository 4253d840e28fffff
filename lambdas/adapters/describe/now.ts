/** `now.json`: the time to reason with. */
import type { Place } from '../../core/input/place.ts';
import { looksLike } from './documents.ts';
import { asObject, asTime, wrongDocument } from './fields.ts';

/** Epoch milliseconds of `{"now": ISO time}`. */
export function decodeNow(document: unknown, place: Place): number {
  const expected = '{"now": ISO time}';
  const fields = asObject(document, place, expected);
  if (fields.now === undefined) throw wrongDocument(place, looksLike(fields), expected);
  return asTime(fields.now, place.at('now'));
}
