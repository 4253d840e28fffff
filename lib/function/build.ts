/** Builds one function: `node lib/function/build.ts NAME FOLDER` writes its files and prints what they weigh, as JSON. A process of its own, since plugins need esbuild's asynchronous side and synth is synchronous. */
import { compile } from './compile.ts';

const [name, outdir] = process.argv.slice(2) as [string, string];
const unknownLayouts: string[] = [];
const built = await compile(`lambdas/handlers/${name}.ts`, outdir, (file) => unknownLayouts.push(file));
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
