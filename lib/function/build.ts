/** Builds one function: `node lib/function/build.ts NAME FILE` writes FILE and prints what it weighs, as JSON. A process of its own, since plugins need esbuild's asynchronous side and synth is synchronous. */
import { build } from 'esbuild';
import { bundleOptions } from './bundle-options.ts';
import { lambdaCredentials } from './lambda-credentials.ts';
import { prunedSchemas } from './prune-schemas.ts';

const [name, outfile] = process.argv.slice(2) as [string, string];
const unknownLayouts: string[] = [];
const built = await build({
  ...bundleOptions(`lambdas/handlers/${name}.ts`),
  outfile,
  metafile: true,
  plugins: [prunedSchemas((file) => unknownLayouts.push(file)), lambdaCredentials],
});
const [output] = Object.values(built.metafile.outputs);
process.stdout.write(`${JSON.stringify({ bytes: output?.bytes ?? 0, unknownLayouts })}\n`);
