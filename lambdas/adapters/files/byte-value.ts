/**
 * Finds where one JSON value ends in a stream of bytes, at any chunk boundary. It knows strings, escapes and depth and nothing else: whether the value is
 * JSON is for the parser to say, and a missing bracket shows there.
 *
 * Bytes of UTF-8 that belong to longer characters are all above 0x7f, so none is taken for a quote or a bracket.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const ORDINARY = 0;
const STARTS_STRING = 1;
const OPENS = 2;
const CLOSES = 3;
/** What a byte outside a string means. */
const MEANING = new Uint8Array(256);
MEANING[QUOTE] = STARTS_STRING;
for (const char of '{[') MEANING[char.charCodeAt(0)] = OPENS;
for (const char of '}]') MEANING[char.charCodeAt(0)] = CLOSES;

/** Bytes that end a number or a word. */
const ENDS_SCALAR = new Uint8Array(256);
for (const char of ' \t\n\r,:{}[]"') ENDS_SCALAR[char.charCodeAt(0)] = 1;

export class ByteValue {
  #depth = 0;
  #inString = false;
  #escaped = false;
  #scalar = false;

  /** Starts at the first byte of a value. @returns whether the byte can start one. */
  start(first: number): boolean {
    this.#depth = 0;
    this.#inString = first === QUOTE;
    this.#escaped = false;
    const meaning = MEANING[first];
    if (meaning === OPENS) this.#depth = 1;
    this.#scalar = meaning === ORDINARY;
    // - 0-9, and t f n of the three words.
    const startsScalar = first === 0x2d || (first >= 0x30 && first <= 0x39) || first === 0x74 || first === 0x66;
    return this.#inString || meaning === OPENS || startsScalar || first === 0x6e;
  }

  /** Whether the value is a number or a word, which nothing but what follows ends. */
  get endsWithFile(): boolean {
    return this.#scalar;
  }

  /**
   * Goes on from `at`, the byte after those seen so far.
   * @returns the index just behind the value, or -1 where it goes on in the next chunk.
   */
  scan(bytes: Uint8Array, at: number, end: number): number {
    if (this.#scalar) {
      for (let i = at; i < end; i++) if (ENDS_SCALAR[bytes[i] as number] === 1) return i;
      return -1;
    }
    return this.#scanComposite(bytes, at, end);
  }

  #scanComposite(bytes: Uint8Array, at: number, end: number): number {
    let depth = this.#depth;
    let inString = this.#inString;
    let escaped = this.#escaped;
    let i = at;
    let done = false;
    while (i < end && !done) {
      if (inString) {
        while (i < end) {
          const byte = bytes[i++] as number;
          if (escaped) escaped = false;
          else if (byte === BACKSLASH) escaped = true;
          else if (byte === QUOTE) {
            inString = false;
            done = depth === 0;
            break;
          }
        }
      } else {
        while (i < end) {
          const meaning = MEANING[bytes[i++] as number] as number;
          if (meaning === ORDINARY) continue;
          if (meaning === STARTS_STRING) {
            inString = true;
            break;
          }
          if (meaning === OPENS) depth++;
          else if (--depth === 0) {
            done = true;
            break;
          }
        }
      }
    }
    this.#depth = depth;
    this.#inString = inString;
    this.#escaped = escaped;
    return done ? i : -1;
  }
}
