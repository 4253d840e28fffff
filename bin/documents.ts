/** Writes what docs/metrics.md and docs/permissions.md take from code: `npm run docs`. A test holds the committed files to this. */
import { readFileSync, writeFileSync } from 'node:fs';
import { App } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { type ConfigDocument, parseConfig } from '../lambdas/contract/config.ts';
import { withPart } from '../lib/documents/markdown.ts';
import { metricTables } from '../lib/documents/metrics-page.ts';
import { permissionTables } from '../lib/documents/permissions-page.ts';
import { FEATURE_FLAGS } from '../lib/flags.ts';
import { HeadroomStack } from '../lib/headroom-stack.ts';

const FOLDER = new URL('../docs/', import.meta.url);

/** A configuration with every action allowed for one cluster: what the remediator's role is made of. */
const ACTING: ConfigDocument = {
  mode: 'propose',
  clusters: { prod: {} },
  remediation: { approvers: ['arn:aws:iam::111122223333:role/on-call'] },
};

function stackOf(document: ConfigDocument): HeadroomStack {
  return new HeadroomStack(new App({ analyticsReporting: false, context: FEATURE_FLAGS }), 'Headroom', {
    config: parseConfig(document),
    code: (name) => Code.fromInline(`export const name = '${name}';`),
  });
}

/** The documents that have a part written from code: file name to the whole text as it should be. */
export function documents(): ReadonlyMap<string, string> {
  const text = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8');
  return new Map([
    ['metrics.md', withPart(text('metrics.md'), 'metrics', metricTables())],
    ['permissions.md', permissions(text('permissions.md'))],
  ]);
}

function permissions(page: string): string {
  const deployed = withPart(page, 'deployed functions', permissionTables(stackOf({})));
  const acting = permissionTables(stackOf(ACTING), (name) => name === 'remediate' || name === 'approve');
  return withPart(deployed, 'acting functions', acting);
}

if (import.meta.main) {
  for (const [name, text] of documents()) writeFileSync(new URL(name, FOLDER), text);
}
