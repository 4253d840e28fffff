/** Makes the code of a function: ES modules with everything in them, and the configuration, as it was read, beside them. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../lambdas/contract/config.ts';
import { CONFIG_FILE_NAME, type FunctionName } from '../../lambdas/contract/names.ts';
import { ROOT } from './bundle-options.ts';

const BUILD = fileURLToPath(new URL('build.ts', import.meta.url));

export interface BundleSize {
  readonly bytes: number;
  readonly bytesAtStart: number;
}

/**
 * Builds a function into `directory`, which is emptied first.
 *
 * @param warn - is told, once a file, where a file of the SDK could not be pruned: the function works, and is larger than it need be.
 * @returns bytes of the code in all, and of what is loaded at start.
 * @throws when esbuild cannot resolve or parse something.
 */
export function bundleFunction(
  name: FunctionName,
  config: Config,
  directory: string,
  warn: (text: string) => void = (text) => process.stderr.write(`${text}\n`),
): BundleSize {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const printed = execFileSync(process.execPath, [BUILD, name, directory], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { unknownLayouts, ...size } = JSON.parse(printed) as BundleSize & { unknownLayouts: readonly string[] };
  for (const file of unknownLayouts) {
    warn(
      `${name}: ${path.relative(ROOT, file)} is not as we know it and cannot be pruned; the bundle keeps all of it.`,
    );
  }
  writeFileSync(path.join(directory, CONFIG_FILE_NAME), `${JSON.stringify(config)}\n`);
  return size;
}
