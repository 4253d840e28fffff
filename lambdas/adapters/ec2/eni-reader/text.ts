/** Text of an XML element, decoded as the SDK's own parser decodes it (`@aws-sdk/xml-builder`). */

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

/** Texts remembered at once; a page repeats a few dozen. */
const REMEMBERED = 1024;

/**
 * Decodes leaf texts, and remembers those it has decoded: the interfaces of a page repeat their subnet, owner, status, tag keys and most tag values, and a string that is
 * found again costs no memory.
 */
export class TextCache {
  private readonly known = new Map<number, { readonly bytes: Uint8Array; readonly text: string }>();

  text(buffer: Buffer, start: number, end: number): string {
    let hash = end - start;
    for (let i = start; i < end; i++) hash = (Math.imul(hash, 31) + (buffer[i] as number)) | 0;
    const found = this.known.get(hash);
    if (found !== undefined && sameBytes(buffer, start, end, found.bytes)) return found.text;
    const plain = isPlain(buffer, start, end);
    const text = leafValue(plain ? buffer.toString('latin1', start, end) : decodedText(buffer, start, end));
    if (this.known.size >= REMEMBERED) this.known.clear();
    this.known.set(hash, { bytes: Uint8Array.prototype.slice.call(buffer, start, end), text });
    return text;
  }
}

function sameBytes(buffer: Uint8Array, start: number, end: number, bytes: Uint8Array): boolean {
  if (bytes.length !== end - start) return false;
  for (let i = 0; i < bytes.length; i++) if (buffer[start + i] !== bytes[i]) return false;
  return true;
}
