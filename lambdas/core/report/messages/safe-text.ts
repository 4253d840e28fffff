/** Makes foreign text fit for a message: no blobs, no characters that hide, no longer than the channel takes. */
import { printable } from '../printable.ts';

/**
 * EC2 hangs an encoded copy of the request's context behind a denial; whoever may call `sts:DecodeAuthorizationMessage` can open it, so it has no
 * place in a channel.
 */
const ENCODED_MESSAGE = /\s*Encoded authorization failure message:\s*\S+/gi;
/** Longer than any name or tag value of AWS (256 characters), and without a break: nothing that a person reads. */
const LONG_RUN = /[A-Za-z0-9+/=_-]{257,}/g;

/** One line of text, each hidden character shown as its escape. */
export function oneLine(text: string): string {
  return printable(withoutBlobs(text).replace(/\s+/gu, ' ').trim());
}

/** One line of a drawing, which keeps its spaces. */
export function drawingLine(text: string): string {
  return printable(withoutBlobs(text)).trimEnd();
}

function withoutBlobs(text: string): string {
  return text.replace(ENCODED_MESSAGE, '').replace(LONG_RUN, '[encoded text left out]');
}

/** The text cut to so many UTF-16 units, never inside a character, with a sign that it was. */
export function cutTo(text: string, most: number): string {
  if (text.length <= most) return text;
  let kept = '';
  for (const character of text) {
    if (kept.length + character.length > most - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Printable ASCII of at most so many characters; what is none is shown as `?`. Never empty. */
export function asciiLine(text: string, most: number): string {
  const line = oneLine(text)
    .replace(/[^\x20-\x7e]/gu, '?')
    .trim();
  if (line === '') return 'Headroom';
  return line.length <= most ? line : `${line.slice(0, most - 3)}...`;
}

/** Words for a name in camel case: `freePrefixes` is `free prefixes`. */
export function wordsOf(name: string): string {
  return oneLine(name)
    .replace(/([a-z0-9])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`)
    .replace(/\bips\b/g, 'IPs');
}

/** `2026-11-30 09:05 UTC` of an ISO time; any other text as it is. */
export function readableTime(iso: string): string {
  const at = Date.parse(iso);
  return Number.isNaN(at) ? oneLine(iso) : `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** A word for a POSIX shell, in quotes only where it needs them. */
export function shellWord(text: string): string {
  // Spaces stay as they are: they are part of a name.
  const word = drawingLine(text);
  return /^[A-Za-z0-9_./:@=+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
