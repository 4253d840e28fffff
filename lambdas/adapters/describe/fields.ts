/**
 * Reads fields of documents that other people's tools printed. Each reader takes the object, the key and the object's place, allocates nothing while all is
 * well, and throws an {@link InputError} that names the field.
 *
 * An optional field may be missing or `null`. A list or object that is required may not, and `null` inside a list never may.
 */
import { InputError, wrongType, wrongValue } from '../../core/input/input-error.ts';
import type { Place } from '../../core/input/place.ts';
import { type Cidr, type Ipv4, parseCidr, parseIpv4 } from '../../core/ip/ipv4.ts';

export type Fields = { readonly [key: string]: unknown };

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The object without the keys whose value is `undefined`. */
export function defined<T extends object>(value: T): Defined<T> {
  const kept: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) if (item !== undefined) kept[key] = item;
  return kept as Defined<T>;
}

export function asObject(value: unknown, place: Place, expected = 'an object'): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrongType(place, value, expected);
  return value as Fields;
}

export function asList(value: unknown, place: Place, expected = 'a list'): readonly unknown[] {
  if (!Array.isArray(value)) throw wrongType(place, value, expected);
  return value as readonly unknown[];
}

export function asText(value: unknown, place: Place, expected = 'text'): string {
  if (typeof value !== 'string') throw wrongType(place, value, expected);
  return value;
}

export function objectAt(fields: Fields, key: string, place: Place): Fields {
  const value = fields[key];
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrongType(place.at(key), value, 'an object');
  return value as Fields;
}

export function optionalObjectAt(fields: Fields, key: string, place: Place): Fields | undefined {
  const value = fields[key];
  return value === undefined || value === null ? undefined : objectAt(fields, key, place);
}

const NONE: readonly unknown[] = [];

/** A list that may be missing or `null`, which is an empty one. */
export function optionalListAt(fields: Fields, key: string, place: Place): readonly unknown[] {
  const value = fields[key];
  if (value === undefined || value === null) return NONE;
  if (!Array.isArray(value)) throw wrongType(place.at(key), value, 'a list');
  return value as readonly unknown[];
}

/** Text that must be there and not be empty. */
export function textAt(fields: Fields, key: string, place: Place, expected = 'text'): string {
  const value = fields[key];
  if (typeof value !== 'string') throw wrongType(place.at(key), value, expected);
  if (value === '') throw wrongValue(place.at(key), value, 'is empty', expected);
  return value;
}

