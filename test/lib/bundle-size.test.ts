import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { FUNCTION_NAMES, type FunctionName } from '../../lambdas/contract/names.ts';
import { bundleFunction } from '../../lib/function/bundle.ts';

/**
 * Kilobytes that a function loads at start, at most: what it has today and a twentieth. docs/performance.md says which goals these miss, and why. A new import that costs more than it gives shows here.
 */
const LIMITS: Readonly<Record<FunctionName, number>> = {
  observe: 700,
  react: 580,
  remediate: 640,
  approve: 400,
  notify: 335,
  widget: 396,
  cleanup: 340,
};

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'headroom-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

describe('what a function loads at start', () => {
  const built = FUNCTION_NAMES.filter((name) =>
    existsSync(new URL(`../../lambdas/handlers/${name}.ts`, import.meta.url)),
  );
  test.each(built)('%s', (name) => {
    const warnings: string[] = [];
    const { bytesAtStart } = bundleFunction(name, {}, path.join(directory, name), (text) => warnings.push(text));
    expect(warnings).toEqual([]);
    expect(bytesAtStart / 1000).toBeLessThan(LIMITS[name]);
  });
});
