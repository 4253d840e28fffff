/** `node compare.ts FOLDER`: makes the calls from source and from a bundle that is compiled into the folder, and prints both outcomes as JSON. A process of its own, since esbuild does not run inside Jest. */
import path from 'node:path';
import { compile } from '../../../lib/function/compile.ts';
import { startAnswers } from './answers.ts';
import { outcomes } from './calls.ts';

const [folder] = process.argv.slice(2) as [string];
const unknown: string[] = [];
await compile('test/lib/pruned/calls.ts', folder, (file) => unknown.push(file));
const bundled = (await import(path.join(folder, 'index.mjs'))) as { readonly outcomes: typeof outcomes };
const { url, server } = await startAnswers();
process.stdout.write(
  JSON.stringify({ unknown, source: await outcomes(url), bundle: await bundled.outcomes(url) }, undefined, 1),
);
server.close();
process.exit();
