/**
 * Takes Node's own modules by `process.getBuiltinModule` and not by `import`, and of each only the values that are used.
 *
 * To import one, Node makes a list of all that it exports, and for that asks for each value: those that would be loaded when they are first used are loaded then. `node:fs` brings its promises and with them the line editor, `node:util` the worker threads,
 * `node:process` the standard streams, `node:crypto` the web's. That is a fifth of what a small function loads. What esbuild makes of an import from something that was required asks for each as well.
 */
import { isBuiltin } from 'node:module';
import type { Plugin } from 'esbuild';

const NAMESPACE = 'required-builtins';

/** A module with the exports of `names`, each of which is asked for where it is used, and dropped where not. */
export function builtinModule(name: string, names: readonly string[]): string {
  const exported = names
    .filter((one) => one !== 'default')
    .map((one) => `const _${one} = /* @__PURE__ */ (() => builtin.${one})();\nexport { _${one} as ${one} };\n`);
  return `const builtin = process.getBuiltinModule('node:${name}');\nexport default builtin;\n${exported.join('')}`;
}

export const requiredBuiltins: Plugin = {
  name: 'required-builtins',
  setup: (build) => {
    build.onResolve({ filter: /^(?:node:)?[a-z_\d]+(?:\/[a-z_\d]+)?$/ }, ({ path, kind }) =>
      kind === 'import-statement' && isBuiltin(path)
        ? { path: path.replace(/^node:/, ''), namespace: NAMESPACE, sideEffects: false }
        : undefined,
    );
    build.onLoad({ filter: /^/, namespace: NAMESPACE }, async ({ path }) => ({
      contents: builtinModule(path, Object.keys((await import(`node:${path}`)) as object)),
      loader: 'js',
    }));
  },
};
