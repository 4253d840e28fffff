/** Makes the code of a function: one ESM file with everything in it, and the configuration beside it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { CONFIG_FILE_NAME, type FunctionName } from '../../lambdas/contract/names.ts';
import { ROOT } from './bundle-options.ts';

const BUILD = fileURLToPath(new URL('build.ts', import.meta.url));

/**
 * Builds a function into `directory`, which is emptied first.
 *
 * @param warn - is told, once a file, where the SDK's schemas could not be pruned: the function works, and is larger than it need be.
 * @returns the size of the code in bytes.
 * @throws when esbuild cannot resolve or parse something.
 */
export function bundleFunction(
  name: FunctionName,
  document: unknown,
  directory: string,
  warn: (text: string) => void = (text) => process.stderr.write(`${text}\n`),
): number {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const printed = execFileSync(process.execPath, [BUILD, name, path.join(directory, 'index.mjs')], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { bytes, unknownLayouts } = JSON.parse(printed) as { bytes: number; unknownLayouts: readonly string[] };
  for (const file of unknownLayouts) {
    warn(
      `${name}: ${path.relative(ROOT, file)} is laid out in a way that cannot be pruned; the bundle keeps all of it.`,
    );
  }
  writeFileSync(path.join(directory, CONFIG_FILE_NAME), `${JSON.stringify(document)}\n`);
  return bytes;
}
