/**
 * Reads a `DescribeNetworkInterfacesResponse` as it arrives, byte by byte, and keeps only what the ledger and the classes need.
 *
 * The SDK's parser builds an object for every element of a page and takes 10 to 20 times as long. What this scanner accepts it decodes exactly as the SDK does
 * (entities, CDATA, comments, attributes, empty and single-item sets, any split into chunks). An interface with anything else in it is handed to the SDK's own
 * decoder, whole; a page whose frame is not understood is refused with {@link UnexpectedPage}, and the caller asks for it again through the SDK.
 *
 * Each interface goes to the sink as soon as it has been read, so that none of them outlives the chunk that it came in.
 */
import type { EniRecord, EniSink } from '../../../core/subnet/snapshot.ts';
import { ItemScanner } from './item-scanner.ts';
import { decodedText, isIgnorable, leafValue } from './text.ts';
import {
  BANG,
  GT,
  INCOMPLETE,
  isSpace,
  LT,
  QUESTION,
  readTag,
  SLASH,
  sameName,
  skipElement,
  skipMarkup,
  Tag,
  UNKNOWN,
  UnexpectedPage,
} from './xml-bytes.ts';

export interface ScannedPage {
  /** Interfaces that went to the sink. */
  readonly interfaces: number;
  readonly nextToken?: string;
  /** Interfaces that the SDK's decoder had to read. */
  readonly fallbacks: number;
}

/** Decodes the bytes of one `<item>` with the SDK. Throws what the SDK throws. */
export type ItemDecoder = (item: Buffer) => EniRecord;

const ROOT = 'DescribeNetworkInterfacesResponse';
const ITEM = Buffer.from('item');
const EMPTY = Buffer.alloc(0);
/** More than nearly every interface takes. */
const JOINED_BYTES = 16_384;
const FRAME = { prolog: 0, root: 1, set: 2, done: 3 } as const;

export class PageScanner {
  private pending: Buffer = EMPTY;
  /** Below this many pending bytes another try cannot succeed: keeps the work linear for tiny chunks. */
  private retryAt = 0;
  private frame: (typeof FRAME)[keyof typeof FRAME] = FRAME.prolog;
  private setSeen = false;
  private nextToken: string | undefined;
  private fallbacks = 0;
  private interfaces = 0;
  private readonly sink: EniSink;
  private readonly item: ItemScanner;
  private readonly tag = new Tag();
  private readonly decodeItem: ItemDecoder;

  /** @param item what it has learnt from other pages serves this one. */
  constructor(sink: EniSink, decodeItem: ItemDecoder, item: ItemScanner = new ItemScanner()) {
    this.sink = sink;
    this.decodeItem = decodeItem;
    this.item = item;
  }

  push(chunk: Uint8Array): void {
    let rest = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    // What was left of the last chunk is joined with as much of this one as an interface takes, never with all of it: copying whole chunks is what a page would cost most.
    while (this.pending.length > 0 && rest.length > 0) {
      const taken = Math.min(rest.length, Math.max(JOINED_BYTES, this.pending.length));
      const joined = Buffer.concat([this.pending, rest.subarray(0, taken)]);
      const at = joined.length < this.retryAt ? 0 : this.advance(joined, this.pending.length);
      if (at >= this.pending.length) {
        rest = rest.subarray(at - this.pending.length);
        this.pending = EMPTY;
      } else {
        rest = rest.subarray(taken);
        this.keep(joined, at);
      }
    }
    if (rest.length > 0) this.keep(rest, this.advance(rest, rest.length));
  }

  private keep(buffer: Buffer, at: number): void {
    // A copy, so that a small rest does not keep a large chunk alive.
    this.pending = at === buffer.length ? EMPTY : Buffer.from(buffer.subarray(at));
    if (at > 0) this.retryAt = 0;
    else if (buffer.length >= this.retryAt) this.retryAt = buffer.length + Math.min(buffer.length, 65536);
  }

  /** @throws UnexpectedPage where the response ended too early. */
  end(): ScannedPage {
    if (this.pending.length > 0) this.advance(this.pending, this.pending.length);
    if (this.frame !== FRAME.done) throw new UnexpectedPage('the response ended before its last element was closed');
    const { interfaces, nextToken, fallbacks } = this;
    return { interfaces, fallbacks, ...(nextToken === undefined ? {} : { nextToken }) };
  }

  /** Reads on until `stop` is reached or passed, or bytes are missing. @returns up to where the buffer was consumed. */
  private advance(buffer: Buffer, stop: number): number {
    let at = 0;
    while (at < stop) {
      if (this.frame === FRAME.done) return buffer.length;
      const next =
        this.frame === FRAME.prolog
          ? this.readProlog(buffer, at)
          : this.frame === FRAME.root
            ? this.readRoot(buffer, at)
            : this.readSet(buffer, at);
      if (next === INCOMPLETE) return at;
      at = next;
    }
    return at;
  }

