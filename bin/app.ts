import { ConfigError } from '../lambdas/contract/config-problem.ts';
import { headroomApp } from '../lib/headroom-app.ts';

// Everything for people goes to stderr: `cdk synth` prints the template on stdout.
try {
  headroomApp((text) => process.stderr.write(`${text}\n`)).synth();
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
