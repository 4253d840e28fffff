/**
 * Takes Node's own modules by `require` and not by `import`.
 *
 * To import one, Node makes a list of all that it exports, and for that asks for each value: those that would be loaded when they are first used are loaded then. `node:fs` brings its promises and with them the line editor, `node:util` the worker threads,
 * `node:process` the standard streams, `node:crypto` the web's. That is a fifth of what a small function loads.
 */
import { isBuiltin } from 'node:module';
import type { Plugin } from 'esbuild';

const NAMESPACE = 'required-builtins';

export const requiredBuiltins: Plugin = {
  name: 'required-builtins',
  setup: (build) => {
    build.onResolve({ filter: /^(?:node:)?[a-z_\d]+(?:\/[a-z_\d]+)?$/ }, ({ path, kind, namespace }) =>
      kind === 'import-statement' && namespace !== NAMESPACE && isBuiltin(path)
        ? { path: path.replace(/^node:/, ''), namespace: NAMESPACE }
        : undefined,
    );
    build.onLoad({ filter: /^/, namespace: NAMESPACE }, ({ path }) => ({
      contents: `module.exports = require('node:${path}');`,
      loader: 'js',
    }));
  },
};
