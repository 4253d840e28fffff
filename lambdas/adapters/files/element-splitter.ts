/**
 * Splits the elements of one list out of a JSON document, or a list of documents, that comes in chunks: a file of any size goes through in the memory of
 * one element. What stands around the list is checked and dropped.
 */

import { InputError, wrongType } from '../../core/input/input-error.ts';
import type { Place } from '../../core/input/place.ts';
import { commandOfKey, looksLike } from '../describe/documents.ts';
import { noDocument } from './json-file.ts';
import { findSyntaxProblem, foundAt } from './json-syntax.ts';
import { LONGEST_VALUE, ValueCapture } from './value-capture.ts';

/** What the list is, and who takes its elements. */
export interface ElementList {
  /** `NetworkInterfaces`. */
  readonly key: string;
  /** `the output of describe-network-interfaces`. */
  readonly expected: string;
  /** Takes one parsed element; called in the order of the file. */
  readonly element: (value: unknown, place: Place) => void;
}

/** Keys that are kept to say what a wrong document looks like. */
const KEPT_KEYS = 8;

type State =
  | 'root'
  | 'document'
  | 'document-or-end'
  | 'documents-next'
  | 'key'
  | 'key-or-end'
  | 'colon'
  | 'value'
  | 'document-next'
  | 'element'
  | 'element-or-end'
  | 'elements-next'
  | 'after';

const EXPECTED: Readonly<Record<State, string>> = {
  root: 'a document',
  document: 'a document',
  'document-or-end': 'a document or "]"',
  'documents-next': '"," or "]"',
  key: 'a key in double quotes',
  'key-or-end': 'a key in double quotes, or "}"',
  colon: '":"',
  value: 'a value',
  'document-next': '"," or "}"',
  element: 'a value',
  'element-or-end': 'a value or "]"',
  'elements-next': '"," or "]"',
  after: 'nothing more after the document',
};

export class ElementSplitter {
  readonly #file: Place;
  readonly #list: ElementList;
  readonly #capture = new ValueCapture();
  #state: State = 'root';
  /** Bytes that earlier chunks had, from the start of the file. */
  #offset: number;
  /** Index of the document in a list of documents; -1 where the file is one document. */
  #document = -1;
  #documentPlace: Place;
  #listPlace: Place;
  #sawList = false;
  #keys: { [key: string]: unknown } = Object.create(null) as { [key: string]: unknown };
  #key = '';
  #index = 0;

  /** @param offset of the first byte that will be pushed, behind a byte order mark. */
  constructor(file: Place, list: ElementList, offset = 0) {
    this.#file = file;
    this.#list = list;
    this.#offset = offset;
    this.#documentPlace = file;
    this.#listPlace = file;
  }

