import type { Reading } from '../subnet/snapshot.ts';

/** What was read of a list, or the part of it that could be; nothing where nobody gave it. Where the difference matters, ask the reading itself. */
export function listOf<T>(reading: Reading<readonly T[]> | undefined): readonly T[] {
  return reading === undefined || reading.state === 'absent' ? [] : reading.value;
}
