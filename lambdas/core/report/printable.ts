/**
 * Makes foreign text safe to show. Names, tags and descriptions are written by anybody: control characters, terminal escapes, marks that turn the
 * reading direction and invisible characters would let them rewrite what the reader sees (CWE-150; Unicode TR36, "Bidirectional Text Spoofing").
 */

/** Everything that is no plain visible character: controls, format characters (bidi marks among them), surrogates, private use, unassigned, line and paragraph separators. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;
const PLAIN = /^[\x20-\x7e]*$/;

/**
 * The text with every character that is not plainly visible written as its escape, so that the reader sees that it is there.
 *
 * @example printable('a\u001b[31mb') === 'a\\u001b[31mb'
 */
export function printable(text: string): string {
  return PLAIN.test(text) ? text : text.replace(UNPRINTABLE, escapeOf);
}

function escapeOf(character: string): string {
  const code = character.codePointAt(0) as number;
  const hex = code.toString(16);
  return code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}

/**
 * JSON of equal meaning in which no character can reach a terminal raw: `JSON.stringify` escapes the first 32 controls and no more.
 *
 * @param json a document as `JSON.stringify` printed it.
 */
export function printableJson(json: string): string {
  // Line feeds are the only unprintable characters that stand outside of strings.
  return json.replace(/[^\n\x20-\x7e]/gu, (character) =>
    /[\p{C}\p{Zl}\p{Zp}]/u.test(character) ? utf16Escapes(character) : character,
  );
}

function utf16Escapes(character: string): string {
  let escapes = '';
  for (let i = 0; i < character.length; i++) escapes += `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`;
  return escapes;
}
