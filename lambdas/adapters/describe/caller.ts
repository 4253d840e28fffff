/** `sts get-caller-identity`. */
import { wrongValue } from '../../core/input/input-error.ts';
import type { Place } from '../../core/input/place.ts';
import { looksLike } from './documents.ts';
import { asObject, textAt, wrongDocument } from './fields.ts';

const ACCOUNT = 'an account id of 12 digits';

/** The account id, 12 digits. */
export function decodeCaller(document: unknown, place: Place): string {
  const expected = 'the output of sts get-caller-identity';
  const fields = asObject(document, place, expected);
  if (fields.Account === undefined) throw wrongDocument(place, looksLike(fields), expected);
  const account = textAt(fields, 'Account', place, ACCOUNT);
  if (!/^\d{12}$/.test(account)) throw wrongValue(place.at('Account'), account, 'is no account id', ACCOUNT);
  return account;
}
