/** What is wrong in a configuration document: field, value and what would be right, for the one who has to mend it. */

import type * as z from 'zod/mini';
import { HeadroomError } from './headroom-error.ts';

export interface ConfigProblem {
  /** Path from the top of the document, as one would write it: `clusters.prod.thresholds.zoneLowNodes`; `(document)` for the whole. */
  readonly field: string;
  /** The value as JSON, or `(missing)`. */
  readonly value: string;
  readonly remedy: string;
}

/** Thrown for a document that cannot be used. Not retryable: only the document's author can mend it. */
export class ConfigError extends HeadroomError {
  override readonly name = 'ConfigError';
  readonly code = 'CONFIG_INVALID';
  readonly retryable = false;
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[], origin = 'the configuration') {
    const lines = problems.map(({ field, value, remedy }) => `  ${field} = ${value}: ${remedy}`);
    super(`${origin} cannot be used:\n${lines.join('\n')}`);
    this.problems = problems;
  }
}

const LONGEST_VALUE = 120;
/** A section's message about an unknown key lists the keys it has, so that the nearest one can be offered. */
export const KEY_SEPARATOR = ', ';

function valueAt(document: unknown, path: readonly PropertyKey[]): string {
  let value = document;
  for (const key of path) {
    value = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  }
  if (value === undefined) return '(missing)';
  const json = JSON.stringify(value) ?? String(value);
  return json.length > LONGEST_VALUE ? `${json.slice(0, LONGEST_VALUE - 1)}…` : json;
}

export function fieldName(path: readonly PropertyKey[]): string {
  if (path.length === 0) return '(document)';
  return path.reduce<string>((name, key) => {
    if (typeof key === 'number') return `${name}[${key}]`;
    const plain = /^[\w-]+$/.test(String(key)) ? String(key) : JSON.stringify(String(key));
    return name === '' ? plain : `${name}.${plain}`;
  }, '');
}

/** Every problem of a document that the schema refused; one for each unknown key. */
export function configProblems(document: unknown, issues: readonly z.core.$ZodIssue[]): readonly ConfigProblem[] {
  return issues.flatMap((issue) => {
    const inner = branchIssues(issue);
    if (inner !== undefined) return configProblems(document, inner);
    if (issue.code !== 'unrecognized_keys') {
      return [{ field: fieldName(issue.path), value: valueAt(document, issue.path), remedy: remedyOf(issue) }];
    }
    const keys = issue.message.split(KEY_SEPARATOR);
    return issue.keys.map((key) => ({
      field: fieldName([...issue.path, key]),
      value: valueAt(document, [...issue.path, key]),
      remedy: `no such key; ${nearest(key, keys)}the keys here are ${keys.join(KEY_SEPARATOR)}`,
    }));
  });
}

/** Of a value that may be one thing or another: the mistakes inside the one whose kind fits, with their whole path. */
function branchIssues(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] | undefined {
  if (issue.code !== 'invalid_union') return undefined;
  const fitting = issue.errors.find((branch) =>
    branch.every(({ path, code }) => path.length > 0 || code === 'unrecognized_keys'),
  );
  return fitting?.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

function remedyOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_key') return `the key must be ${issue.issues[0]?.message ?? 'valid'}`;
  return `must be ${issue.message}`;
}

function nearest(key: string, keys: readonly string[]): string {
  const best = keys
    .map((candidate) => ({ candidate, distance: editDistance(key.toLowerCase(), candidate.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance || a.candidate.localeCompare(b.candidate))[0];
  return best !== undefined && best.distance <= Math.max(2, Math.floor(key.length / 3))
    ? `did you mean ${best.candidate}? `
    : '';
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, substituted));
    }
    row = next;
  }
  return row[b.length]!;
}
