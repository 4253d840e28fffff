/**
 * The SDK's generated schemas, turned into plans for the two directions of a server: request parameters in, XML out.
 *
 * The element and parameter names are the SDK's own data, so the simulator can answer any field that the SDK knows. The arrays are laid out as
 * `@smithy/types` describes its static schemas: `[kind, namespace, name, traits, ...]`, a number for a simple type, a pair for a member with
 * traits, a function for a reference.
 */
import * as ec2 from '@aws-sdk/client-ec2';

export type Plan =
  | { readonly kind: 'text' | 'number' | 'boolean' | 'time' | 'blob' }
  | { readonly kind: 'list'; readonly item: string; readonly of: () => Plan }
  | { readonly kind: 'struct'; readonly members: readonly Member[] };

export interface Member {
  /** Field name in the SDK and in what the AWS CLI prints: `SubnetId`. */
  readonly name: string;
  /** Element name in the answer: `subnetId`. */
  readonly xml: string;
  /** Parameter name in the request: `SubnetId`. */
  readonly query: string;
  readonly plan: () => Plan;
}

export interface Operation {
  readonly name: string;
  readonly input: Plan;
  readonly output: Plan;
}

// Kinds and simple types of the static schemas (`@smithy/types` schema/static-schemas and schema/sentinels).
const LIST = 1;
const STRUCT = 3;
const OPERATION = 9;
const UNIT = 'unit';
const LIST_OF = 64;
const NUMERIC = new Set([1, 17, 19]);
const BOOLEAN = 2;
const TIMES = new Set([4, 5, 6, 7]);
const BLOBS = new Set([21, 42]);

const cache = new Map<unknown, Plan>();

/** The operation of this name, or `undefined` where EC2 has none. */
export function operationOf(action: string): Operation | undefined {
  const schema: unknown = Object.hasOwn(ec2, `${action}$`) ? Reflect.get(ec2, `${action}$`) : undefined;
  if (!Array.isArray(schema) || schema[0] !== OPERATION) return undefined;
  return { name: action, input: planOf(schema[4]), output: planOf(schema[5]) };
}

/** The plan of a schema as the SDK exports it (`Subnet$`) or nests it. */
export function planOf(reference: unknown): Plan {
  const schema = dereference(reference);
  let plan = cache.get(schema);
  if (plan === undefined) {
    plan = build(schema);
    cache.set(schema, plan);
  }
  return plan;
}

function build(schema: unknown): Plan {
  if (typeof schema === 'number') return schema >= LIST_OF ? listOf(schema - LIST_OF, 'item') : simple(schema);
  if (schema === UNIT) return { kind: 'struct', members: [] };
  if (!Array.isArray(schema)) throw new TypeError(`not a schema: ${String(schema)}`);
  if (schema[0] === LIST) return listOf(schema[4], traitsOf(schema[4]).xmlName ?? 'item');
  if (schema[0] === STRUCT) return { kind: 'struct', members: membersOf(schema) };
  return simple(Number(schema[4]));
}

function listOf(member: unknown, item: string): Plan {
  return { kind: 'list', item, of: () => planOf(member) };
}

function simple(code: number): Plan {
  if (NUMERIC.has(code)) return { kind: 'number' };
  if (code === BOOLEAN) return { kind: 'boolean' };
  if (TIMES.has(code)) return { kind: 'time' };
  return { kind: BLOBS.has(code) ? 'blob' : 'text' };
}

function membersOf(schema: readonly unknown[]): Member[] {
  const names = asArray(schema[4]).map(String);
  const members = asArray(schema[5]);
  return names.map((name, index) => {
    const traits = traitsOf(members[index]);
    const xml = traits.xmlName ?? name;
    return { name, xml, query: traits.ec2QueryName ?? capitalised(xml), plan: () => planOf(members[index]) };
  });
}

function traitsOf(member: unknown): { readonly xmlName?: string; readonly ec2QueryName?: string } {
  const traits: unknown = isPair(member) ? member[1] : undefined;
  return typeof traits === 'object' && traits !== null ? traits : {};
}

/** Unwraps `[schema, traits]` and `() => schema` down to the schema itself. */
function dereference(reference: unknown): unknown {
  let schema = reference;
  for (;;) {
    if (typeof schema === 'function') schema = (schema as () => unknown)();
    else if (isPair(schema)) schema = schema[0];
    else return schema;
  }
}

/** A member with traits. A schema of its own starts with its kind and its namespace, so it has more than two parts. */
function isPair(value: unknown): value is readonly [unknown, unknown] {
  return Array.isArray(value) && value.length === 2;
}

function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
