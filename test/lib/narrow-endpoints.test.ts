import { readFileSync } from 'node:fs';
import path from 'node:path';
import { awsEndpointFunctions } from '@aws-sdk/core/client';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { BinaryDecisionDiagram, customEndpointFunctions, decideEndpoint } from '@smithy/core/endpoints';
import { narrowed, neverHolds, type Rules, readRules, writtenRules } from '../../lib/function/narrow-endpoints.ts';

customEndpointFunctions.aws = awsEndpointFunctions;

const CLIENTS = ['s3', 'dynamodb', 'eventbridge'] as const;
type Client = (typeof CLIENTS)[number];

const source = (client: Client) =>
  readFileSync(
    path.join(import.meta.dirname, `../../node_modules/@aws-sdk/client-${client}/dist-es/endpoint/bdd.js`),
    'utf8',
  );

function rulesOf(client: Client): Rules {
  const rules = readRules(source(client));
  if (rules === undefined) throw new Error(`${client}: unknown layout`);
  return rules;
}

/** The endpoint as JSON, or what is said instead. */
function decided({ nodes, root, conditions, results }: Rules, endpointParams: Record<string, unknown>): string {
  const bdd = BinaryDecisionDiagram.from(Int32Array.from(nodes), root, conditions as never, results as never);
  try {
    const { url, ...rest } = decideEndpoint(bdd, { endpointParams: endpointParams as never });
    return JSON.stringify({ url: url.href, ...rest });
  } catch (error) {
    return String(error);
  }
}

/** Every mixture of these. */
function mixtures(choices: Readonly<Record<string, readonly unknown[]>>): readonly Record<string, unknown>[] {
  return Object.entries(choices).reduce<Record<string, unknown>[]>(
    (all, [key, values]) =>
      all.flatMap((one) => values.map((value) => (value === undefined ? one : { ...one, [key]: value }))),
    [{}],
  );
}

const COMMON = {
  Region: [undefined, 'us-east-1', 'eu-central-1', 'cn-north-1', 'us-gov-west-1', 'eu_central'],
  UseFIPS: [false, true],
  UseDualStack: [false, true],
  Endpoint: [undefined, 'http://127.0.0.1:4566', 'https://vpce-1.example.com/base'],
};
const PARAMS: Readonly<Record<Client, Readonly<Record<string, readonly unknown[]>>>> = {
  s3: {
    ...COMMON,
    Bucket: [undefined, 'headroom-snapshots-1', 'headroom.snapshots', 'Upper_Case', 'ab'],
    ForcePathStyle: [false, true],
    Accelerate: [false],
    UseGlobalEndpoint: [false],
    DisableMultiRegionAccessPoints: [false],
    UseArnRegion: [undefined],
  },
  dynamodb: {
    ...COMMON,
    ResourceArn: [undefined, 'headroom-state'],
    AccountId: [undefined, '111122223333'],
    AccountIdEndpointMode: [undefined, 'disabled', 'preferred', 'required'],
  },
  eventbridge: COMMON,
};

// The SDK writes of each name that makes no host, before it says so.
beforeAll(() => void jest.spyOn(console, 'error').mockImplementation(() => {}));
afterAll(() => void jest.restoreAllMocks());

describe.each(CLIENTS)('the narrowed rules of %s', (client) => {
  const whole = rulesOf(client);
  const narrow = narrowed(whole, neverHolds);

  test('lead where the whole ones lead', () => {
    const outcomes = mixtures(PARAMS[client]).map((params) => {
      const wanted = decided(whole, params);
      expect({ params, endpoint: decided(narrow, params) }).toEqual({ params, endpoint: wanted });
      return wanted;
    });
    expect(new Set(outcomes).size).toBeGreaterThan(10);
  });

  test('are fewer, and are read as they were written', () => {
    expect(narrow.nodes.length).toBeLessThan(whole.nodes.length * 0.8);
    expect(readRules(writtenRules(narrow))).toEqual(narrow);
  });
});

describe('a condition that decides nothing', () => {
  const isSet = (name: string, assigned?: string): Rules['conditions'][number] =>
    assigned === undefined ? ['isSet', [{ ref: name }]] : ['isSet', [{ ref: name }], assigned];
  const rules = (conditions: Rules['conditions'], results: Rules['results']): Rules => ({
    nodes: [-1, 1, -1, 1, 100_000_000, 100_000_001, 0, 2, 2],
    root: 3,
    conditions,
    results,
  });

  test('goes away with the value that nobody reads', () => {
    const { nodes, conditions } = narrowed(
      rules(
        [isSet('A', 'a'), isSet('B')],
        [
          ['https://b', {}],
          [-1, 'no'],
        ],
      ),
      neverHolds,
    );
    expect(conditions).toEqual([isSet('B')]);
    expect(nodes).toEqual([-1, 1, -1, 0, 100_000_000, 100_000_001]);
  });

  test.each([
    ['a condition', [isSet('A', 'a'), isSet('a')], 'https://b'],
    ['a template', [isSet('A', 'a'), isSet('B')], 'https://{a}'],
    ['a part of a template', [isSet('A', 'a'), isSet('B')], 'https://{a#host}'],
  ] as const)('stays where %s reads its value', (_, conditions, url) => {
    const whole = rules(conditions, [
      [url, {}],
      [-1, 'no'],
    ]);
    expect(narrowed(whole, neverHolds).conditions).toHaveLength(2);
  });

  test('goes away once the last who read its value has', () => {
    const whole: Rules = {
      nodes: [-1, 1, -1, 2, 100_000_000, 100_000_001, 1, 2, 2, 0, 3, 3],
      root: 4,
      conditions: [isSet('A', 'a'), isSet('a', 'b'), isSet('C')],
      results: [
        ['https://c', {}],
        [-1, 'no'],
      ],
    };
    expect(narrowed(whole, neverHolds).conditions).toEqual([isSet('C')]);
  });
});

test.each(['s3', 'eventbridge'] as const)(
  'those of %s sign for one region: how to sign for many is left out',
  (client) => {
    expect(JSON.stringify(rulesOf(client).results)).toContain('"sigv4a"');
    expect(JSON.stringify(narrowed(rulesOf(client), neverHolds).results)).not.toContain('"sigv4a"');
  },
);

test.each([
  ['no import', source('s3').replace(/^import .*\n/, '')],
  ['another ending', source('s3').replace('BinaryDecisionDiagram.from(', 'makeRules(')],
  ['an opposite for its root', writtenRules({ ...rulesOf('s3'), root: -2 })],
  [
    'an opposite in a node',
    `import { BinaryDecisionDiagram } from "@smithy/core/endpoints";
export const bdd = BinaryDecisionDiagram.from(new Int32Array([-1, 1, -1, 0, -2, 1]), 2, [], []);
`,
  ],
])('a file with %s is not understood', (_, text) => expect(readRules(text)).toBeUndefined());
