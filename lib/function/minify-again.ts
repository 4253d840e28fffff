/**
 * A second pass over what esbuild has made small: it looks at one expression at a time, and SWC's minifier also at what stands around it (values that are used once, statements that become one, what a call's result is never asked for). A twentieth of
 * each function, which is what observe and react are within their limits by.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { minify } from '@swc/core';
import type { Plugin } from 'esbuild';

/** Last of the plugins: changes the files that esbuild wrote, and the sizes in its metafile. Equal files give equal files. */
export const minifiedAgain: Plugin = {
  name: 'minified-again',
  setup: (build) => {
    const { absWorkingDir = '' } = build.initialOptions;
    build.onEnd(async ({ metafile }) => {
      for (const [path, output] of Object.entries(metafile?.outputs ?? {})) {
        const file = join(absWorkingDir, path);
        const { code } = await minify(await readFile(file, 'utf8'), {
          module: true,
          // The second round finds what the first has made possible; the third, next to nothing.
          compress: { module: true, toplevel: true, passes: 2 },
          mangle: { toplevel: true },
          ecma: 2022,
          // As bundle-options.ts has it.
          format: { comments: false, ascii_only: true },
        });
        await writeFile(file, code);
        output.bytes = Buffer.byteLength(code);
      }
    });
  },
};
