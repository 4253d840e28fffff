/** Reads one `<item>` of `networkInterfaceSet` from a buffer that may end in the middle of it. */
import type { EniRecord } from '../../../core/subnet/snapshot.ts';
import { EniDraft } from './eni-draft.ts';
import { ACTION, type Action, CLOSING, hashName, NETWORK_INTERFACE, type Shape } from './shape.ts';
import { decodedText, isIgnorable, isPlain, leafValue, rawText, TextCache } from './text.ts';
import {
  BANG,
  CDATA,
  GT,
  INCOMPLETE,
  LT,
  QUESTION,
  readTag,
  SLASH,
  sameName,
  skipElement,
  skipMarkup,
  startsWith,
  Tag,
  UNKNOWN,
} from './xml-bytes.ts';

/** Whether `<` is followed by this name and `>`. */
function opensAs(buffer: Buffer, start: number, name: Uint8Array): boolean {
  const end = start + name.length;
  return end < buffer.length && buffer[end] === GT && sameName(buffer, start, name);
}

function childNamed(shape: Shape, buffer: Buffer, tag: Tag): Shape | undefined {
  const child = shape.children.get(hashName(buffer, tag.nameStart, tag.nameEnd));
  const named = child !== undefined && tag.nameEnd - tag.nameStart === child.bytes.length;
  return named && sameName(buffer, tag.nameStart, child.bytes) ? child : undefined;
}

const NEWLINE = 10;
const SPACE = 32;

export class ItemScanner {
  /** Holds the interface when {@link ItemScanner.read} has come to its end. */
  record: EniRecord | undefined;
  private readonly draft = new EniDraft();
  private readonly tag = new Tag();
  private readonly texts = new TextCache();
  /**
   * What followed last time: at twice a shape's id its first child, one further the sibling behind it. EC2 sends the elements of an interface in one order, so the guess
   * is nearly always right, and a right guess costs one look at the name instead of three.
   */
  private readonly guesses: (Shape | undefined)[] = [];

  /** Reads one interface from behind its opening tag. @returns where it ends, INCOMPLETE or UNKNOWN. */
  read(buffer: Buffer, from: number): number {
    const { draft, tag } = this;
    const length = buffer.length;
    draft.reset();
    const stack: Shape[] = [];
    const seen: number[] = [];
    let shape = NETWORK_INTERFACE;
    // Bits of the children seen so far, in two words: no structure has more than 62.
    let low = 0;
    let high = 0;
    let slot = 2 * shape.id;
    let at = from;
    for (;;) {
      // Between elements: white space with a line break, as a rule.
      const textStart = at;
      if (buffer[at] === NEWLINE) at++;
      while (buffer[at] === SPACE) at++;
      const indent = buffer[at] === LT && (at === textStart || buffer[textStart] === NEWLINE);
      while (at < length && buffer[at] !== LT) at++;
      if (at + 1 >= length) return INCOMPLETE;
      if (!indent && !isIgnorable(buffer, textStart, at)) return UNKNOWN;
      const mark = buffer[at + 1];
      if (mark === SLASH) {
        const nameEnd = at + 2 + shape.bytes.length;
        if (nameEnd >= length) return INCOMPLETE;
        if (buffer[nameEnd] !== GT || !sameName(buffer, at + 2, shape.bytes)) return UNKNOWN;
        at = nameEnd + 1;
        if (shape.closing === CLOSING.address) draft.closeAddress();
        else if (shape.closing === CLOSING.tag && !draft.closeTag()) return UNKNOWN;
        else if (shape.closing === CLOSING.prefix && !draft.closePrefix()) return UNKNOWN;
        const parent = stack.pop();
        if (parent === undefined) {
          const record = draft.finish();
          if (record === undefined) return UNKNOWN;
          this.record = record;
          return at;
        }
        slot = 2 * shape.id + 1;
        shape = parent;
        high = seen.pop() as number;
        low = seen.pop() as number;
        continue;
      }
      if (mark === BANG || mark === QUESTION) {
        const end = skipMarkup(buffer, at, false);
        if (end < 0) return end;
        at = end;
        continue;
      }
      let child = this.guesses[slot];
      let empty = false;
      if (child !== undefined && opensAs(buffer, at + 1, child.bytes)) {
        at += 2 + child.bytes.length;
      } else {
        const opened = readTag(buffer, at, tag);
        if (opened !== 0) return opened;
        child = childNamed(shape, buffer, tag);
        if (child === undefined) {
          // The SDK passes over what its schema does not name.
          const end = tag.selfClosing ? tag.end : skipElement(buffer, at);
          if (end === INCOMPLETE) return INCOMPLETE;
          at = end;
          continue;
        }
        if (tag.attributes) return UNKNOWN;
        this.guesses[slot] = child;
        empty = tag.selfClosing;
        at = tag.end;
      }
      if (!shape.list) {
        const bit = 1 << (child.index & 31);
        if (child.index < 32 ? (low & bit) !== 0 : (high & bit) !== 0) return UNKNOWN;
        if (child.index < 32) low |= bit;
        else high |= bit;
      }
      if (child.leaf) {
        const end = empty ? this.emptyLeaf(child, at) : this.readLeaf(buffer, at, child);
        if (end < 0) return end;
        slot = 2 * child.id + 1;
        at = end;
        continue;
      }
      if (child.name === 'attachment') draft.openAttachment();
      if (child.closing !== CLOSING.nothing) draft.openChild();
      if (empty) {
        // `<item/>` of a list of structures: the SDK makes an empty object of it.
        if (shape.list) return UNKNOWN;
        slot = 2 * child.id + 1;
        continue;
      }
      stack.push(shape);
      seen.push(low, high);
      shape = child;
      low = 0;
      high = 0;
      slot = 2 * shape.id;
    }
  }

