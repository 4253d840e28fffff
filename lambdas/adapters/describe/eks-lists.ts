/** `eks list-*` where it lists nothing: the only document that says that there is no cluster, node group or add-on. */
import type { Fields } from './fields.ts';

/** Whether the document is the empty answer of `eks list-clusters` and the like. @param key `clusters`. */
export function listsNothing(document: unknown, key: string): boolean {
  if (typeof document !== 'object' || document === null) return false;
  const list = (document as Fields)[key];
  return Array.isArray(list) && list.length === 0;
}
