import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseConfig } from '../../lambdas/contract/config.ts';
import { variablesToSet } from '../../lambdas/contract/environment.ts';
import { CONFIG_FILE_NAME, FUNCTION_NAMES, type FunctionName } from '../../lambdas/contract/names.ts';
import { bundleFunction } from '../../lib/function/bundle.ts';

/**
 * Kilobytes that a function loads at start, at most: what it has today and a twentieth; observe's and react's are their goals. docs/performance.md says which goal is missed, and why. A new import that costs more than it gives shows here.
 */
const LIMITS: Readonly<Record<FunctionName, number>> = {
  observe: 450,
  react: 300,
  remediate: 430,
  approve: 161,
  notify: 232,
  widget: 259,
  cleanup: 201,
};

/** Node's own modules that a function can do without at start: promises of files, the line editor, workers, the web's crypto, clocks and source maps. */
const NEEDLESS =
  /^NativeModule (?:internal\/fs\/promises|internal\/readline\/interface|worker_threads|internal\/crypto\/webcrypto|perf_hooks|internal\/source_map\/source_map|internal\/util\/parse_args\/parse_args)$/;

/** Prints which modules of Node's an import of the file named in `BUNDLE` has loaded. */
const LOADED =
  'const before = new Set(process.moduleLoadList); import(process.env.BUNDLE).then(() => { const all = process.moduleLoadList.filter((one) => !before.has(one)); console.log(JSON.stringify(all)); process.exit(); });';

function loadedBy(file: string, name: FunctionName): readonly string[] {
  const given = [...variablesToSet(name)].map(([key, variable]) => [
    variable,
    key === 'configFile' ? CONFIG_FILE_NAME : 'bench',
  ]);
  const env = { ...Object.fromEntries(given), AWS_REGION: 'us-east-1', BUNDLE: file } as Record<string, string>;
  return JSON.parse(execFileSync(process.execPath, ['-e', LOADED], { encoding: 'utf8', env })) as string[];
}

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
    const loaded = loadedBy(path.join(directory, name, 'index.mjs'), name);
    expect(loaded).toContain('NativeModule https');
    expect(loaded.filter((one) => NEEDLESS.test(one))).toEqual([]);
  });
});
