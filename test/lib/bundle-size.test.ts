import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseConfig } from '../../lambdas/contract/config.ts';
import { FUNCTION_NAMES, type FunctionName } from '../../lambdas/contract/names.ts';
import { bundleFunction } from '../../lib/function/bundle.ts';

/**
 * Kilobytes that a function loads at start, at most: what it has today and a twentieth; react's is its goal. docs/performance.md says which goals these miss, and why. A new import that costs more than it gives shows here.
 */
const LIMITS: Readonly<Record<FunctionName, number>> = {
  observe: 523,
  react: 300,
  remediate: 446,
  approve: 171,
  notify: 244,
  widget: 268,
  cleanup: 211,
};

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'headroom-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

describe('what a function loads at start', () => {
  test.each(FUNCTION_NAMES)('%s', (name) => {
    const warnings: string[] = [];
    const { bytesAtStart } = bundleFunction(name, parseConfig({}), path.join(directory, name), (text) =>
      warnings.push(text),
    );
    expect(warnings).toEqual([]);
    expect(bytesAtStart / 1000).toBeLessThan(LIMITS[name]);
  });
});
