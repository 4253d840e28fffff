/** Builds one function: `node lib/function/build.ts NAME FOLDER` writes its files and prints what they weigh, as JSON. A process of its own, since plugins need esbuild's asynchronous side and synth is synchronous. */
import { build } from 'esbuild';
import { bundleOptions } from './bundle-options.ts';
import { lambdaCredentials } from './lambda-credentials.ts';
import { prunedSchemas } from './prune-schemas.ts';
import { versionsOnly } from './versions-only.ts';

const [name, outdir] = process.argv.slice(2) as [string, string];
const unknownLayouts: string[] = [];
const built = await build({
  ...bundleOptions(`lambdas/handlers/${name}.ts`),
  outdir,
  metafile: true,
  plugins: [prunedSchemas((file) => unknownLayouts.push(file)), lambdaCredentials, versionsOnly],
});
const { outputs } = built.metafile;

/** Bytes of a file and of all that it imports at once. */
function atStart(file: string, counted: Set<string>): number {
  const output = outputs[file];
  if (output === undefined || counted.has(file)) return 0;
  counted.add(file);
  const imported = output.imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path);
  return imported.reduce((sum, path) => sum + atStart(path, counted), output.bytes);
}

const [entry] = Object.entries(outputs).find(([, output]) => output.entryPoint !== undefined) ?? [];
if (entry === undefined) throw new Error(`esbuild gave nothing for ${name}`);
const bytes = Object.values(outputs).reduce((sum, output) => sum + output.bytes, 0);
process.stdout.write(`${JSON.stringify({ bytes, bytesAtStart: atStart(entry, new Set()), unknownLayouts })}\n`);
