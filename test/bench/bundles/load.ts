/** Loads a bundled handler in a process of its own: `node load.ts FILE NAME` prints the milliseconds that the import took, as JSON. */
import { variablesToSet } from '../../../lambdas/contract/environment.ts';
import { CONFIG_FILE_NAME, type FunctionName } from '../../../lambdas/contract/names.ts';

const [file, name] = process.argv.slice(2) as [string, FunctionName];
process.env.AWS_REGION = 'us-east-1';
for (const [key, variable] of variablesToSet(name))
  process.env[variable] = key === 'configFile' ? CONFIG_FILE_NAME : 'bench';
const start = performance.now();
await import(file);
process.stdout.write(`${JSON.stringify({ ms: performance.now() - start })}\n`);
process.exit();
