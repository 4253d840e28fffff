import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

test('each gap in gaps.md has a test of its number, and each such test a row', () => {
  const here = import.meta.dirname;
  const rows = [...readFileSync(join(here, '..', 'gaps.md'), 'utf8').matchAll(/^\| ([A-Z]{2}\d+)\s*\|/gm)];
  const sources = readdirSync(here).map((name) => readFileSync(join(here, name), 'utf8'));
  const tests = [...sources.join('\n').matchAll(/test\(\s*['"`]([A-Z]{2}\d+) /g)];
  expect(rows.length).toBeGreaterThan(20);
  expect(tests.map((match) => match[1]).sort()).toEqual(rows.map((match) => match[1]).sort());
});
