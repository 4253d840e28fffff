/** The configuration of an EKS add-on as a value. In a file of its own because it alone needs a YAML parser. */
import { parse } from 'yaml';
import { InputError } from '../../core/input/input-error.ts';
import type { Place } from '../../core/input/place.ts';

/** @throws InputError `SYNTAX` for what is neither JSON nor YAML. */
export function parseConfiguration(text: string, place: Place): unknown {
  try {
    // JSON is YAML; the core schema keeps a date or a number with leading zeros from becoming something else.
    return parse(text, { schema: 'core', logLevel: 'error' }) ?? {};
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
    const mismatch = { found: `cannot be parsed (${reason})`, expected: 'JSON or YAML' };
    throw new InputError('SYNTAX', place, mismatch, { cause });
  }
}
