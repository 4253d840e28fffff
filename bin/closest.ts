/** Helps with an id that nobody knows: which ones there are, the likeliest first. */
import type { SubnetFacts } from '../lambdas/core/subnet/snapshot.ts';
import { UsageError } from './usage-error.ts';

/** How many are named: more than a reader compares at a glance is no help. */
const SHOWN = 5;
/** Characters of a word that are compared and shown. A tag's value has at most 256; a file may hold anything, and comparing takes the product of both lengths. */
const LONGEST = 256;

function short(word: string): string {
  return word.length <= LONGEST ? word : `${word.slice(0, LONGEST)}...`;
}

export interface Known {
  readonly id: string;
  /** Another word that people know it by. */
  readonly name?: string;
}

/** `there are a (name), b and 3 more`, the most alike first. */
export function closestOf(wanted: string, known: readonly Known[]): string {
  if (known.length === 0) return 'there are none';
  const ranked = known
    .map((item) => ({
      item,
      far: Math.min(distance(short(wanted), short(item.id)), distance(short(wanted), short(item.name ?? item.id))),
    }))
    .sort((a, b) => a.far - b.far || (a.item.id < b.item.id ? -1 : 1))
    .slice(0, SHOWN)
    .map(({ item: { id, name } }) => (name === undefined ? id : `${id} (${short(name)})`));
  const more = known.length - ranked.length;
  return `${known.length === 1 ? 'there is' : 'there are'} ${ranked.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** @throws UsageError no subnet has the id; the message names the closest ones. */
export function requireSubnet(what: string, id: string, subnets: readonly SubnetFacts[]): SubnetFacts {
  const found = subnets.find(({ subnetId }) => subnetId === id);
  if (found !== undefined) return found;
  const known = subnets.map(({ subnetId, tags }): Known => {
    const name = tags.get('Name');
    return name === undefined ? { id: subnetId } : { id: subnetId, name };
  });
  throw new UsageError(`${what}: there is no subnet ${short(id)}; ${closestOf(id, known)}`);
}

/** Edits that turn one word into the other (Levenshtein). Ids and names are short; the words of a whole region take milliseconds. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
