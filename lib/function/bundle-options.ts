/** How each bundle is built. */
import { fileURLToPath } from 'node:url';
import type { BuildOptions } from 'esbuild';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** CommonJS packages inside an ES module ask for Node's own modules by `require`, which an ES module does not have. They ask for nothing else: the rest is bundled. */
export const REQUIRE_FOR_COMMONJS = 'const require=process.getBuiltinModule;';

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
    // What is imported only when it is needed becomes a file of its own beside the entry, and costs a cold start nothing.
    splitting: true,
    outExtension: { '.js': '.mjs' },
    entryNames: 'index',
    chunkNames: '[name]-[hash]',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    minify: true,
    keepNames: false,
    legalComments: 'none',
    sourcemap: false,
    // One byte for each character in memory as well: V8 reads that faster than text in which a single arrow or dash asks for two.
    charset: 'ascii',
    banner: { js: REQUIRE_FOR_COMMONJS },
    logLevel: 'warning',
    // A module that is imported for what it does, and is missing in `sideEffects` of package.json.
    logOverride: { 'ignored-bare-import': 'error' },
  };
}
