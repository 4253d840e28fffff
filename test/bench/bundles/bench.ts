/** Bundles of the functions: what they weigh, and how long they take to load beside what esbuild makes of the same handler by default (goal G7 of docs/performance.md). */
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { parseConfig } from '../../../lambdas/contract/config.ts';
import { CONFIG_FILE_NAME, FUNCTION_NAMES, type FunctionName } from '../../../lambdas/contract/names.ts';
import { type BundleSize, bundleFunction } from '../../../lib/function/bundle.ts';
import { type Compared, compare, type SideSpec } from '../measure.ts';

const ROOT = join(import.meta.dirname, '../../..');
const CONFIG = parseConfig({});
const LOAD = join(import.meta.dirname, 'load.ts');

export interface BundleResult {
  readonly name: FunctionName;
  readonly size: BundleSize;
  readonly defaultBytes: number;
  readonly sides: readonly Compared[];
}

const side = (label: string, file: string, name: FunctionName): SideSpec => ({
  name: label,
  command: process.execPath,
  args: [LOAD, file, name],
});

/** What `esbuild --bundle --platform=node --minify` gives. */
function defaultBundle(name: FunctionName, folder: string): string {
  const outfile = join(folder, 'index.cjs');
  buildSync({
    absWorkingDir: ROOT,
    entryPoints: [`lambdas/handlers/${name}.ts`],
    bundle: true,
    platform: 'node',
    minify: true,
    outfile,
    logLevel: 'error',
    // CommonJS, the default, has none; the handlers find their configuration by it.
    define: { 'import.meta.url': JSON.stringify(`file://${outfile}`), 'import.meta.dirname': JSON.stringify(folder) },
  });
  writeFileSync(join(folder, CONFIG_FILE_NAME), JSON.stringify(CONFIG));
  return outfile;
}

export async function benchBundles(rounds: number): Promise<readonly BundleResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'headroom-bench-'));
  try {
    const results: BundleResult[] = [];
    for (const name of FUNCTION_NAMES.filter((one) => existsSync(join(ROOT, `lambdas/handlers/${one}.ts`)))) {
      const ours = join(folder, name);
      const size = bundleFunction(name, CONFIG, ours);
      const plain = join(folder, `${name}-default`);
      mkdirSync(plain);
      const file = defaultBundle(name, plain);
      const sides = [side('default', file, name), side('ours', join(ours, 'index.mjs'), name)];
      results.push({ name, size, defaultBytes: statSync(file).size, sides: await compare(sides, Math.max(rounds, 9)) });
    }
    return results;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