  private readProlog(buffer: Buffer, from: number): number {
    let at = from;
    while (isSpace(buffer[at])) at++;
    if (at + 1 >= buffer.length) return INCOMPLETE;
    if (buffer[at] !== LT) throw new UnexpectedPage('the response is no XML');
    if (buffer[at + 1] === QUESTION || buffer[at + 1] === BANG) return this.skipFrameMarkup(buffer, at);
    const opened = readTag(buffer, at, this.tag);
    if (opened !== 0) return opened;
    const { tag } = this;
    if (buffer.toString('latin1', tag.nameStart, tag.nameEnd) !== ROOT)
      throw new UnexpectedPage('another element is the root');
    if (
      tag.attributes &&
      !/^(?:\s+xmlns(?::\w+)?\s*=\s*(?:"[^"]*"|'[^']*'))*\s*\/?$/.test(
        buffer.toString('latin1', tag.nameEnd, tag.end - 1),
      )
    ) {
      throw new UnexpectedPage('the root has attributes that are no namespace');
    }
    this.frame = tag.selfClosing ? FRAME.done : FRAME.root;
    return tag.end;
  }

  private readRoot(buffer: Buffer, from: number): number {
    const lt = buffer.indexOf(LT, from);
    if (lt < 0 || lt + 1 >= buffer.length) return INCOMPLETE;
    if (!isIgnorable(buffer, from, lt)) throw new UnexpectedPage('text between the elements of the response');
    const next = buffer[lt + 1];
    if (next === BANG || next === QUESTION) return this.skipFrameMarkup(buffer, lt);
    if (next === SLASH) return this.closeFrame(buffer, lt, ROOT, FRAME.done);
    const opened = readTag(buffer, lt, this.tag);
    if (opened !== 0) return opened;
    const { tag } = this;
    const name = buffer.toString('latin1', tag.nameStart, tag.nameEnd);
    if (name === 'networkInterfaceSet') {
      if (this.setSeen || tag.attributes)
        throw new UnexpectedPage('a second set of interfaces, or one with attributes');
      this.setSeen = true;
      if (!tag.selfClosing) this.frame = FRAME.set;
      return tag.end;
    }
    if (name === 'nextToken') return this.readNextToken(buffer);
    return tag.selfClosing ? tag.end : skipElement(buffer, lt);
  }

  private readNextToken(buffer: Buffer): number {
    const { tag } = this;
    if (this.nextToken !== undefined || tag.attributes)
      throw new UnexpectedPage('a second token, or one with attributes');
    if (tag.selfClosing) {
      this.nextToken = '';
      return tag.end;
    }
    const start = tag.end;
    const lt = buffer.indexOf(LT, start);
    if (lt < 0) return INCOMPLETE;
    const close = '</nextToken>';
    if (lt + close.length > buffer.length) return INCOMPLETE;
    if (buffer.toString('latin1', lt, lt + close.length) !== close)
      throw new UnexpectedPage('a token that is no plain text');
    this.nextToken = leafValue(decodedText(buffer, start, lt));
    return lt + close.length;
  }

  private readSet(buffer: Buffer, from: number): number {
    const lt = buffer.indexOf(LT, from);
    if (lt < 0 || lt + 1 >= buffer.length) return INCOMPLETE;
    if (!isIgnorable(buffer, from, lt)) throw new UnexpectedPage('text between the interfaces');
    const next = buffer[lt + 1];
    if (next === BANG || next === QUESTION) return this.skipFrameMarkup(buffer, lt);
    if (next === SLASH) return this.closeFrame(buffer, lt, 'networkInterfaceSet', FRAME.root);
    const opened = readTag(buffer, lt, this.tag);
    if (opened !== 0) return opened;
    const { tag } = this;
    const isItem = tag.nameEnd - tag.nameStart === ITEM.length && sameName(buffer, tag.nameStart, ITEM);
    if (!isItem) return tag.selfClosing ? tag.end : skipElement(buffer, lt);
    const plain = !tag.selfClosing && !tag.attributes;
    const end = plain ? this.item.read(buffer, tag.end) : UNKNOWN;
    if (end === UNKNOWN) return this.readUnknownItem(buffer, lt);
    if (end !== INCOMPLETE) this.handOn(this.item.record as EniRecord);
    return end;
  }

  private readUnknownItem(buffer: Buffer, lt: number): number {
    const end = skipElement(buffer, lt);
    if (end === INCOMPLETE) return INCOMPLETE;
    this.fallbacks++;
    let record: EniRecord;
    try {
      record = this.decodeItem(buffer.subarray(lt, end));
    } catch (cause) {
      // What is wrong is for the SDK to say, with the whole page before it.
      throw new UnexpectedPage('an interface that cannot be decoded', { cause });
    }
    this.handOn(record);
    return end;
  }

  private handOn(record: EniRecord): void {
    this.interfaces++;
    this.sink.add(record);
  }

  private closeFrame(buffer: Buffer, lt: number, name: string, next: (typeof FRAME)[keyof typeof FRAME]): number {
    const gt = buffer.indexOf(GT, lt);
    if (gt < 0) return INCOMPLETE;
    if (buffer.toString('latin1', lt + 2, gt).trim() !== name)
      throw new UnexpectedPage(`${name} is closed by another name`);
    this.frame = next;
    return gt + 1;
  }

  /** Passes over markup of the frame, where only comments and processing instructions may stand. */
  private skipFrameMarkup(buffer: Buffer, lt: number): number {
    const end = skipMarkup(buffer, lt, false);
    if (end === UNKNOWN) throw new UnexpectedPage('markup that EC2 does not send');
    return end;
  }
}
