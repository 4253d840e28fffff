/** Compiles one entry as the functions are compiled. Asynchronous, since esbuild's plugins are. */
import { type BuildResult, build } from 'esbuild';
import { bundleOptions } from './bundle-options.ts';
import { lambdaCredentials } from './lambda-credentials.ts';
import { prunedSchemas } from './prune-schemas.ts';
import { versionsOnly } from './versions-only.ts';

/**
 * @param entry - file, from the root of the project.
 * @param unknownLayout - is told of each schema file of the SDK that could not be pruned.
 */
export function compile(
  entry: string,
  outdir: string,
  unknownLayout: (file: string) => void,
): Promise<BuildResult<{ metafile: true }>> {
  return build({
    ...bundleOptions(entry),
    outdir,
    metafile: true,
    plugins: [prunedSchemas(unknownLayout), lambdaCredentials, versionsOnly],
  });
}
