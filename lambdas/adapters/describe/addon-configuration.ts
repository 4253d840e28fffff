/** The configuration of an EKS add-on as a value. In a file of its own because it alone needs a YAML parser. */
import { parse } from 'yaml';
import { InputError } from '../../core/input/input-error.ts';
import type { Place } from '../../core/input/place.ts';
import { jsonConfiguration } from './eks-addon.ts';

/** JSON by {@link jsonConfiguration}, all else as YAML. @throws InputError `SYNTAX` for what is neither, a key of YAML that is there twice included. */
export function parseConfiguration(text: string, place: Place): unknown {
  const json = jsonConfiguration(text);
  if (json !== undefined) return json;
  try {
    // The core schema keeps a date or a number with leading zeros from becoming something else.
    return parse(text, { schema: 'core', logLevel: 'error' }) ?? {};
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
    const mismatch = { found: `cannot be parsed (${reason})`, expected: 'JSON or YAML' };
    throw new InputError('SYNTAX', place, mismatch, { cause });
  }
}
