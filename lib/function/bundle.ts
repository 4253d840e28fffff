/** Makes the code of a function: one ESM file with everything in it, and the configuration beside it. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, buildSync } from 'esbuild';
import { CONFIG_FILE_NAME, type FunctionName } from '../../lambdas/contract/names.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** CommonJS packages inside an ES module ask for Node's own modules by `require`, which an ES module does not have. */
const REQUIRE_FOR_COMMONJS = "import{createRequire}from'node:module';const require=createRequire(import.meta.url);";

/**
 * How each bundle is built. Nothing is left out as external: the SDK that Lambda brings has other versions, and is slower to load.
 * The main fields pick the ES module builds, which alone can be shaken. No time and no absolute path enters the output, so that
 * equal sources give equal bytes and CloudFormation sees no change where there is none.
 */
export function bundleOptions(entry: string): BuildOptions {
  return {
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    minify: true,
    keepNames: false,
    legalComments: 'none',
    sourcemap: false,
    charset: 'utf8',
    banner: { js: REQUIRE_FOR_COMMONJS },
    logLevel: 'warning',
  };
}

/**
 * Builds a function into `directory`, which is emptied first.
 *
 * @returns the size of the code in bytes.
 * @throws when esbuild cannot resolve or parse something.
 */
export function bundleFunction(name: FunctionName, document: unknown, directory: string): number {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const built = buildSync({ ...bundleOptions(`lambdas/handlers/${name}.ts`), write: false });
  const [code] = built.outputFiles ?? [];
  if (code === undefined) throw new Error(`esbuild gave nothing for ${name}`);
  writeFileSync(path.join(directory, 'index.mjs'), code.contents);
  writeFileSync(path.join(directory, CONFIG_FILE_NAME), `${JSON.stringify(document)}\n`);
  return code.contents.byteLength;
}