  private emptyLeaf(leaf: Shape, at: number): number {
    return leaf.action === ACTION.ignore || this.take(leaf.action, '') ? at : UNKNOWN;
  }

  /** Reads a leaf's text and closing tag. */
  private readLeaf(buffer: Buffer, start: number, leaf: Shape): number {
    const length = buffer.length;
    let at = start;
    while (at < length && buffer[at] !== LT) at++;
    const nameEnd = at + 2 + leaf.bytes.length;
    if (nameEnd >= length) return INCOMPLETE;
    if (buffer[at + 1] !== SLASH) return this.readLeafParts(buffer, start, leaf);
    if (buffer[nameEnd] !== GT || !sameName(buffer, at + 2, leaf.bytes)) return UNKNOWN;
    const action = leaf.action;
    if (action !== ACTION.ignore && !this.takeBytes(action, buffer, start, at)) return UNKNOWN;
    return nameEnd + 1;
  }

  private takeBytes(action: Action, buffer: Buffer, start: number, end: number): boolean {
    if (action === ACTION.address || action === ACTION.prefix || action === ACTION.eniAddress) {
      return this.draft.takeAddress(action, buffer, start, end);
    }
    const unique = action === ACTION.eniId || action === ACTION.attachmentId;
    const text =
      unique && isPlain(buffer, start, end)
        ? buffer.toString('latin1', start, end)
        : this.texts.text(buffer, start, end);
    return this.draft.take(action, text);
  }

  /** A leaf with comments, CDATA or processing instructions in it. */
  private readLeafParts(buffer: Buffer, start: number, leaf: Shape): number {
    let text = '';
    let at = start;
    for (;;) {
      const lt = buffer.indexOf(LT, at);
      if (lt < 0) return INCOMPLETE;
      if (lt > at) text += decodedText(buffer, at, lt);
      if (startsWith(buffer, lt, '</')) {
        const gt = buffer.indexOf(GT, lt);
        if (gt < 0) return INCOMPLETE;
        if (buffer.toString('latin1', lt + 2, gt).trim() !== leaf.name) return UNKNOWN;
        return leaf.action === ACTION.ignore || this.take(leaf.action, leafValue(text)) ? gt + 1 : UNKNOWN;
      }
      const end = skipMarkup(buffer, lt, true);
      if (end < 0) return end;
      if (startsWith(buffer, lt, CDATA)) text += rawText(buffer, lt + CDATA.length, end - 3);
      at = end;
    }
  }

  private take(action: Action, text: string): boolean {
    if (action === ACTION.address || action === ACTION.prefix || action === ACTION.eniAddress) {
      const bytes = Buffer.from(text, 'utf8');
      return this.draft.takeAddress(action, bytes, 0, bytes.length);
    }
    return this.draft.take(action, text);
  }
}
