import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { NO_REASON, PAGE_FILE, performancePage } from '../bench/page.ts';
import { readResults } from '../bench/results.ts';

test('docs/performance.md says what was measured', () => {
  expect(readFileSync(PAGE_FILE, 'utf8')).toBe(performancePage(readResults()));
});

test('whatever misses its goal has a reason', () => {
  expect(performancePage(readResults())).not.toContain(NO_REASON);
});
