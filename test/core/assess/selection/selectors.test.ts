import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { exactTagValue, matchesFilterValue, selects } from '../../../../lambdas/core/assess/selection/selectors.ts';
import { subnet } from '../../../support/builders.ts';
import { term } from '../../../support/cluster-facts.ts';

const ID = 'subnet-00000000000000001';

describe('which subnets a selector selects', () => {
  test.each([
    ['the id', [term(ID)], {}, true],
    ['another id', [term('subnet-00000000000000002')], {}, false],
    ['key and value', [term({ a: 'x' })], { a: 'x' }, true],
    ['another value', [term({ a: 'x' })], { a: 'y' }, false],
    ['a key of another case', [term({ 'karpenter.sh/discovery': 'x' })], { 'karpenter.sh/Discovery': 'x' }, false],
    ['a value of another case', [term({ a: 'X' })], { a: 'x' }, false],
    ['* for any value', [term({ a: '*' })], { a: 'whatever' }, true],
    ['* for an empty value', [term({ a: '*' })], { a: '' }, true],
    ['* without the key', [term({ a: '*' })], { b: 'x' }, false],
    ['an empty value', [term({ a: '' })], { a: '' }, true],
    ['an empty value, where there is one', [term({ a: '' })], { a: 'x' }, false],
    ['a wildcard inside', [term({ a: 'private-*' })], { a: 'private-1a' }, true],
    ['both conditions of a term', [term({ a: 'x', b: 'y' })], { a: 'x', b: 'y' }, true],
    ['one condition of a term', [term({ a: 'x', b: 'y' })], { a: 'x' }, false],
    ['one of two terms', [term({ a: 'x' }), term({ b: 'y' })], { b: 'y' }, true],
    ['a term without conditions', [term({})], { a: 'x' }, false],
    ['no term at all', [], { a: 'x' }, false],
  ])('%s', (_name, terms, tags, selected) => {
    expect(selects(terms, subnet('10.0.0.0/24', { tags }))).toBe(selected);
  });
});

/** Filter values by the regular expressions of the language, for patterns without a backslash. */
function byRegExp(pattern: string, value: string): boolean {
  const source = pattern
    .replaceAll(/[.+^$(){}|[\]]/g, '\\$&')
    .replaceAll('*', '[^]*')
    .replaceAll('?', '[^]');
  return new RegExp(`^${source}$`).test(value);
}

describe('filter values', () => {
  test.each([
    ['a\\*b', 'a*b', true],
    ['a\\*b', 'axb', false],
    ['a\\?', 'a?', true],
    ['a\\\\b', 'a\\b', true],
    ['a\\', 'a\\', true],
    ['?', '', false],
    ['*', '', true],
  ])('%s and %s', (pattern, value, matches) => {
    expect(matchesFilterValue(pattern, value)).toBe(matches);
  });

  test('mean what a regular expression of the same form means', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 8 });
    const patterns = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '?'), maxLength: 8 });
    fc.assert(
      fc.property(patterns, letters, (pattern, value) => {
        expect(matchesFilterValue(pattern, value)).toBe(byRegExp(pattern, value));
      }),
      { numRuns: 2000 },
    );
  });

  test('take no longer than their lengths allow', () => {
    expect(matchesFilterValue(`${'*a'.repeat(500)}b`, 'a'.repeat(2000))).toBe(false);
  });
});

describe('the one value that terms ask of a key', () => {
  test.each([
    ['the same everywhere', [term({ k: 'x' }), term({ k: 'x', l: 'y' })], 'x'],
    ['two values', [term({ k: 'x' }), term({ k: 'y' })], undefined],
    ['a pattern', [term({ k: 'x*' })], undefined],
    ['any value', [term({ k: '*' })], undefined],
    ['an empty value', [term({ k: '' })], undefined],
    ['another key', [term({ l: 'x' })], undefined],
  ])('%s', (_name, terms, value) => {
    expect(exactTagValue(terms, 'k')).toBe(value);
  });
});
