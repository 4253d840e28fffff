import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { PAGE_FILE, performancePage, readResults } from '../bench/page.ts';

test('docs/performance.md says what was measured', () => {
  expect(readFileSync(PAGE_FILE, 'utf8')).toBe(performancePage(readResults()));
});
