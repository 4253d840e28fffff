/** Requests of the EC2 Query protocol: dotted, flattened parameters (`Filter.1.Value.2`) read into the shape that the SDK was given. */
import { Refusal } from '../refusal.ts';
import type { Plan } from './schema.ts';

export type Parameters = Readonly<Record<string, string>>;
/** A request in SDK form: `{Filters: [{Name, Values}], MaxResults}`. */
export type Input = Readonly<Record<string, unknown>>;

interface Node {
  text?: string;
  readonly children: Map<string, Node>;
}

const ENVELOPE = new Set(['Action', 'Version']);

/**
 * Reads the parameters of one call.
 *
 * @throws Refusal `UnknownParameter`: a parameter that the action does not have; `InvalidParameterValue`: a number or boolean that is none.
 */
export function readInput(plan: Plan, parameters: Parameters): Input {
  const root: Node = { children: new Map() };
  for (const [key, text] of Object.entries(parameters)) {
    if (ENVELOPE.has(key)) continue;
    let node = root;
    for (const part of key.split('.')) {
      let child = node.children.get(part);
      if (child === undefined) {
        child = { children: new Map() };
        node.children.set(part, child);
      }
      node = child;
    }
    node.text = text;
  }
  return readStruct(plan, root, '');
}

function readStruct(plan: Plan, node: Node, path: string): Input {
  if (plan.kind !== 'struct') throw unknown(path);
  const members = new Map(plan.members.map((member) => [member.query, member]));
  const input: Record<string, unknown> = {};
  for (const [part, child] of node.children) {
    const member = members.get(part);
    if (member === undefined) throw unknown(join(path, part));
    input[member.name] = readValue(member.plan(), child, join(path, part));
  }
  return input;
}

function readValue(plan: Plan, node: Node, path: string): unknown {
  if (plan.kind === 'struct') return readStruct(plan, node, path);
  if (plan.kind === 'list') {
    const entries = [...node.children].map(([part, child]) => ({ part, index: Number(part), child }));
    for (const entry of entries) if (!Number.isSafeInteger(entry.index)) throw unknown(join(path, entry.part));
    entries.sort((one, other) => one.index - other.index);
    return entries.map((entry) => readValue(plan.of(), entry.child, join(path, entry.part)));
  }
  if (node.text === undefined || node.children.size > 0) throw unknown(path);
  return readSimple(plan, node.text, path);
}

function readSimple(plan: Plan, text: string, path: string): unknown {
  if (plan.kind === 'number') {
    const number = Number(text);
    if (text === '' || Number.isNaN(number)) throw invalid(path, text);
    return number;
  }
  if (plan.kind === 'boolean') {
    if (text !== 'true' && text !== 'false') throw invalid(path, text);
    return text === 'true';
  }
  return text;
}

function join(path: string, part: string): string {
  return path === '' ? part : `${path}.${part}`;
}

function unknown(path: string): Refusal {
  return new Refusal('UnknownParameter', `The parameter ${path} is not recognized`);
}

function invalid(path: string, text: string): Refusal {
  return new Refusal('InvalidParameterValue', `Value (${text}) for parameter ${path} is invalid.`);
}
