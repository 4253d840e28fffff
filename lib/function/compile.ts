/** Compiles one entry as the functions are compiled. Asynchronous, since esbuild's plugins are. */
import { type BuildResult, build } from 'esbuild';
import { bundleOptions } from './bundle-options.ts';
import { lambdaCredentials } from './lambda-credentials.ts';
import { minifiedAgain } from './minify-again.ts';
import { narrowedEndpoints } from './narrow-endpoints.ts';
import { prunedSchemas } from './prune-schemas.ts';
import { regionNames } from './region-names.ts';
import { replacedModules } from './replaced-modules.ts';
import { requiredBuiltins } from './required-builtins.ts';
import { unusedMethods } from './unused-methods.ts';
import { versionsOnly } from './versions-only.ts';

/**
 * @param entry - file, from the root of the project.
 * @param unknownLayout - is told of each file of the SDK that is not as we know it, and was left whole.
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
    plugins: [
      prunedSchemas(unknownLayout),
      narrowedEndpoints(unknownLayout),
      replacedModules(unknownLayout),
      unusedMethods(unknownLayout),
      regionNames(unknownLayout),
      lambdaCredentials,
      versionsOnly,
      requiredBuiltins,
      minifiedAgain,
    ],
  });
}
