/**
 * Leaves out of the endpoint rules of S3, DynamoDB and EventBridge what nothing of ours leads to: ARNs in the place of names, directory buckets, outposts, object lambdas, acceleration, global endpoints. Four fifths of the rules of S3 are about these.
 *
 * The rules are a decision diagram: conditions, nodes that name a condition and where to go when it holds and when not, results. A condition that is known never to hold is taken out of the diagram, and what cannot be reached any more goes away. So does a condition that decides nothing, since both ways lead to one place, and whose value
 * nothing that is left reads.
 * FIPS and dual-stack endpoints stay, which an environment variable can ask for at any time.
 */
import type { Plugin } from 'esbuild';

const RULES_FILE = /[\\/]@aws-sdk[\\/]client-(?:s3|dynamodb|eventbridge)[\\/]dist-es[\\/]endpoint[\\/]bdd\.js$/;
const OPENING = 'import { BinaryDecisionDiagram } from "@smithy/core/endpoints";\n';

import { rewriteFiles } from './sdk-files.ts';

const CLOSING = 'export const bdd = BinaryDecisionDiagram.from(';

/** From this number on a reference means a result (`@smithy/core`, decideEndpoint.js). */
const RESULT = 100_000_000;
/** A reference to "no endpoint". */
const NOWHERE: ReadonlySet<number> = new Set([1, -1]);

type Condition = readonly [name: string, given: readonly unknown[], assigned?: string];

/** A decision diagram. A node is three numbers: condition, reference when it holds, reference when not; reference `n` is node `n - 1`. */
export interface Rules {
  readonly nodes: readonly number[];
  readonly root: number;
  readonly conditions: readonly Condition[];
  readonly results: readonly unknown[];
}

/** Settings that no client of ours has, and that no operation of ours gives. */
const UNSET: ReadonlySet<string> = new Set([
  'Accelerate',
  'UseGlobalEndpoint',
  'UseObjectLambdaEndpoint',
  'UseS3ExpressControlEndpoint',
  'IsSearchOperation',
  'EndpointId',
]);
/** How the names of the bucket kinds that we do not have begin and end; the region of those who name none; DynamoDB on one's own machine. */
const FOREIGN: ReadonlySet<unknown> = new Set(['--x-s3', '--xa-s3', '--op-s3', 'arn:', 'aws-global', 'local']);

/** Whether a condition never holds, where bucket and table are named by their names and a client has the usual settings. */
export function neverHolds([name, given]: Condition): boolean {
  if (name === 'aws.parseArn') return true;
  if (name === 'stringEquals') return FOREIGN.has(given[1]);
  if (name === 'isSet') return UNSET.has(settingOf(given[0]));
  return name === 'booleanEquals' && given[1] === true && UNSET.has(settingOf(given[0]));
}

/** `Accelerate` of `{ ref: 'Accelerate' }` and of `{ fn: 'coalesce', argv: [{ ref: 'Accelerate' }, false] }`. */
function settingOf(expression: unknown): string {
  const { ref, fn, argv } = expression as { ref?: string; fn?: string; argv?: readonly unknown[] };
  return fn === 'coalesce' ? settingOf(argv?.[0]) : (ref ?? '');
}

/** The rules without what is reached only where a condition holds that never does, nor what decides nothing. */
export function narrowed(rules: Rules, never: (condition: Condition) => boolean): Rules {
  const once = narrowedOnce(rules, never);
  // What went away may have been the last to read a value.
  return once.nodes.length < rules.nodes.length ? narrowed(once, never) : once;
}

function narrowedOnce(rules: Rules, never: (condition: Condition) => boolean): Rules {
  const nodes: number[] = [];
  const conditions: Condition[] = [];
  const results: unknown[] = [];
  const places = new Map<number, number>();
  const conditionPlaces = new Map<number, number>();
  const resultPlaces = new Map<number, number>();
  const placeOf = <T>(at: number, all: readonly T[], kept: T[], known: Map<number, number>): number => {
    const place = known.get(at) ?? kept.push(all[at] as T) - 1;
    known.set(at, place);
    return place;
  };
  const isRead = readsOf(rules);
  const take = (reference: number): number => {
    if (NOWHERE.has(reference)) return reference;
    if (reference >= RESULT) return RESULT + placeOf(reference - RESULT, rules.results, results, resultPlaces);
    const known = places.get(reference);
    if (known !== undefined) return known;
    const [condition, yes, no] = rules.nodes.slice(3 * (reference - 1), 3 * reference) as [number, number, number];
    if (never(rules.conditions[condition] as Condition)) {
      const place = take(no);
      places.set(reference, place);
      return place;
    }
    const [onYes, onNo] = [take(yes), take(no)];
    // Both ways lead to one place, and nothing is assigned on the way that is read there: nothing is decided here.
    const place =
      onYes === onNo && !isRead(rules.conditions[condition]?.[2])
        ? onYes
        : nodes.push(placeOf(condition, rules.conditions, conditions, conditionPlaces), onYes, onNo) / 3 + 1;
    places.set(reference, place);
    return place;
  };
  // Reference 1 means "no endpoint", so the first node, which is never gone to, stays as it is.
  const root = take(rules.root);
  return { nodes: [-1, 1, -1, ...nodes], root, conditions, results };
}

