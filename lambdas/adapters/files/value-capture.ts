/** Holds one JSON value while its bytes come in chunks; what lies in one chunk is not copied. */
import { isUtf8 } from 'node:buffer';
import { ByteValue } from './byte-value.ts';

/** Bytes of one value. An interface with every address its instance type allows has some 20 kB; beyond this a bracket is missing. */
export const LONGEST_VALUE = 16 * 1024 * 1024;
const FIRST_CARRY = 64 * 1024;

export class ValueCapture {
  readonly #value = new ByteValue();
  #open = false;
  #tooLong = false;
  #startsAt = 0;
  #text: string | undefined;
  /** Bytes of the value that earlier chunks had. */
  #carry = Buffer.allocUnsafe(FIRST_CARRY);
  #carried = 0;

  /** Whether a value has begun and not ended. */
  get open(): boolean {
    return this.#open;
  }

  /** Whether it was given up because it goes on beyond {@link LONGEST_VALUE}. */
  get tooLong(): boolean {
    return this.#tooLong;
  }

  /** Offset in the file of the value's first byte. */
  get startsAt(): number {
    return this.#startsAt;
  }

  /** The value, once it has ended; `undefined` where its bytes are no UTF-8. */
  get text(): string | undefined {
    return this.#text;
  }

  /** What has come of a value that has not ended. */
  get soFar(): string {
    return this.#carry.toString('utf8', 0, this.#carried);
  }

  /** @param offset of the chunk in the file. @returns whether the byte at `at` can start a value. */
  start(bytes: Buffer, at: number, offset: number): boolean {
    if (!this.#value.start(bytes[at] as number)) return false;
    this.#open = true;
    this.#tooLong = false;
    this.#startsAt = offset + at;
    this.#carried = 0;
    if (at + 1 === bytes.length) this.#keep(bytes, at);
    return true;
  }

  /** Takes the bytes from `at` on. @returns the index behind what was taken: the chunk's length where the value goes on. */
  take(bytes: Buffer, at: number, offset: number): number {
    const end = this.#value.scan(bytes, at, bytes.length);
    const inChunk = this.#startsAt - offset;
    if (end < 0) {
      this.#keep(bytes, Math.max(inChunk, 0));
      return bytes.length;
    }
    this.#open = false;
    if (inChunk >= 0) this.#text = decode(bytes, inChunk, end);
    else {
      this.#keep(bytes.subarray(0, end), 0);
      this.#text = decode(this.#carry, 0, this.#carried);
    }
    return end;
  }

  /** The file is over: a number or word ends with it. @returns whether the value has ended. */
  closeAtEnd(): boolean {
    if (!this.#value.endsWithFile) return false;
    this.#open = false;
    this.#text = decode(this.#carry, 0, this.#carried);
    return true;
  }

  #keep(bytes: Buffer, from: number): void {
    const needed = this.#carried + bytes.length - from;
    if (needed > LONGEST_VALUE) {
      this.#tooLong = true;
      return;
    }
    if (needed > this.#carry.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#carry.length));
      this.#carry.copy(larger, 0, 0, this.#carried);
      this.#carry = larger;
    }
    bytes.copy(this.#carry, this.#carried, from);
    this.#carried = needed;
  }
}

/** Only a text with a replacement character can have come from bytes that are no UTF-8. */
function decode(bytes: Buffer, from: number, to: number): string | undefined {
  const text = bytes.toString('utf8', from, to);
  return text.includes('\ufffd') && !isUtf8(bytes.subarray(from, to)) ? undefined : text;
}