export function optionalTextAt(fields: Fields, key: string, place: Place): string | undefined {
  const value = fields[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw wrongType(place.at(key), value, 'text');
  return value;
}

/** A list of text; missing or `null` is an empty one. */
export function textsAt(fields: Fields, key: string, place: Place): readonly string[] {
  const list = optionalListAt(fields, key, place);
  return list.map((item, index) => asText(item, place.at(key).at(index)));
}

/** `true` or `false`; missing or `null` is `false`, which EC2 and EKS leave out. */
export function flagAt(fields: Fields, key: string, place: Place): boolean {
  const value = fields[key];
  if (value === undefined || value === null) return false;
  if (typeof value !== 'boolean') throw wrongType(place.at(key), value, 'true or false');
  return value;
}

export function optionalFlagAt(fields: Fields, key: string, place: Place): boolean | undefined {
  const value = fields[key];
  return value === undefined || value === null ? undefined : flagAt(fields, key, place);
}

const COUNT = 'a whole number, 0 or more';

export function countAt(fields: Fields, key: string, place: Place): number {
  const value = fields[key];
  if (typeof value !== 'number') throw wrongType(place.at(key), value, COUNT);
  if (!Number.isSafeInteger(value) || value < 0) throw wrongValue(place.at(key), value, 'is no count', COUNT);
  return value;
}

export function optionalCountAt(fields: Fields, key: string, place: Place): number | undefined {
  const value = fields[key];
  return value === undefined || value === null ? undefined : countAt(fields, key, place);
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/;
const TIME = 'an ISO time such as 2026-11-30T12:00:00Z';

/** Whether the calendar has the day: `Date.parse` takes 30 February for 2 March. */
function isDay(date: string): boolean {
  const midnight = Date.parse(date);
  return Number.isFinite(midnight) && new Date(midnight).toISOString().startsWith(date);
}

/** ISO time as the command line tools print it, or the `Date` that the SDK makes of it. @returns epoch milliseconds. */
export function asTime(value: unknown, place: Place): number {
  const time =
    value instanceof Date
      ? value.getTime()
      : typeof value === 'string' && ISO_TIME.test(value) && isDay(value.slice(0, 10))
        ? Date.parse(value)
        : undefined;
  if (time !== undefined && Number.isFinite(time)) return time;
  if (typeof value === 'string') throw wrongValue(place, value, 'is no time', TIME);
  if (value instanceof Date) throw wrongValue(place, String(value), 'is no time', TIME);
  throw wrongType(place, value, TIME);
}

export function optionalTimeAt(fields: Fields, key: string, place: Place): number | undefined {
  const value = fields[key];
  return value === undefined || value === null ? undefined : asTime(value, place.at(key));
}

const ADDRESS = 'an IPv4 address such as 10.0.0.4';

export function addressAt(fields: Fields, key: string, place: Place): Ipv4 {
  const value = fields[key];
  if (typeof value !== 'string') throw wrongType(place.at(key), value, ADDRESS);
  const address = parseIpv4(value);
  if (address === undefined) throw wrongValue(place.at(key), value, 'is no IPv4 address', ADDRESS);
  return address;
}

/** An IPv4 block with no host bits, of a length from `shortest` to `longest`. @param example of what is right. */
export function cidrAt(fields: Fields, key: string, place: Place, lengths: CidrLengths): Cidr {
  const value = fields[key];
  const expected = `an IPv4 CIDR such as ${lengths.example}`;
  if (typeof value !== 'string') throw wrongType(place.at(key), value, expected);
  const cidr = parseCidr(value);
  if (cidr === undefined) throw wrongValue(place.at(key), value, cidrProblem(value), expected);
  const { shortest, longest } = lengths;
  if (cidr.length < shortest || cidr.length > longest) {
    const range = shortest === longest ? `/${shortest}` : `/${shortest} to /${longest}`;
    throw wrongValue(
      place.at(key),
      value,
      `is a /${cidr.length}`,
      `a length of ${range}, in a CIDR such as ${lengths.example}`,
    );
  }
  return cidr;
}

export interface CidrLengths {
  readonly shortest: number;
  readonly longest: number;
  readonly example: string;
}

/** Blocks of a VPC and of its subnets are /16 to /28 (Amazon VPC user guide, "VPC CIDR blocks" and "Subnet sizing"). */
export const SUBNET_LENGTHS: CidrLengths = { shortest: 16, longest: 28, example: '10.0.0.0/24' };
/** Prefixes that an interface holds are exactly /28 (EC2 user guide, "Prefix delegation for Amazon EC2 network interfaces"). */
export const PREFIX_LENGTHS: CidrLengths = { shortest: 28, longest: 28, example: '10.0.0.16/28' };
/** A reservation may have any length; /31 has been created. */
export const ANY_LENGTH: CidrLengths = { shortest: 0, longest: 32, example: '10.0.0.64/26' };

function cidrProblem(text: string): string {
  const [address = '', length = '', ...more] = text.split('/');
  const plausible = more.length === 0 && /^\d{1,2}$/.test(length) && Number(length) <= 32;
  return plausible && parseIpv4(address) !== undefined ? 'has host bits set' : 'is no IPv4 CIDR';
}

/** The error for a file that holds something else, in the words of the tool that printed it. */
export function wrongDocument(place: Place, found: string, expected: string): InputError {
  return new InputError('WRONG_DOCUMENT', place, { found, expected });
}
