/** What to say of whatever went wrong. */
import { debuglog } from 'node:util';

const debug = debuglog('headroom');

/** Errors that are meant for the reader, by name: classes are not asked for, since that would load adapters that a run does not use. */
const FOR_READERS: ReadonlySet<string> = new Set([
  'InputError',
  'ReadError',
  'ConfigError',
  'StoredError',
  'UsageError',
  'YError',
]);

/** One line for an error; for a configuration document one more for each mistake in it. */
export function linesOf(error: unknown): readonly string[] {
  const message = messageOf(error);
  return error instanceof Error && error.name === 'ConfigError' ? message.split('\n') : [message];
}

/** The message of an error that a person is meant to read; for any other, that it is a mistake of ours, and how to see more. */
function messageOf(error: unknown): string {
  debug('%O', error);
  if (!(error instanceof Error)) return `unexpected: ${String(error)}`;
  if (!FOR_READERS.has(error.name)) return `unexpected: ${error.message} (NODE_DEBUG=headroom shows where)`;
  const remedy = 'remedy' in error && typeof error.remedy === 'string' ? error.remedy : undefined;
  const message = remedy === undefined ? error.message : `${error.message.replace(/\.$/, '')}: ${remedy}`;
  // yargs lays its lists out over several lines.
  return error.name === 'ConfigError' ? message : message.replace(/\s*\n\s*/g, '; ');
}
