/** The names that stand in sources: what is in none of those of the functions, nobody there reads or sets. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './bundle-options.ts';

let own: ReadonlySet<string> | undefined;

/** Names in the sources of the functions, read once a process. Comments and texts count too: a word too many costs bytes, one too few a fact. */
export function ownWords(): ReadonlySet<string> {
  own ??= wordsOf(path.join(ROOT, 'lambdas'));
  return own;
}

/** @param folder - need not be there, and then has none. */
export function wordsOf(folder: string): ReadonlySet<string> {
  if (!existsSync(folder)) return new Set();
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.[jt]s$/.test(file))
    .map((file) => readFileSync(path.join(folder, file), 'utf8'));
  return new Set(sources.flatMap((text) => [...wordsIn(text)]));
}

export function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.match(/[A-Za-z_$][\w$]*/g));
}
