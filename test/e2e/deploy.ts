import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConfigDocument } from '../../lambdas/contract/config.ts';
import { STACK_NAME } from '../../lambdas/contract/names.ts';
import { CACHE } from './paths.ts';
import { stackOutputs } from './stack-outputs.ts';
import { ACCOUNT, REGION, type Testbed } from './testbed.ts';

/** What to deploy. */
export interface DeployOptions {
  /** Names the folder of the templates; one for each test file. */
  readonly name: string;
  /** The CDK app, as its command line. */
  readonly app: string;
  /** Further arguments of `cdk synth`, and environment of the app. */
  readonly synth?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Where the templates of a name lie: what `cdk destroy` asks for. */
export const templatesOf = (name: string): string => join(CACHE, `${name}.out`);

/** Deploys an app's stack into an empty testbed; gives the outputs of the stack by name. */
export const deploy = async (
  testbed: Testbed,
  { name, app, synth = [], env }: DeployOptions,
): Promise<(output: string) => string> => {
  const out = templatesOf(name);
  await testbed.cdk(['synth', '-q', '--app', app, ...synth, '-o', out], {
    timeoutMs: 180_000,
    ...(env === undefined ? {} : { env }),
  });
  await testbed.cdk(['bootstrap', '--app', out, `aws://${ACCOUNT}/${REGION}`], { timeoutMs: 60_000 });
  await testbed.cdk(['deploy', '--app', out, STACK_NAME, '--require-approval', 'never'], { timeoutMs: 120_000 });
  return stackOutputs(testbed.clients.cloudformation, STACK_NAME);
};

/** Deploys the service as anybody does, from bin/app.ts with a configuration. */
export const deployService = (testbed: Testbed, name: string, config: ConfigDocument) => {
  const file = join(CACHE, `${name}.json`);
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(file, JSON.stringify(config));
  return deploy(testbed, { name, app: 'node bin/app.ts', synth: ['-c', `config=${file}`] });
};
