/** What was given cannot be read as what it should be: the one error that bad input ends in. */
import { HeadroomError } from '../../contract/headroom-error.ts';
import type { Place } from './place.ts';

export const INPUT_ERROR_CODES = [
  /** A folder or file that must be there is not. */
  'NOT_FOUND',
  /** It is there and cannot be read: permission, a folder where a file should be, a loop of links. */
  'UNREADABLE',
  /** A file or list with nothing in it where something must be. */
  'EMPTY',
  /** Bytes that are no UTF-8 text. */
  'ENCODING',
  /** Text that is no JSON, or no YAML where that is allowed. */
  'SYNTAX',
  /** The output of another command. */
  'WRONG_DOCUMENT',
  /** A field that must be there is not. */
  'MISSING_FIELD',
  /** A value of another kind: a number for text, `null` for a list. */
  'WRONG_TYPE',
  /** A value of the right kind that cannot be: a CIDR with host bits, an address that is none. */
  'WRONG_VALUE',
  /** Two parts of the input contradict each other. */
  'CONFLICT',
  /** A place to write to is taken. */
  'EXISTS',
] as const;
export type InputErrorCode = (typeof INPUT_ERROR_CODES)[number];

/** What was there and what should have been, each as a part of a sentence. */
export interface Mismatch {
  /** `"10.0.0.5/24" has host bits set`. */
  readonly found: string;
  /** `an IPv4 CIDR such as 10.0.0.0/24`. */
  readonly expected: string;
}

/**
 * Bad input, in one line: place, what was there, what was expected. Never retryable: the same input fails again.
 *
 * @example `subnets.json: Subnets[3].CidrBlock: "10.0.0.5/24" has host bits set; expected an IPv4 CIDR such as 10.0.0.0/24`
 */
export class InputError extends HeadroomError {
  override readonly name = 'InputError';
  readonly code: InputErrorCode;
  readonly retryable = false;
  /** File name, or the call that answered. */
  readonly source: string;
  /** Path inside the JSON; empty where the file as a whole is meant. */
  readonly path: string;
  readonly found: string;
  readonly expected: string;

  constructor(code: InputErrorCode, place: Place, mismatch: Mismatch, options?: ErrorOptions) {
    super(`${place}: ${mismatch.found}; expected ${mismatch.expected}`, options);
    this.code = code;
    this.source = place.source;
    this.path = place.path;
    this.found = mismatch.found;
    this.expected = mismatch.expected;
  }
}

const LONGEST_QUOTE = 60;

/** A value as it is named in a message: short, and telling its kind. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (typeof value === 'string') {
    return JSON.stringify(value.length > LONGEST_QUOTE ? `${value.slice(0, LONGEST_QUOTE)}...` : value);
  }
  if (typeof value === 'number' || typeof value === 'boolean') return `the ${typeof value} ${value}`;
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (typeof value === 'object') return 'an object';
  return `a ${typeof value}`;
}

/** The error for a value of another kind than expected, or for none. */
export function wrongType(place: Place, value: unknown, expected: string): InputError {
  if (value === undefined) return new InputError('MISSING_FIELD', place, { found: 'is missing', expected });
  return new InputError('WRONG_TYPE', place, { found: `is ${describeValue(value)}`, expected });
}

/** The error for a value of the right kind that cannot be. @param problem goes on from the value: `has host bits set`. */
export function wrongValue(place: Place, value: unknown, problem: string, expected: string): InputError {
  return new InputError('WRONG_VALUE', place, { found: `${describeValue(value)} ${problem}`, expected });
}
