/**
 * Lets esbuild drop the schemas of calls that nobody makes.
 *
 * An SDK client describes every operation of its service in one file of top-level arrays with computed contents, which no bundler may drop by itself: EC2's alone is half a megabyte in each function, loaded at each cold start. Wrapped in a call that
 * is marked as pure, an array that nothing refers to goes away. The wrapping leans on how the SDK's code generator lays that file out, so a file that looks otherwise is left as it is, and said.
 */
import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';

/** `node_modules/@aws-sdk/client-ec2/dist-es/schemas/schemas_0.js` and its like. */
const SCHEMA_FILE = /[\\/]@aws-sdk[\\/]client-[\w-]+[\\/]dist-es[\\/]schemas[\\/]schemas_\d+\.js$/;

const OPENING = /^((?:export )?var [\w$]+ = )\[/;

export interface Pruned {
  readonly code: string;
  /** Arrays that were wrapped; 0 where the layout is not the one we know. */
  readonly arrays: number;
}

/** Wraps each top-level array of a schema file. A statement that does not end as expected leaves the whole file as it was. */
export function pruneSchemas(source: string): Pruned {
  const lines = source.split('\n');
  let arrays = 0;
  let open = false;
  for (const [index, line] of lines.entries()) {
    const opening = OPENING.exec(line);
    if (opening !== null) {
      if (open) return { code: source, arrays: 0 };
      open = true;
      arrays++;
      lines[index] = `${opening[1]}/* @__PURE__ */ (() => [${line.slice(opening[0].length)}`;
    }
    if (open && /^(?:.*[^;])?\];$/.test(line)) {
      lines[index] = `${(lines[index] as string).slice(0, -1)})();`;
      open = false;
    }
  }
  return open ? { code: source, arrays: 0 } : { code: lines.join('\n'), arrays };
}

/** @param unknown is told of each schema file whose layout is not the one we know: the bundle works, and is larger. */
export function prunedSchemas(unknown: (file: string) => void): Plugin {
  return {
    name: 'pruned-schemas',
    setup: (build) => {
      build.onLoad({ filter: SCHEMA_FILE }, ({ path }) => {
        const { code, arrays } = pruneSchemas(readFileSync(path, 'utf8'));
        if (arrays === 0) unknown(path);
        return { contents: code, loader: 'js' };
      });
    },
  };
}
