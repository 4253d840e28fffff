/** Bytes that a page carries: written here, read in the browser by the same file. No DOM, no Node. */

/** Unsigned integers below 2^31, seven bits a byte, low ones first (LEB128). */
export class ByteWriter {
  private buffer = new Uint8Array(1024);
  private length = 0;

  byte(value: number): void {
    if (this.length === this.buffer.length) {
      const wider = new Uint8Array(this.buffer.length * 2);
      wider.set(this.buffer);
      this.buffer = wider;
    }
    this.buffer[this.length++] = value;
  }

  integer(value: number): void {
    let rest = value;
    for (; rest > 0x7f; rest >>>= 7) this.byte((rest & 0x7f) | 0x80);
    this.byte(rest);
  }

  bytes(values: Uint8Array): void {
    for (const value of values) this.byte(value);
  }

  done(): Uint8Array {
    return this.buffer.slice(0, this.length);
  }
}

export class ByteReader {
  private readonly source: Uint8Array;
  private at = 0;

  constructor(source: Uint8Array) {
    this.source = source;
  }

  /** @throws RangeError past the end: the page was cut or changed. */
  byte(): number {
    const value = this.source[this.at++];
    if (value === undefined) throw new RangeError('the data of this page ends too early');
    return value;
  }

  integer(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }

  bytes(length: number): Uint8Array {
    const part = this.source.slice(this.at, this.at + length);
    if (part.length < length) throw new RangeError('the data of this page ends too early');
    this.at += length;
    return part;
  }
}
