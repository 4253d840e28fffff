/** Which subnets a list of selector terms selects, as Karpenter asks EC2 (karpenter-provider-aws `pkg/providers/subnet/subnet.go`, `getFilterSets`). */
import type { SubnetFacts, SubnetSelectorTerm, Tags } from '../../subnet/snapshot.ts';

/** A value that Karpenter turns into a filter on the key alone. */
const ANY_VALUE = '*';

type Tagged = Pick<SubnetFacts, 'subnetId' | 'tags'>;

/** Terms are ORed. */
export function selects(terms: readonly SubnetSelectorTerm[], subnet: Tagged): boolean {
  return terms.some((term) => matchesTerm(term, subnet));
}

/** The selected subnets, in the order given. */
export function selectSubnets<S extends Tagged>(terms: readonly SubnetSelectorTerm[], subnets: readonly S[]): S[] {
  return subnets.filter((subnet) => selects(terms, subnet));
}

/**
 * Conditions of a term are ANDed. An id decides alone: Karpenter sends ids as one filter and refuses a term with tags beside it.
 * A term without conditions selects nothing: Karpenter refuses it, and to EC2 it would mean every subnet.
 */
export function matchesTerm(term: SubnetSelectorTerm, subnet: Tagged): boolean {
  if (isById(term)) return term.id === subnet.subnetId;
  if (term.tags.size === 0) return false;
  for (const [key, value] of term.tags) if (!matchesTag(subnet.tags, key, value)) return false;
  return true;
}

/** Whether the term names one subnet, whatever tags it has. */
export function isById({ id }: SubnetSelectorTerm): boolean {
  return id !== undefined && id !== '';
}

/** Keys are compared exactly, case and all. An empty value matches only a tag whose value is empty. */
function matchesTag(tags: Tags, key: string, wanted: string): boolean {
  const value = tags.get(key);
  if (value === undefined) return false;
  return wanted === ANY_VALUE || matchesFilterValue(wanted, value);
}

/**
 * An EC2 filter value: `*` stands for any text, `?` for one character, a backslash takes the next character as it is
 * (EC2 user guide, "List and filter using the CLI and API"). Case counts.
 */
export function matchesFilterValue(pattern: string, value: string): boolean {
  if (!/[*?\\]/.test(pattern)) return pattern === value;
  // Greedy with one point of return: linear in practice and at worst the product of the lengths, whatever the pattern.
  const parts = filterParts(pattern);
  let part = 0;
  let at = 0;
  let star = -1;
  let resume = 0;
  while (at < value.length) {
    const one = parts[part];
    if (one === ANY) {
      star = part++;
      resume = at;
    } else if (one === ONE || (typeof one === 'string' && one === value[at])) {
      part++;
      at++;
    } else if (star >= 0) {
      part = star + 1;
      at = ++resume;
    } else {
      return false;
    }
  }
  while (parts[part] === ANY) part++;
  return part === parts.length;
}

const ANY = Symbol('any text');
const ONE = Symbol('one character');

function filterParts(pattern: string): readonly (string | symbol)[] {
  const parts: (string | symbol)[] = [];
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i] as string;
    if (char === '*') parts.push(ANY);
    else if (char === '?') parts.push(ONE);
    else if (char === '\\' && i + 1 < pattern.length) parts.push(pattern[++i] as string);
    else parts.push(char);
  }
  return parts;
}

/** The one value that the terms ask of a key, where they all ask for the same and it is no pattern. */
export function exactTagValue(terms: readonly SubnetSelectorTerm[], key: string): string | undefined {
  let found: string | undefined;
  for (const term of terms) {
    const value = term.tags.get(key);
    if (value === undefined) continue;
    if (value === '' || /[*?\\]/.test(value) || (found !== undefined && found !== value)) return undefined;
    found = value;
  }
  return found;
}
