import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { pruneSchemas } from '../../lib/function/prune-schemas.ts';

const schemaFile = (client: string) =>
  fileURLToPath(new URL(`../../node_modules/@aws-sdk/client-${client}/dist-es/schemas/schemas_0.js`, import.meta.url));

const CLIENTS = [
  'ec2',
  'eks',
  'cloudwatch',
  'dynamodb',
  'eventbridge',
  's3',
  'sns',
  'sqs',
  'secrets-manager',
  'ssm',
  'cloudtrail',
  'lambda',
];

/** Evaluates the schema arrays of a file, without its imports: thunks are not called, so names need not resolve. */
function arraysOf(code: string): Map<string, unknown> {
  const body = code
    .replaceAll(/^import .*$/gm, '')
    .replaceAll(/^export (?=var|const)/gm, '')
    .replaceAll(/^.*registerError.*$/gm, '')
    .replaceAll(/^.*TypeRegistry.*$/gm, '')
    .replaceAll(/^export \{[^}]*\};?$/gm, '');
  const names = [...code.matchAll(/^(?:export )?var ([\w$]+) = /gm)].map((match) => match[1] as string);
  const values = new Function(
    `const _s_registry = {}, n0_registry = {};\n${body}\nreturn [${names.join(',')}];`,
  )() as unknown[];
  return new Map(names.map((name, index) => [name, values[index]]));
}

describe('every client that a function uses is laid out as expected', () => {
  test.each(CLIENTS)('%s', (client) => {
    const source = readFileSync(schemaFile(client), 'utf8');
    const { code, arrays } = pruneSchemas(source);
    expect(arrays).toBe((source.match(/^(?:export )?var [\w$]+ = \[/gm) ?? []).length);
    expect(arrays).toBeGreaterThan(10);
    const shown = (all: Map<string, unknown>) =>
      JSON.stringify([...all], (_, value: unknown) => (typeof value === 'function' ? String(value) : value));
    expect(shown(arraysOf(code))).toBe(shown(arraysOf(source)));
  });
});

describe('a file that looks otherwise is left alone', () => {
  test.each([
    ['an array that never ends', 'export var A$ = [3, n0,\n  0\n'],
    ['an array inside another', 'export var A$ = [3,\nvar B$ = [3];\n];\n'],
    ['no array at all', 'export const a = 1;\n'],
  ])('%s', (_, source) => expect(pruneSchemas(source)).toEqual({ code: source, arrays: 0 }));
});
