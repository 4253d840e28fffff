/** `node compare.ts FOLDER`: makes the calls from source and from a bundle that is compiled into the folder, and prints the requests and outcomes of both as JSON. A process of its own, since esbuild does not run inside Jest. */
import path from 'node:path';
import { compile } from '../../../lib/function/compile.ts';
import { startAnswers } from './answers.ts';
import * as calls from './calls.ts';

// As within a function, where a call tells the next what called it.
process.env.AWS_LAMBDA_FUNCTION_NAME = 'headroom-react';
process.env._X_AMZN_TRACE_ID = 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1';

const [folder] = process.argv.slice(2) as [string];
const unknown: string[] = [];
await compile('test/lib/pruned/calls.ts', folder, (file) => unknown.push(file));
const bundled = (await import(path.join(folder, 'index.mjs'))) as typeof calls;
const { url, server } = await startAnswers();
const made = async ({ requests, outcomes }: typeof calls) => ({
  requests: await requests(),
  outcomes: await outcomes(url),
});
const told = JSON.stringify({ unknown, source: await made(calls), bundle: await made(bundled) });
server.close();
// Once it is written: a pipe takes 64 kB at a time. Connections that clients keep would hold the process up.
process.stdout.write(told, () => process.exit());
