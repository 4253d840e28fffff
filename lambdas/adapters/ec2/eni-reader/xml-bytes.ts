/**
 * The few steps of an XML reader that works on bytes and may run out of them anywhere. Each returns where it got to, or says that more bytes are needed.
 *
 * The grammar is that of the SDK's own parser (`@aws-sdk/xml-builder`), which knows no document types and takes any name.
 */

export const LT = 60;
export const GT = 62;
export const SLASH = 47;
export const BANG = 33;
export const QUESTION = 63;
const EQUALS = 61;
const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;

/** More bytes are needed. */
export const INCOMPLETE = -1;
/** Something that only the SDK's own decoder may judge. */
export const UNKNOWN = -2;

/** The page's frame is not what EC2 sends. What of its interfaces was read before may have been handed on. */
export class UnexpectedPage extends Error {
  override readonly name = 'UnexpectedPage';
}

export function isSpace(byte: number | undefined): boolean {
  return byte === 32 || byte === 10 || byte === 13 || byte === 9;
}

/** An opening tag: where its name ends and the tag ends, whether it closes itself, whether it has attributes. */
export class Tag {
  nameStart = 0;
  nameEnd = 0;
  end = 0;
  selfClosing = false;
  attributes = false;
}

export const CDATA = '<![CDATA[';

export function startsWith(buffer: Buffer, at: number, text: string): boolean {
  return at + text.length <= buffer.length && buffer.toString('latin1', at, at + text.length) === text;
}

function endOf(buffer: Buffer, from: number, mark: string): number {
  const at = buffer.indexOf(mark, from, 'latin1');
  return at < 0 ? INCOMPLETE : at + mark.length;
}

/**
 * Passes over `<!-- -->`, `<? ?>` and, where `cdata` may stand, `<![CDATA[ ]]>`.
 *
 * @returns where it ends, INCOMPLETE, or UNKNOWN for anything else (a child element, a document type).
 */
export function skipMarkup(buffer: Buffer, lt: number, cdata: boolean): number {
  const next = buffer[lt + 1];
  if (next === QUESTION) return endOf(buffer, lt, '?>');
  if (next === undefined || (next === BANG && lt + CDATA.length > buffer.length)) return INCOMPLETE;
  if (startsWith(buffer, lt, '<!--')) return endOf(buffer, lt, '-->');
  if (cdata && startsWith(buffer, lt, CDATA)) return endOf(buffer, lt + CDATA.length, ']]>');
  return UNKNOWN;
}

/** Whether the bytes from `start` are this name; the end is the caller's to check. */
export function sameName(buffer: Uint8Array, start: number, name: Uint8Array): boolean {
  for (let i = 0; i < name.length; i++) if (buffer[start + i] !== name[i]) return false;
  return true;
}

/** Reads an opening tag at `<`. @returns 0, or INCOMPLETE. @throws UnexpectedPage for what is no tag. */
export function readTag(buffer: Buffer, lt: number, tag: Tag): number {
  const length = buffer.length;
  let at = lt + 1;
  while (at < length) {
    const byte = buffer[at] as number;
    if (byte === GT || byte === SLASH || byte === 32 || byte === 10 || byte === 13 || byte === 9) break;
    at++;
  }
  if (at >= length) return INCOMPLETE;
  tag.nameStart = lt + 1;
  tag.nameEnd = at;
  tag.attributes = false;
  tag.selfClosing = false;
  if (buffer[at] === GT) {
    tag.end = at + 1;
    return 0;
  }
  return readAttributes(buffer, at, tag);
}

function readAttributes(buffer: Buffer, from: number, tag: Tag): number {
  const length = buffer.length;
  let at = from;
  for (;;) {
    while (at < length && isSpace(buffer[at])) at++;
    if (at >= length) return INCOMPLETE;
    if (buffer[at] === GT) {
      tag.end = at + 1;
      return 0;
    }
    if (buffer[at] === SLASH) {
      if (at + 1 >= length) return INCOMPLETE;
      if (buffer[at + 1] !== GT) throw new UnexpectedPage('a tag that is not closed');
      tag.selfClosing = true;
      tag.end = at + 2;
      return 0;
    }
    tag.attributes = true;
    while (at < length && buffer[at] !== EQUALS && !isSpace(buffer[at]) && buffer[at] !== GT && buffer[at] !== SLASH)
      at++;
    while (at < length && isSpace(buffer[at])) at++;
    if (at >= length) return INCOMPLETE;
    if (buffer[at] !== EQUALS) throw new UnexpectedPage('an attribute without a value');
    at++;
    while (at < length && isSpace(buffer[at])) at++;
    if (at >= length) return INCOMPLETE;
    const quote = buffer[at] as number;
    if (quote !== DOUBLE_QUOTE && quote !== SINGLE_QUOTE) throw new UnexpectedPage('an attribute without quotes');
    const close = buffer.indexOf(quote, at + 1);
    if (close < 0) return INCOMPLETE;
    at = close + 1;
  }
}

/** Passes over an element that is not needed, whatever is in it. @returns where it ends, or INCOMPLETE. */
export function skipElement(buffer: Buffer, from: number): number {
  const names: Buffer[] = [];
  let at = from;
  for (;;) {
    const lt = buffer.indexOf(LT, at);
    if (lt < 0) return INCOMPLETE;
    const next = buffer[lt + 1];
    if (next === undefined) return INCOMPLETE;
    if (next === SLASH) {
      const gt = buffer.indexOf(GT, lt);
      if (gt < 0) return INCOMPLETE;
      const name = names.pop();
      if (name === undefined || name.toString('utf8') !== buffer.toString('utf8', lt + 2, gt).trim()) {
        throw new UnexpectedPage('an element is closed by another name');
      }
      at = gt + 1;
    } else if (startsWith(buffer, lt, '<!--')) {
      at = endOf(buffer, lt, '-->');
    } else if (startsWith(buffer, lt, CDATA)) {
      at = endOf(buffer, lt + CDATA.length, ']]>');
    } else if (next === QUESTION) {
      at = endOf(buffer, lt, '?>');
    } else if (next === BANG && buffer.length - lt < CDATA.length) {
      return INCOMPLETE;
    } else {
      const tag = new Tag();
      const opened = readTag(buffer, lt, tag);
      if (opened !== 0) return opened;
      if (!tag.selfClosing) names.push(buffer.subarray(tag.nameStart, tag.nameEnd));
      at = tag.end;
    }
    if (at < 0) return INCOMPLETE;
    if (names.length === 0) return at;
  }
}
