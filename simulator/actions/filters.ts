/** Filters: names ANDed, values ORed, `*` and `?` as wildcards, tags by `tag:KEY` and `tag-key`. */
import type { Filter } from '@aws-sdk/client-ec2';
import { Refusal } from '../refusal.ts';
import type { Tag } from '../world/stored.ts';

/** The values that a resource has under a filter name; none where it lacks the field. */
export type FieldsOf<T> = Readonly<Record<string, (item: T) => readonly (string | number | boolean | undefined)[]>>;

/** Values a filter may have (EC2 user guide, "List and filter your resources"). */
const MAX_VALUES = 200;

/**
 * The test that a list of filters makes.
 *
 * @throws Refusal `InvalidParameterValue`: a filter that the resource does not have; `FilterLimitExceeded`.
 */
export function matcher<T>(
  filters: readonly Filter[] | undefined,
  fields: FieldsOf<T>,
  tagsOf: (item: T) => readonly Tag[] | undefined,
): (item: T) => boolean {
  const tests = (filters ?? []).map((filter) => testOf(filter, fields, tagsOf));
  return (item) => tests.every((test) => test(item));
}

function testOf<T>(
  filter: Filter,
  fields: FieldsOf<T>,
  tagsOf: (item: T) => readonly Tag[] | undefined,
): (item: T) => boolean {
  const name = filter.Name ?? '';
  const values = filter.Values ?? [];
  if (values.length === 0) throw new Refusal('InvalidParameterValue', `The filter '${name}' needs at least one value`);
  if (values.length > MAX_VALUES) {
    throw new Refusal('FilterLimitExceeded', `The maximum number of filter values is ${MAX_VALUES}.`);
  }
  const matches = valueTest(values);
  if (name.startsWith('tag:')) {
    const key = name.slice('tag:'.length);
    return (item) => tagsOf(item)?.some((tag) => tag.Key === key && matches(tag.Value ?? '')) === true;
  }
  if (name === 'tag-key') return (item) => tagsOf(item)?.some((tag) => matches(tag.Key ?? '')) === true;
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (field === undefined) throw new Refusal('InvalidParameterValue', `The filter '${name}' is invalid`);
  return (item) => field(item).some((value) => value !== undefined && matches(String(value)));
}

function valueTest(values: readonly string[]): (text: string) => boolean {
  const exact = new Set(values.filter((value) => !/[*?\\]/.test(value)));
  const patterns = values.filter((value) => !exact.has(value)).map(patternOf);
  return (text) => exact.has(text) || patterns.some((pattern) => pattern.test(text));
}

/** `*` any text, `?` any character, a backslash before either means the character itself. */
function patternOf(value: string): RegExp {
  let source = '';
  for (let i = 0; i < value.length; i++) {
    const char = value.charAt(i);
    if (char === '*') source += '[\\s\\S]*';
    else if (char === '?') source += '[\\s\\S]';
    else if (char === '\\' && i + 1 < value.length) source += literal(value.charAt(++i));
    else source += literal(char);
  }
  return new RegExp(`^${source}$`);
}

function literal(char: string): string {
  return char.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&');
}

/** The values of a filter where all of them are plain ids, by which a search may be narrowed. */
export function plainValues(filters: readonly Filter[] | undefined, name: string): readonly string[] | undefined {
  const filter = filters?.find((candidate) => candidate.Name === name);
  if (filter?.Values === undefined || filter.Values.some((value) => /[*?\\]/.test(value))) return undefined;
  return filter.Values;
}