/** Whether a value that a condition assigns is read, as `{ ref: 'name' }` or in a text as `{name}` or `{name#part}`. */
function readsOf({ conditions, results }: Rules): (name: string | undefined) => boolean {
  const text = JSON.stringify([conditions.map(([, given]) => given), results]);
  return (name) =>
    name !== undefined && [`"ref":"${name}"`, `{${name}}`, `{${name}#`].some((one) => text.includes(one));
}

/** @returns `undefined` where the file is laid out in another way than we know. */
export function readRules(source: string): Rules | undefined {
  if (!source.startsWith(OPENING) || source.split(CLOSING).length !== 2) return undefined;
  const body = source.slice(OPENING.length).replace(CLOSING, 'return from(');
  const from = (nodes: Int32Array, root: number, conditions: Condition[], results: unknown[]): Rules => ({
    nodes: [...nodes],
    root,
    conditions,
    results,
  });
  // The SDK's own file, which the bundle would run as well.
  const rules = (new Function('from', body) as (make: typeof from) => Rules)(from);
  // A reference below 0 goes to the opposite of a node, which no rules have so far.
  return [rules.root, ...rules.nodes.slice(3)].every((reference) => reference >= 0) ? rules : undefined;
}

/** Numbers from -2 on down stand for results, which saves six digits each. */
const SHORT = `(n) => n < -1 ? ${RESULT - 2} - n : n`;

/** What several conditions or results have alike is written once. */
export function writtenRules({ nodes, root, conditions, results }: Rules): string {
  const short = nodes.map((reference) => (reference >= RESULT ? RESULT - 2 - reference : reference));
  const times = new Map<string, number>();
  const count = (value: unknown): void => {
    const text = JSON.stringify(value);
    const seen = times.get(text) ?? 0;
    times.set(text, seen + 1);
    // What stands within something that is written once is written once with it.
    if (seen === 0 && typeof value === 'object' && value !== null) Object.values(value).forEach(count);
  };
  count([conditions, results]);
  const consts: string[] = [];
  const names = new Map<string, string>();
  const written = (value: unknown): string => {
    const text = JSON.stringify(value);
    const known = names.get(text);
    if (known !== undefined) return known;
    const whole = within(value, written) ?? text;
    if ((times.get(text) ?? 0) < 2 || text.length < WORTH_A_NAME) return whole;
    const name = `p${names.size}`;
    names.set(text, name);
    consts.push(`const ${name} = ${whole};\n`);
    return name;
  };
  const given = [`Int32Array.from(${JSON.stringify(short)}, ${SHORT})`, root, written(conditions), written(results)];
  return `${OPENING}${consts.join('')}${CLOSING}${given.join(', ')});\n`;
}

/** Characters from which on something that stands twice is shorter with a name. */
const WORTH_A_NAME = 10;

/** An array or object, with what it holds written by `written`; `undefined` of anything else. */
function within(value: unknown, written: (part: unknown) => string): string | undefined {
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return undefined;
  const members = Object.entries(value).map(([key, part]) => `${JSON.stringify(key)}: ${written(part)}`);
  return `{ ${members.join(', ')} }`;
}

/** @param unknown is told of a file of rules that is laid out in another way than we know: the bundle works, and is larger. */
export function narrowedEndpoints(unknown: (file: string) => void): Plugin {
  return {
    name: 'narrowed-endpoints',
    setup: (build) =>
      rewriteFiles(
        build,
        RULES_FILE,
        (source) => {
          const rules = readRules(source);
          return rules === undefined ? undefined : writtenRules(narrowed(rules, neverHolds));
        },
        unknown,
      ),
  };
}
