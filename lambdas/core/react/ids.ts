/** Ids of EC2 inside texts and requests: eight hex digits (before 2018) or seventeen. */
import { textsIn } from './json.ts';

const SUBNET = /\bsubnet-(?:[0-9a-f]{17}|[0-9a-f]{8})(?![0-9a-f])/g;
const ENI = /\beni-(?:[0-9a-f]{17}|[0-9a-f]{8})(?![0-9a-f])/g;
const INSTANCE = /^i-(?:[0-9a-f]{17}|[0-9a-f]{8})$/;

/** Subnets named anywhere in a value, each once, in the order in which they are named. */
export function subnetIdsIn(value: unknown): readonly string[] {
  return idsIn(value, SUBNET);
}

/** Network interfaces named anywhere in a value, each once. */
export function eniIdsIn(value: unknown): readonly string[] {
  return idsIn(value, ENI);
}

/** Whether an instance was launched: an answer that names one. */
export function namesInstance(value: unknown): boolean {
  for (const text of textsIn(value)) if (INSTANCE.test(text)) return true;
  return false;
}

function idsIn(value: unknown, pattern: RegExp): readonly string[] {
  const ids = new Set<string>();
  for (const text of textsIn(value)) for (const [id] of text.matchAll(pattern)) ids.add(id);
  return [...ids];
}
