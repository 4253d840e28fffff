/** The real stack with functions that do nothing, but for cleanup: what the template and the deletion of the stack are tried with. */
import { App } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { parseConfig } from '../../../lambdas/contract/config.ts';
import { STACK_NAME } from '../../../lambdas/contract/names.ts';
import { FEATURE_FLAGS } from '../../../lib/flags.ts';
import { bundled } from '../../../lib/headroom-app.ts';
import { HeadroomStack } from '../../../lib/headroom-stack.ts';

const app = new App({ analyticsReporting: false, context: FEATURE_FLAGS });
const config = parseConfig({});
const bundle = bundled(config);
new HeadroomStack(app, STACK_NAME, {
  config,
  code: (name) => (name === 'cleanup' ? bundle(name) : Code.fromInline('exports.handler = async () => {};')),
});
app.synth();
