/** Options that several verbs take. */
import type { Argv } from 'yargs';
import { UsageError } from './usage-error.ts';

/** @throws UsageError an option that takes one value was given several, or an empty one. */
export function one(name: string) {
  return (value: unknown): string | undefined => {
    if (value === undefined) return undefined;
    if (Array.isArray(value)) throw new UsageError(`--${name} may be given once, not ${value.length} times`);
    if (typeof value !== 'string' || value === '') throw new UsageError(`--${name} needs a value`);
    return value;
  };
}

/** Several values: the option repeated, or one list with commas. */
export function many(name: string) {
  return (value: unknown): readonly string[] => {
    const given = value === undefined ? [] : Array.isArray(value) ? value.map(String) : [String(value)];
    const values = given.flatMap((text) => text.split(','));
    if (values.some((text) => text.trim() === '')) throw new UsageError(`--${name} needs a value`);
    return values.map((text) => text.trim());
  };
}

/** Whether the calendar has the day: `Date.parse` takes 30 February for 2 March. */
function isDay(date: string): boolean {
  const midnight = Date.parse(date);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(date);
}

/** A date alone or with a time and its zone: local time would make a result depend on where it was made. */
const TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** @returns epoch milliseconds. @throws UsageError the value is no time. */
export function time(name: string) {
  return (value: unknown): number | undefined => {
    const text = one(name)(value);
    if (text === undefined) return undefined;
    const at = TIME.test(text) ? Date.parse(text) : Number.NaN;
    if (Number.isNaN(at) || !isDay(text.slice(0, 10))) {
      throw new UsageError(`--${name} must be a time like 2026-11-30T09:00:00Z, not "${text}"`);
    }
    return at;
  };
}

/** Where to read from, and as of when. */
export function sourceOptions(yargs: Argv) {
  return liveOptions(yargs).option('from', {
    type: 'string',
    requiresArg: true,
    coerce: one('from'),
    conflicts: ['region', 'profile'],
    describe: 'Folder of JSON that the AWS CLI and kubectl print, instead of a live region',
  });
}

export function liveOptions(yargs: Argv) {
  return yargs
    .option('region', {
      type: 'string',
      requiresArg: true,
      coerce: one('region'),
      describe: 'AWS region; default: AWS_REGION or the profile',
    })
    .option('profile', {
      type: 'string',
      requiresArg: true,
      coerce: one('profile'),
      describe: 'Profile of the AWS configuration',
    })
    .option('now', {
      type: 'string',
      requiresArg: true,
      coerce: time('now'),
      describe: 'Time that ages are reckoned from (ISO 8601); default: the clock, with --from its now.json',
    });
}

/** Which subnets. */
export function scopeOptions<Args>(yargs: Argv<Args>) {
  return yargs
    .option('vpc', {
      type: 'string',
      requiresArg: true,
      coerce: many('vpc'),
      describe: 'Only the subnets of this VPC; may be repeated',
    })
    .option('subnet', {
      type: 'string',
      requiresArg: true,
      coerce: many('subnet'),
      describe: 'Only this subnet; may be repeated',
    });
}

interface ScopeArgs {
  readonly vpc?: readonly string[] | undefined;
  readonly subnet?: readonly string[] | undefined;
}

export function scopeOf({ vpc, subnet }: ScopeArgs) {
  return { vpcIds: vpc ?? [], subnetIds: subnet ?? [] };
}

/** How the result is printed. */
export function outputOptions<Args>(yargs: Argv<Args>) {
  return yargs
    .option('json', { type: 'boolean', default: false, describe: 'One JSON document (docs/schema/document.json)' })
    .option('all', { type: 'boolean', default: false, describe: 'Show lists whole' });
}
