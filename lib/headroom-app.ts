/** Puts the app together: the configuration, the stack, the checks, the price. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { App, type AppProps, Tags, Validations } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { Config } from '../lambdas/contract/config.ts';
import { type FunctionName, STACK_NAME } from '../lambdas/contract/names.ts';
import { loadConfig } from './configuration/load.ts';
import { costTable, estimate, holdToCeiling } from './cost/estimate.ts';
import { FEATURE_FLAGS } from './flags.ts';
import { bundleFunction } from './function/bundle.ts';
import { HeadroomStack } from './headroom-stack.ts';

/** Bundles are built anew on each synth; equal sources give equal bytes, so nothing is deployed for it. */
const BUNDLES = fileURLToPath(new URL('../.cache/bundles', import.meta.url));

const kilobytes = (bytes: number) => `${Math.round(bytes / 1000)} kB`;

/** The code of a function, bundled with the configuration. */
export function bundled(config: Config, say: (text: string) => void = () => {}) {
  return (name: FunctionName): Code => {
    const directory = path.join(BUNDLES, name);
    const { bytes, bytesAtStart } = bundleFunction(name, config, directory, say);
    say(`${name}: ${kilobytes(bytesAtStart)} loaded at start, ${kilobytes(bytes)} in all`);
    return Code.fromAsset(directory);
  };
}

/**
 * The app of `cdk.json`.
 *
 * @param say - takes what the functions weigh, and the expected cost.
 * @throws ConfigError for a configuration that cannot be used, or costs more than its ceiling.
 */
export function headroomApp(say: (text: string) => void, props?: AppProps): App {
  const app = new App({ analyticsReporting: false, context: FEATURE_FLAGS, ...props });
  const file: unknown = app.node.tryGetContext('config');
  const config = loadConfig(typeof file === 'string' ? file : undefined);
  const stack = new HeadroomStack(app, STACK_NAME, { config, code: bundled(config, say) });
  Tags.of(stack).add('application', 'headroom');
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  const cost = estimate(config, stack.counts);
  say(costTable(cost));
  holdToCeiling(config, cost);
  return app;
}
