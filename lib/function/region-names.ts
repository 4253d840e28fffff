/** The SDK's list of partitions says of each region how it is called, `Europe (Frankfurt)`: two kilobytes that nothing reads. Rules of endpoints ask for a partition's name, suffixes and abilities. */
import type { Plugin } from 'esbuild';
import { rewriteFiles } from './sdk-files.ts';

const PARTITIONS_FILE = /[\\/]@aws-sdk[\\/]core[\\/]dist-es[\\/].*[\\/]aws[\\/]partitions\.js$/;
const OPENING = 'export const partitionsInfo = ';
const CLOSING = /;\s*$/;

/** @returns `undefined` where the file is laid out in another way than we know. */
export function withoutRegionNames(source: string): string | undefined {
  if (!source.startsWith(OPENING) || !CLOSING.test(source)) return undefined;
  let found = 0;
  try {
    const partitions: unknown = JSON.parse(source.slice(OPENING.length).replace(CLOSING, ''), (key, value: unknown) => {
      if (key !== 'description') return value;
      found++;
      return undefined;
    });
    return found === 0 ? undefined : `${OPENING}${JSON.stringify(partitions)};\n`;
  } catch {
    return undefined;
  }
}

/** @param unknown is told of a list that is laid out in another way than we know: the bundle works, and is larger. */
export function regionNames(unknown: (file: string) => void): Plugin {
  return {
    name: 'region-names',
    setup: (build) => rewriteFiles(build, PARTITIONS_FILE, withoutRegionNames, unknown),
  };
}
