/** Writes the JSON Schemas of the public documents into docs/schema: `npm run schema`. A test holds the committed files to this. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { toJSONSchema } from 'zod';
import { checksJsonSchema } from '../lambdas/contract/checks-document.ts';
import { configSchema } from '../lambdas/contract/config.ts';
import { diffJsonSchema } from '../lambdas/contract/diff-document.ts';
import { documentJsonSchema } from '../lambdas/contract/document.ts';

const FOLDER = new URL('../docs/schema/', import.meta.url);

/** File name to text, each ended by a line feed. */
export function schemaFiles(): ReadonlyMap<string, string> {
  const text = (schema: object) => `${JSON.stringify(schema, null, 2)}\n`;
  return new Map([
    ['checks.json', text(checksJsonSchema())],
    ['config.json', text(toJSONSchema(configSchema, { io: 'input' }))],
    ['diff.json', text(diffJsonSchema())],
    ['document.json', text(documentJsonSchema())],
  ]);
}

if (import.meta.main) {
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, text] of schemaFiles()) writeFileSync(new URL(name, FOLDER), text);
}
