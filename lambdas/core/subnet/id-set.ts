/**
 * A set of EC2 resource ids in about 10 bytes an id, for regions with a million interfaces: a string set would need ten times that.
 *
 * EC2's long ids are 17 hex digits that begin with 0, so 64 bits hold one exactly. Any other id goes into an ordinary set: nothing is approximated.
 */

const SEGMENTS = 256;
const MAX_LOAD = 0.85;
const GROWTH = 1.5;
const FIRST_CAPACITY = 8;

/** Open addressing with linear probing; the pair (0, 0) marks an empty place. */
class Segment {
  private high = new Uint32Array(FIRST_CAPACITY);
  private low = new Uint32Array(FIRST_CAPACITY);
  private count = 0;

  add(high: number, low: number): boolean {
    const at = this.find(high, low);
    if (this.high[at] !== 0 || this.low[at] !== 0) return false;
    this.high[at] = high;
    this.low[at] = low;
    this.count++;
    if (this.count > this.high.length * MAX_LOAD) this.grow();
    return true;
  }

  has(high: number, low: number): boolean {
    const at = this.find(high, low);
    return this.high[at] !== 0 || this.low[at] !== 0;
  }

  private find(high: number, low: number): number {
    const capacity = this.high.length;
    let at = mix(high, low) % capacity;
    for (;;) {
      const h = this.high[at] as number;
      const l = this.low[at] as number;
      if ((h === high && l === low) || (h === 0 && l === 0)) return at;
      at = at + 1 === capacity ? 0 : at + 1;
    }
  }

  private grow(): void {
    const oldHigh = this.high;
    const oldLow = this.low;
    const capacity = Math.ceil(oldHigh.length * GROWTH);
    this.high = new Uint32Array(capacity);
    this.low = new Uint32Array(capacity);
    for (let i = 0; i < oldHigh.length; i++) {
      const h = oldHigh[i] as number;
      const l = oldLow[i] as number;
      if (h === 0 && l === 0) continue;
      const at = this.find(h, l);
      this.high[at] = h;
      this.low[at] = l;
    }
  }
}

/** Finalizer of a multiplicative hash (splitmix style), 32 bits. */
function mix(high: number, low: number): number {
  let h = Math.imul(high ^ 0x9e3779b9, 0x85ebca6b) ^ low;
  h = Math.imul(h ^ (h >>> 16), 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 13), 0x27d4eb2f);
  return (h ^ (h >>> 15)) >>> 0;
}

const HEX_DIGITS = 16;

/** Value of eight hex digits from `start`, or -1. */
function hex8(text: string, start: number): number {
  let value = 0;
  for (let i = start; i < start + 8; i++) {
    const code = text.charCodeAt(i);
    const digit = code >= 48 && code <= 57 ? code - 48 : code >= 97 && code <= 102 ? code - 87 : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

export class IdSet {
  private readonly segments: (Segment | undefined)[] = new Array<Segment | undefined>(SEGMENTS);
  private readonly others = new Set<string>();
  private readonly prefix: string;
  private readonly start: number;
  private length = 0;

  /** @param prefix what each id begins with: `eni-`, `i-`. */
  constructor(prefix: string) {
    // 'eni-' + '0' + 16 hex digits.
    this.prefix = `${prefix}0`;
    this.start = this.prefix.length;
  }

  get size(): number {
    return this.length;
  }

  /** @returns whether the id is new. */
  add(id: string): boolean {
    const high = this.high(id);
    const low = high < 0 ? -1 : hex8(id, this.start + 8);
    const added = low < 0 || (high === 0 && low === 0) ? this.addOther(id) : this.segment(high, low).add(high, low);
    if (added) this.length++;
    return added;
  }

  has(id: string): boolean {
    const high = this.high(id);
    const low = high < 0 ? -1 : hex8(id, this.start + 8);
    return low < 0 || (high === 0 && low === 0) ? this.others.has(id) : this.segment(high, low).has(high, low);
  }

  private high(id: string): number {
    return id.length === this.start + HEX_DIGITS && id.startsWith(this.prefix) ? hex8(id, this.start) : -1;
  }

  private segment(high: number, low: number): Segment {
    const at = (mix(low, high) >>> 8) % SEGMENTS;
    let segment = this.segments[at];
    if (segment === undefined) {
      segment = new Segment();
      this.segments[at] = segment;
    }
    return segment;
  }

  private addOther(id: string): boolean {
    if (this.others.has(id)) return false;
    this.others.add(id);
    return true;
  }
}
