/** What every action is given, and how it answers. */
import { Refusal } from '../refusal.ts';
import type { Input } from '../wire/query.ts';
import type { World } from '../world/world.ts';
import type { PageQuirks } from './paging.ts';

export interface Call {
  readonly world: World;
  /** How old a Describe answer is, milliseconds. */
  readonly ageMs: number;
  readonly quirks: PageQuirks;
}

/** Answers one call with a result in SDK form, or throws a Refusal. */
export type Action = (input: Input, call: Call) => object;

/** An action whose input has the SDK's request type: the wire reader made it by that type's own schema. */
export function action<Request extends object>(answer: (input: Partial<Request>, call: Call) => object): Action {
  return (input, call) => answer(input as Partial<Request>, call);
}

/** @throws Refusal `MissingParameter` */
export function required<T>(value: T | undefined, parameter: string): T {
  if (value === undefined) {
    throw new Refusal('MissingParameter', `The request must contain the parameter ${parameter}`);
  }
  return value;
}
