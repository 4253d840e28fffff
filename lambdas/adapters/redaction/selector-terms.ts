/** Subnet selectors, whose patterns must go on selecting what they selected, under names that no longer look alike. */
import { matchesTerm } from '../../core/assess/selection/selectors.ts';
import type { SubnetFacts, SubnetSelectorTerm } from '../../core/subnet/snapshot.ts';
import { redactTagKey, redactTagValue } from './known-tags.ts';
import type { Pseudonyms } from './pseudonyms.ts';

/** A value that is a pattern to EC2's filters; `*` alone selects by the key. */
function isPattern(value: string): boolean {
  return value !== '*' && /[*?\\]/.test(value);
}

/** A term as it is written to JSON. */
interface WrittenTerm {
  readonly id?: string;
  readonly tags?: { readonly [key: string]: string };
}

/**
 * The terms that stand for one, ORed as all terms are. A pattern becomes one pattern for each value that it matches; one that matches nothing, a pattern
 * that does the same.
 */
export function redactTerm(
  term: SubnetSelectorTerm,
  subnets: readonly SubnetFacts[],
  names: Pseudonyms,
): readonly WrittenTerm[] {
  const id = term.id === undefined ? {} : { id: names.id(term.id) };
  if (term.tags.size === 0) return [id];
  const patterns = [...term.tags].filter(([, value]) => isPattern(value)).map(([key]) => key);
  const write = (change: (key: string, value: string) => string): WrittenTerm => {
    const tags = [...term.tags].map(([key, value]) => [redactTagKey(key, names), change(key, value)]);
    return { ...id, tags: Object.fromEntries(tags) as { [key: string]: string } };
  };
  if (patterns.length === 0) return [write((key, value) => redactTagValue(key, value, names))];
  const written = new Map<string, WrittenTerm>();
  for (const subnet of subnets) {
    if (!matchesTerm(term, subnet)) continue;
    const one = write((key, value) => {
      const matched = redactTagValue(key, isPattern(value) ? (subnet.tags.get(key) ?? '') : value, names);
      return isPattern(value) ? `${matched}*` : matched;
    });
    written.set(JSON.stringify(one), one);
  }
  const nothing = write((key, value) => (isPattern(value) ? names.pattern(value) : redactTagValue(key, value, names)));
  return written.size === 0 ? [nothing] : [...written.values()];
}
