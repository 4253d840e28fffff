/** Reads one `<item>` of `networkInterfaceSet` from a buffer that may end in the middle of it. */
import type { EniRecord } from '../../../core/subnet/snapshot.ts';
import { EniDraft } from './eni-draft.ts';
import { CLOSES, LearntMarkup, NOT_LEARNT, opening } from './learnt-markup.ts';
import {
  ACTION,
  type Action,
  CLOSING,
  hashName,
  isReadFromBytes,
  NETWORK_INTERFACE,
  SHAPES,
  type Shape,
} from './shape.ts';
import { decodedText, isIgnorable, isPlain, leafValue, rawText, TextCache } from './text.ts';
import { indexOfLt } from './words.ts';
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

function childNamed(shape: Shape, buffer: Buffer, tag: Tag): Shape | undefined {
  const child = shape.children.get(hashName(buffer, tag.nameStart, tag.nameEnd));
  const named = child !== undefined && tag.nameEnd - tag.nameStart === child.bytes.length;
  return named && sameName(buffer, tag.nameStart, child.bytes) ? child : undefined;
}

/** Reads a closing tag at `<`. @returns where it ends, INCOMPLETE, or UNKNOWN where it is another's. */
function readClosing(buffer: Buffer, lt: number, shape: Shape): number {
  const nameEnd = lt + 2 + shape.bytes.length;
  if (nameEnd >= buffer.length) return INCOMPLETE;
  return buffer[nameEnd] === GT && sameName(buffer, lt + 2, shape.bytes) ? nameEnd + 1 : UNKNOWN;
}

/** Deeper than any element of an interface lies. */
const DEPTH = 16;

/** Where the reader stands, as {@link LearntMarkup} counts it: behind the opening tag of an element, or at the closing tag of a leaf and behind that of any other element. */
const inside = (shape: Shape) => 2 * shape.id;
const behind = (shape: Shape) => 2 * shape.id + 1;

export class ItemScanner {
  /** Holds the interface when {@link ItemScanner.read} has come to its end. */
  record: EniRecord | undefined;
  private readonly draft = new EniDraft();
  private readonly tag = new Tag();
  private readonly texts = new TextCache();
  private readonly learnt = new LearntMarkup(2 * SHAPES.length);
  /** Elements around the one that is read, and which of their children they have had. */
  private readonly stack: Shape[] = new Array<Shape>(DEPTH).fill(NETWORK_INTERFACE);
  private readonly seen = new Int32Array(2 * DEPTH);
  private buffer: Buffer = Buffer.alloc(0);
  private view = new DataView(this.buffer.buffer, 0, 0);
  /** Behind what {@link ItemScanner.readMarkup} has read. */
  private markupEnd = 0;

  /** Reads one interface from behind its opening tag. @returns where it ends, INCOMPLETE or UNKNOWN. */
  read(buffer: Buffer, from: number): number {
    if (buffer !== this.buffer) {
      this.buffer = buffer;
      this.view = new DataView(buffer.buffer, buffer.byteOffset, buffer.length);
    }
    const { draft, learnt, view, stack, seen } = this;
    const { length } = buffer;
    draft.reset();
    let depth = 0;
    let shape = NETWORK_INTERFACE;
    /** The leaf whose value has just been read, and whose closing tag comes next. */
    let leaf: Shape | undefined;
    // Bits of the children seen so far, in two words: no structure has more than 62.
    let low = 0;
    let high = 0;
    let place = inside(shape);
    let at = from;
    for (;;) {
      let meaning = learnt.match(place, view, at, length);
      if (meaning === NOT_LEARNT) {
        meaning = this.readMarkup(at, shape, leaf, place);
        if (meaning === INCOMPLETE || meaning === UNKNOWN) return meaning;
        at = this.markupEnd;
      } else {
        at = learnt.end;
      }
      leaf = undefined;
      if (meaning === CLOSES) {
        if (shape.closing === CLOSING.address) draft.closeAddress();
        else if (shape.closing === CLOSING.tag && !draft.closeTag()) return UNKNOWN;
        else if (shape.closing === CLOSING.prefix && !draft.closePrefix()) return UNKNOWN;
        if (depth === 0) {
          this.record = draft.finish();
          return this.record === undefined ? UNKNOWN : at;
        }
        place = behind(shape);
        depth--;
        shape = stack[depth] as Shape;
        low = seen[2 * depth] as number;
        high = seen[2 * depth + 1] as number;
        continue;
      }
      const child = SHAPES[meaning >> 1] as Shape;
      const empty = (meaning & 1) === 1;
      if (!shape.list) {
        const bit = 1 << (child.index & 31);
        if (((child.index < 32 ? low : high) & bit) !== 0) return UNKNOWN;
        if (child.index < 32) low |= bit;
        else high |= bit;
      }
      if (child.leaf) {
        if (empty) {
          if (child.action !== ACTION.ignore && !this.take(child.action, '')) return UNKNOWN;
          place = inside(child);
          continue;
        }
        const lt = indexOfLt(view, at, length);
        if (lt + 1 >= length) return INCOMPLETE;
        if (buffer[lt + 1] === SLASH) {
          if (child.action !== ACTION.ignore && !this.takeBytes(child.action, buffer, at, lt)) return UNKNOWN;
          leaf = child;
          place = behind(child);
          at = lt;
        } else {
          at = this.readLeafParts(buffer, at, child);
          if (at < 0) return at;
          place = inside(child);
        }
        continue;
      }
      if (child.name === 'attachment') draft.openAttachment();
      if (child.closing !== CLOSING.nothing) draft.openChild();
      if (empty) {
        // `<item/>` of a list of structures: the SDK makes an empty object of it.
        if (shape.list) return UNKNOWN;
        place = behind(child);
        continue;
      }
      stack[depth] = shape;
      seen[2 * depth] = low;
      seen[2 * depth + 1] = high;
      depth++;
      shape = child;
      low = 0;
      high = 0;
      place = inside(shape);
    }
  }

