import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { type Needed, pruneSchemas } from '../../lib/function/prune-schemas.ts';

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
    expect(arrays).toBe((source.match(/^(?:export )?(?:var|const) [\w$]+ = \[/gm) ?? []).length);
    expect(arrays).toBeGreaterThan(10);
    const shown = (all: Map<string, unknown>) =>
      JSON.stringify([...all], (_, value: unknown) => (typeof value === 'function' ? String(value) : value));
    expect(shown(arraysOf(code))).toBe(shown(arraysOf(source)));
  });
});

describe('errors', () => {
  const kept = (client: string, needed: Needed = {}) =>
    [...pruneSchemas(readFileSync(schemaFile(client), 'utf8'), needed).code.matchAll(/registerError\((\w+)\$/g)].map(
      ([, name]) => name,
    );

  test('that are named on the wire as in the SDK are not registered', () => {
    expect(kept('eventbridge')).toEqual(['EventBridgeServiceException']);
  });

  test('that the query protocol names otherwise are, and those they could be taken for', () => {
    const names = kept('cloudwatch');
    expect(names).toContain('DashboardNotFoundError');
    expect(names).toContain('ResourceNotFound');
    expect(names).not.toContain('LimitExceededException');
  });

  test('are kept of these only where their names are asked for', () => {
    expect(kept('ssm').length).toBeGreaterThan(10);
    expect(kept('ssm', { errorNames: new Set() })).toEqual(['SSMServiceException']);
    const names = kept('sns', { errorNames: new Set(['AuthorizationErrorException', 'ThrottledException']) });
    expect(names).toEqual(['SNSServiceException', 'AuthorizationErrorException', 'ThrottledException']);
  });

  test('that a kept one could be taken for stay', () => {
    const names = kept('cloudwatch', { errorNames: new Set(['DashboardNotFoundError']) });
    expect(names).toEqual(['CloudWatchServiceException', 'DashboardNotFoundError', 'ResourceNotFound']);
  });

  test('that are to be tried again stay', () => {
    const errorClasses =
      'export class Busy extends Base {\n    $retryable = {};\n}\nexport class Gone extends Base {\n}\n';
    const file = ['Busy', 'Gone']
      .map((name) => `export var ${name}$ = [-3, "ns", "${name}", 0, [], []];\nr.registerError(${name}$, ${name});\n`)
      .join('');
    const { code } = pruneSchemas(file, { errorClasses });
    expect(code).toContain('r.registerError(Busy$, Busy)');
    expect(code).not.toContain('r.registerError(Gone$');
  });
});

describe('members', () => {
  const words = new Set(['SubnetId', 'State', 'NextToken', 'Subnets']);
  const source = readFileSync(schemaFile('ec2'), 'utf8');
  const whole = arraysOf(source);
  const narrow = arraysOf(pruneSchemas(source, { words }).code);
  type Structure = readonly [kind: number, ns: string, name: string, traits: unknown, members: string[], of: unknown[]];

  test('that are named stay with what they are, and others go', () => {
    const [, , , , members, of] = narrow.get('Subnet$') as Structure;
    const [, , , , all, targets] = whole.get('Subnet$') as Structure;
    expect(members).toEqual(['SubnetId', 'State']);
    expect(of).toEqual(members.map((name) => targets[all.indexOf(name)]));
    expect((narrow.get('DescribeSubnetsResult$') as Structure)[4]).toEqual(['NextToken', 'Subnets']);
  });

  test('that the SDK fills in stay, however they are marked', () => {
    const tokens = [...whole].flatMap(([shape, value]) => {
      if (!Array.isArray(value)) return [];
      const [kind, , , , members, of] = value as unknown as Structure;
      return kind === 3 ? members.filter((_, index) => String(of[index]) === '0,4').map((name) => [shape, name]) : [];
    });
    expect(tokens.length).toBeGreaterThan(10);
    for (const [shape, name] of tokens) expect((narrow.get(shape as string) as Structure)[4]).toContain(name);
    const marked = `const _iT = 'idempotencyToken';
export var A$ = [3, "ns", "A", 0, ["Bit", "Among", "Word", "Other", "Plain"], [[0, 4], [0, 5], [0, { [_iT]: 1 }], [0, 2], 0]];
`;
    expect((arraysOf(pruneSchemas(marked, { words }).code).get('A$') as Structure)[4]).toEqual([
      'Bit',
      'Among',
      'Word',
    ]);
  });

  test('that must be there stay, and are counted', () => {
    const required = 'export var A$ = [3, "ns", "A", 0, ["Must", "May", "SubnetId"], [0, 1, 2], 1];\n';
    expect(arraysOf(pruneSchemas(required, { words }).code).get('A$')).toEqual([
      3,
      'ns',
      'A',
      0,
      ['Must', 'SubnetId'],
      [0, 2],
      1,
    ]);
  });
});

describe('a file that looks otherwise is left alone', () => {
  test.each([
    ['an array that never ends', 'export var A$ = [3, n0,\n  0\n'],
    ['an array inside another', 'export var A$ = [3,\nvar B$ = [3];\n];\n'],
    ['no array at all', 'export const a = 1;\n'],
    ['a hole in an array', 'export var A$ = [3, , 0];\n'],
    ['a statement of another kind', 'export var A$ = [3, 0];\nif (A$) throw A$;\n'],
    ['what is no JavaScript', 'export var A$ = [3, 0;\n'],
  ])('%s', (_, source) => expect(pruneSchemas(source)).toEqual({ code: source, arrays: 0 }));
});
