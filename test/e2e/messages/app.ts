/** The real stack with the real notify; the functions that measure and react do nothing. The secret of the webhook comes from the environment. */
import { App } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { parseConfig } from '../../../lambdas/contract/config.ts';
import { STACK_NAME } from '../../../lambdas/contract/names.ts';
import { FEATURE_FLAGS } from '../../../lib/flags.ts';
import { bundled } from '../../../lib/headroom-app.ts';
import { HeadroomStack } from '../../../lib/headroom-stack.ts';

const REAL: ReadonlySet<string> = new Set(['cleanup', 'notify']);

const document = { notifications: { slackWebhookSecretArn: process.env.SLACK_SECRET_ARN } };
const app = new App({ analyticsReporting: false, context: FEATURE_FLAGS });
const config = parseConfig(document);
const bundle = bundled(config);
new HeadroomStack(app, STACK_NAME, {
  config,
  code: (name) => (REAL.has(name) ? bundle(name) : Code.fromInline('exports.handler = async () => {};')),
});
app.synth();