  /**
   * Reads on, tag by tag, to the next element that the SDK knows or to the end of the enclosing one, and learns the bytes.
   *
   * @param leaf the leaf at whose closing tag the reader stands, if it does.
   * @returns an opening, CLOSES, INCOMPLETE or UNKNOWN.
   */
  private readMarkup(from: number, shape: Shape, leaf: Shape | undefined, place: number): number {
    const { buffer, tag } = this;
    const length = buffer.length;
    let at = from;
    if (leaf !== undefined) {
      at = readClosing(buffer, at, leaf);
      if (at < 0) return at;
    }
    // Comments, and elements that the SDK passes over, are seldom twice the same.
    let regular = true;
    for (;;) {
      const textStart = at;
      at = indexOfLt(this.view, at, length);
      if (at + 1 >= length) return INCOMPLETE;
      if (!isIgnorable(buffer, textStart, at)) return UNKNOWN;
      const mark = buffer[at + 1];
      if (mark === SLASH) {
        const end = readClosing(buffer, at, shape);
        if (end >= 0) this.passMarkup(regular, place, from, end, CLOSES);
        return end < 0 ? end : CLOSES;
      }
      if (mark === BANG || mark === QUESTION) {
        at = skipMarkup(buffer, at, false);
        if (at < 0) return at;
        regular = false;
        continue;
      }
      const opened = readTag(buffer, at, tag);
      if (opened !== 0) return opened;
      const child = childNamed(shape, buffer, tag);
      if (child === undefined) {
        at = tag.selfClosing ? tag.end : skipElement(buffer, at);
        if (at < 0) return at;
        regular = false;
        continue;
      }
      if (tag.attributes) return UNKNOWN;
      const meaning = opening(child.id, tag.selfClosing);
      this.passMarkup(regular, place, from, tag.end, meaning);
      return meaning;
    }
  }

  private passMarkup(regular: boolean, place: number, from: number, end: number, meaning: number): void {
    this.markupEnd = end;
    if (regular) this.learnt.learn(place, this.view, from, end, meaning);
  }

  private takeBytes(action: Action, buffer: Buffer, start: number, end: number): boolean {
    if (isReadFromBytes(action)) return this.draft.takeFromBytes(action, buffer, start, end);
    // Each is read once: to look for it among those read before would be in vain.
    const unique = action === ACTION.eniId && isPlain(buffer, start, end);
    return this.draft.take(
      action,
      unique ? buffer.toString('latin1', start, end) : this.texts.text(buffer, this.view, start, end),
    );
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
    if (isReadFromBytes(action)) {
      const bytes = Buffer.from(text, 'utf8');
      return this.draft.takeFromBytes(action, bytes, 0, bytes.length);
    }
    return this.draft.take(action, text);
  }
}
