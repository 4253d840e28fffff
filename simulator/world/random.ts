/** Seeded randomness: the same seed and the same calls give the same addresses and ids, on every machine. */

/** A stream of numbers from 0 (inclusive) to 1 (exclusive): the public-domain generator `mulberry32`, 32 bits of state. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 0x100000000;
  }

  /** A whole number from 0 to `bound` - 1. */
  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  /** 17 hexadecimal digits, as in resource ids. */
  hex17(): string {
    const digits = (): string => this.below(0x1000000).toString(16).padStart(6, '0');
    return `0${(digits() + digits() + digits()).slice(0, 16)}`;
  }
}
