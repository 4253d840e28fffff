/** Text of an XML element, decoded as the SDK's own parser decodes it (`@aws-sdk/xml-builder`). */
import { copyWords, sameWords } from './words.ts';

const AMPERSAND = 38;
const CARRIAGE_RETURN = 13;
const NEWLINE = 10;
const SPACE = 32;
const TAB = 9;

const NAMED: { readonly [name: string]: string } = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const ENTITY = /&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|([a-zA-Z][a-zA-Z0-9]{0,30}));/g;

/** Unknown names become nothing and numbers are cut to 16 bits: so does the SDK. */
function decodeEntities(text: string): string {
  return text.replace(ENTITY, (_, hex?: string, decimal?: string, name?: string) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    if (decimal !== undefined) return String.fromCharCode(Number.parseInt(decimal, 10));
    return NAMED[name as string] ?? '';
  });
}

/** Whether bytes are plain: ASCII with nothing to decode. */
export function isPlain(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number;
    if (byte >= 0x80 || byte === AMPERSAND || byte === CARRIAGE_RETURN) return false;
  }
  return true;
}

/** Whether the SDK passes over such text between elements: nothing, or white space with a line break in it. */
export function isIgnorable(bytes: Uint8Array, start: number, end: number): boolean {
  if (start === end) return true;
  let newline = false;
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number;
    if (byte === NEWLINE || byte === CARRIAGE_RETURN) newline = true;
    else if (byte !== SPACE && byte !== TAB) return false;
  }
  return newline;
}

/** Bytes to a string, with the SDK's line ends: `\r\n` and `\r` become `\n`. */
export function rawText(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start, end);
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

export function decodedText(bytes: Buffer, start: number, end: number): string {
  return decodeEntities(rawText(bytes, start, end));
}

/** The value of a leaf made of these parts; one of white space and a line break counts as empty. */
export function leafValue(text: string): string {
  return text.trim() === '' && text.includes('\n') ? '' : text;
}

/** Texts remembered at once, a power of two; a page repeats a few dozen, and those of an instance stand close together. */
const REMEMBERED = 1024;
/** Bytes of a text that is remembered. */
const MOST_BYTES = 64;
/** Shorter ones cannot be compared by words. */
const LEAST_BYTES = 4;

/**
 * Decodes leaf texts, and remembers those it has decoded: the interfaces of a page repeat their subnet, owner, status, tag keys and most tag values, and a string that is
 * found again costs no memory.
 */
export class TextCache {
  private readonly bytes = new DataView(new ArrayBuffer(REMEMBERED * MOST_BYTES));
  private readonly lengths = new Int32Array(REMEMBERED);
  private readonly texts: string[] = new Array<string>(REMEMBERED).fill('');

  /** @param view of the same bytes as the buffer. */
  text(buffer: Buffer, view: DataView, start: number, end: number): string {
    const length = end - start;
    if (length < LEAST_BYTES || length > MOST_BYTES) return textOf(buffer, start, end);
    const slot = hash(view, start, length) & (REMEMBERED - 1);
    const at = slot * MOST_BYTES;
    if (this.lengths[slot] === length && sameWords(view, start, this.bytes, at, length)) {
      return this.texts[slot] as string;
    }
    const text = textOf(buffer, start, end);
    copyWords(view, start, this.bytes, at, length);
    this.lengths[slot] = length;
    this.texts[slot] = text;
    return text;
  }
}

function textOf(buffer: Buffer, start: number, end: number): string {
  const plain = isPlain(buffer, start, end);
  return leafValue(plain ? buffer.toString('latin1', start, end) : decodedText(buffer, start, end));
}

/** Of four bytes or more, by words. */
function hash(view: DataView, start: number, length: number): number {
  const last = length - 4;
  let mixed = length;
  for (let at = 0; at < last; at += 4) {
    mixed = Math.imul(mixed ^ view.getInt32(start + at, true), 0x9e3779b1);
    mixed ^= mixed >>> 15;
  }
  mixed = Math.imul(mixed ^ view.getInt32(start + last, true), 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}
