/** The real stack, with the functions whose handlers there are; the others do nothing. A change is up after a second, so that a test need not wait half a minute. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { parseConfig } from '../../../lambdas/contract/config.ts';
import { STACK_NAME } from '../../../lambdas/contract/names.ts';
import { FEATURE_FLAGS } from '../../../lib/flags.ts';
import { bundled } from '../../../lib/headroom-app.ts';
import { HeadroomStack } from '../../../lib/headroom-stack.ts';
import { ROOT } from '../paths.ts';

const document = { schedule: { settle: '1 second' } };
const app = new App({ analyticsReporting: false, context: FEATURE_FLAGS });
const config = parseConfig(document);
const bundle = bundled({ document, config });
new HeadroomStack(app, STACK_NAME, {
  config,
  code: (name) =>
    existsSync(join(ROOT, 'lambdas', 'handlers', `${name}.ts`))
      ? bundle(name)
      : Code.fromInline('exports.handler = async () => {};'),
});
app.synth();
