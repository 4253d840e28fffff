/** How the plugins change files of the SDK: a file that is another than we know stays whole, and is told of. */
import { readFileSync } from 'node:fs';
import type { PluginBuild } from 'esbuild';

/** @returns what stands in the file's place; `undefined` where it is laid out in another way than we know. */
export type Rewrite = (source: string) => string | undefined;

/** @param unknown is told of each file that stays whole: the bundle works, and is larger. */
export function rewriteFiles(
  build: PluginBuild,
  filter: RegExp,
  rewrite: Rewrite,
  unknown: (file: string) => void,
): void {
  build.onLoad({ filter }, ({ path }) => {
    const contents = rewrite(readFileSync(path, 'utf8'));
    if (contents === undefined) unknown(path);
    return contents === undefined ? undefined : { contents, loader: 'js' };
  });
}

/** Finds a file of a package. @param file as it ends, from the package's name on; `*` stands for the rest of a name. */
export function packageFile(file: string): RegExp {
  const end = file.replaceAll('.', '\\.').replaceAll('/', '[\\\\/]').replaceAll('*', '[\\w-]+');
  return new RegExp(`[\\\\/]node_modules[\\\\/]${end}$`);
}
