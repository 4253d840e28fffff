import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../../contract/config.ts';
import { HeadroomError } from '../../contract/headroom-error.ts';

/** Thrown for a file that lib/function/bundle.ts did not write. Not retryable: it takes a deployment. */
class NotBundled extends HeadroomError {
  override readonly name = 'NotBundled';
  readonly code = 'CONFIG_NOT_BUNDLED';
  readonly retryable = false;
}

/**
 * The configuration as synth read and checked it, from the file beside the bundle. It is not checked again: code and file are made together, by one version of the schema (docs/adr/0040).
 *
 * @param file - as in the environment; relative to the directory of this code, which is the bundle's once bundled.
 * @throws HeadroomError with code `CONFIG_NOT_BUNDLED` for a document as a person writes it, with durations as text or keys left out.
 */
export function readBundledConfig(file: string): Config {
  const config = JSON.parse(readFileSync(path.resolve(import.meta.dirname, file), 'utf8')) as Config;
  const { schedule } = config as { readonly schedule?: { readonly tick?: unknown } };
  if (typeof schedule?.tick !== 'number')
    throw new NotBundled(`${file} holds no configuration as it is read at synth; deploy anew`);
  return config;
}
