/** Writes what docs/metrics.md and docs/permissions.md take from code: `npm run docs`. A test holds the committed files to this. */
import { readFileSync, writeFileSync } from 'node:fs';
import { App } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { parseConfig } from '../lambdas/contract/config.ts';
import { withPart } from '../lib/documents/markdown.ts';
import { metricTables } from '../lib/documents/metrics-page.ts';
import { permissionTables } from '../lib/documents/permissions-page.ts';
import { FEATURE_FLAGS } from '../lib/flags.ts';
import { HeadroomStack } from '../lib/headroom-stack.ts';

const FOLDER = new URL('../docs/', import.meta.url);

/** The documents that have a part written from code: file name to the whole text as it should be. */
export function documents(): ReadonlyMap<string, string> {
  const stack = new HeadroomStack(new App({ analyticsReporting: false, context: FEATURE_FLAGS }), 'Headroom', {
    config: parseConfig({}),
    code: (name) => Code.fromInline(`export const name = '${name}';`),
  });
  const text = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8');
  return new Map([
    ['metrics.md', withPart(text('metrics.md'), 'metrics', metricTables())],
    ['permissions.md', withPart(text('permissions.md'), 'deployed functions', permissionTables(stack))],
  ]);
}

if (import.meta.main) {
  for (const [name, text] of documents()) writeFileSync(new URL(name, FOLDER), text);
}