  /** Takes the next bytes; the buffer may be used again afterwards. */
  push(bytes: Buffer): void {
    const end = bytes.length;
    let i = 0;
    while (i < end) {
      if (this.#capture.open) {
        i = this.#capture.take(bytes, i, this.#offset);
        if (this.#capture.tooLong) this.#throwUnfinished(`it is longer than ${LONGEST_VALUE} bytes`);
        if (!this.#capture.open) this.#finish();
        continue;
      }
      const byte = bytes[i] as number;
      if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) i++;
      else i = this.#step(bytes, i);
    }
    this.#offset += end;
  }

  /** The file is over. */
  end(): void {
    if (this.#capture.open) {
      if (!this.#capture.closeAtEnd()) this.#throwUnfinished('the file ends');
      this.#finish();
    }
    if (this.#state === 'after') return;
    if (this.#state === 'root') {
      throw new InputError('EMPTY', this.#file, { found: 'is blank', expected: this.#list.expected });
    }
    throw this.#syntax(this.#here(), this.#offset, 'the file ends', EXPECTED[this.#state]);
  }

  /** One byte of what stands around values. @returns where to go on. */
  #step(bytes: Buffer, i: number): number {
    const char = String.fromCharCode(bytes[i] as number);
    switch (this.#state) {
      case 'root':
        if (char === '[') {
          this.#document = 0;
          this.#state = 'document-or-end';
          return i + 1;
        }
        return this.#openDocument(char, bytes, i);
      case 'document-or-end':
        if (char === ']') throw noDocument(this.#file, this.#list.expected);
        return this.#openDocument(char, bytes, i);
      case 'document':
        return this.#openDocument(char, bytes, i);
      case 'documents-next':
        if (char === ']') this.#state = 'after';
        else if (char === ',') {
          this.#document++;
          this.#state = 'document';
        } else throw this.#unexpected(bytes, i);
        return i + 1;
      case 'key-or-end':
        if (char === '}') return this.#closeDocument(i);
        return this.#captureKey(char, bytes, i);
      case 'key':
        return this.#captureKey(char, bytes, i);
      case 'colon':
        if (char !== ':') throw this.#unexpected(bytes, i);
        this.#state = 'value';
        return i + 1;
      case 'value':
        if (this.#key === this.#list.key && char === '[') {
          this.#openList();
          return i + 1;
        }
        return this.#open(bytes, i);
      case 'document-next':
        if (char === '}') return this.#closeDocument(i);
        if (char !== ',') throw this.#unexpected(bytes, i);
        this.#state = 'key';
        return i + 1;
      case 'element-or-end':
        if (char === ']') {
          this.#state = 'document-next';
          return i + 1;
        }
        return this.#open(bytes, i);
      case 'element':
        return this.#open(bytes, i);
      case 'elements-next':
        if (char === ']') this.#state = 'document-next';
        else if (char === ',') this.#state = 'element';
        else throw this.#unexpected(bytes, i);
        return i + 1;
      case 'after':
        throw this.#unexpected(bytes, i);
    }
  }

  #openDocument(char: string, bytes: Buffer, i: number): number {
    this.#documentPlace = this.#document < 0 ? this.#file : this.#file.at(this.#document);
    this.#sawList = false;
    this.#keys = Object.create(null) as { [key: string]: unknown };
    if (char !== '{') return this.#open(bytes, i);
    this.#state = 'key-or-end';
    return i + 1;
  }

  #closeDocument(i: number): number {
    if (!this.#sawList) throw this.#wrongDocument(looksLike(this.#keys));
    this.#state = this.#document < 0 ? 'after' : 'documents-next';
    return i + 1;
  }

  #openList(): void {
    if (this.#sawList) {
      const mismatch = { found: 'stands twice in one document', expected: 'one list' };
      throw new InputError('CONFLICT', this.#documentPlace.at(this.#key), mismatch);
    }
    this.#sawList = true;
    this.#listPlace = this.#documentPlace.at(this.#key);
    this.#index = 0;
    this.#state = 'element-or-end';
  }

  #captureKey(char: string, bytes: Buffer, i: number): number {
    if (char !== '"') throw this.#unexpected(bytes, i);
    return this.#open(bytes, i);
  }

  #open(bytes: Buffer, i: number): number {
    if (!this.#capture.start(bytes, i, this.#offset)) throw this.#unexpected(bytes, i);
    return i + 1;
  }

  /** A value is whole: a key, an element, or something that stands around the list. */
  #finish(): void {
    const value = this.#parse();
    const state = this.#state;
    if (state === 'element' || state === 'element-or-end') {
      this.#list.element(value, this.#listPlace.at(this.#index, this.#capture.startsAt));
      this.#index++;
      this.#state = 'elements-next';
    } else if (state === 'key' || state === 'key-or-end') {
      this.#takeKey(value as string);
      this.#state = 'colon';
    } else if (state === 'value') {
      if (this.#key === this.#list.key) throw wrongType(this.#documentPlace.at(this.#key), value, 'a list');
      if (this.#key in this.#keys) this.#keys[this.#key] = value;
      this.#state = 'document-next';
    } else throw wrongType(this.#documentPlace, value, this.#list.expected);
  }

  /** Tells the output of another command by its key, before its list is read. */
  #takeKey(key: string): void {
    this.#key = key;
    if (key !== this.#list.key && commandOfKey(key) !== undefined) {
      throw this.#wrongDocument(looksLike({ [key]: null }));
    }
    if (Object.keys(this.#keys).length < KEPT_KEYS) this.#keys[key] = null;
  }

  #parse(): unknown {
    const text = this.#capture.text;
    if (text === undefined) {
      const found = `has bytes that are no UTF-8, behind byte ${this.#capture.startsAt}`;
      throw new InputError('ENCODING', this.#here(), { found, expected: 'UTF-8 text' });
    }
    try {
      return JSON.parse(text) as unknown;
    } catch (cause) {
      throw this.#syntaxIn(text, cause);
    }
  }

  #syntaxIn(text: string, cause?: unknown): InputError {
    const problem = findSyntaxProblem(text);
    if (problem === undefined) throw cause;
    const at = this.#capture.startsAt + Buffer.byteLength(text.slice(0, problem.offset));
    return this.#syntax(this.#here(), at, foundAt(text, problem.offset), problem.expected, cause);
  }

  /** A value that does not end: where a bracket is missing, the place where that shows lies inside it. */
  #throwUnfinished(why: string): never {
    const text = this.#capture.soFar;
    const problem = findSyntaxProblem(text);
    if (problem !== undefined && problem.offset < text.length) throw this.#syntaxIn(text);
    const at = this.#capture.startsAt + Buffer.byteLength(text);
    throw this.#syntax(this.#here(), at, why, problem?.expected ?? 'the end of the value');
  }

  #unexpected(bytes: Buffer, i: number): InputError {
    const byte = bytes[i] as number;
    const found =
      byte < 0x20 || byte > 0x7e ? `the byte 0x${byte.toString(16)}` : JSON.stringify(String.fromCharCode(byte));
    return this.#syntax(this.#here(), this.#offset + i, found, EXPECTED[this.#state]);
  }

  #syntax(place: Place, at: number, found: string, expected: string, cause?: unknown): InputError {
    return new InputError('SYNTAX', place, { found: `is no JSON at byte ${at}: ${found}`, expected }, { cause });
  }

  #wrongDocument(found: string): InputError {
    const expected = `${this.#list.expected}, an object with ${JSON.stringify(this.#list.key)}`;
    return new InputError('WRONG_DOCUMENT', this.#documentPlace, { found, expected });
  }

  /** The innermost place that the state is in. */
  #here(): Place {
    const state = this.#state;
    if (state.startsWith('element')) return this.#listPlace.at(this.#index);
    if (state === 'value' || state === 'colon') return this.#documentPlace.at(this.#key);
    return state === 'root' || state === 'after' || state === 'document-or-end' ? this.#file : this.#documentPlace;
  }
}
