import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Config, parseConfig } from '../../contract/config.ts';

/**
 * The configuration that was validated at synth time, from the file beside the bundle.
 *
 * @param file - as in the environment; relative to the directory of this code, which is the bundle's once bundled.
 * @throws ConfigError when the document does not fit the schema of this very version.
 */
export function readBundledConfig(file: string): Config {
  return parseConfig(JSON.parse(readFileSync(path.resolve(import.meta.dirname, file), 'utf8')), file);
}
