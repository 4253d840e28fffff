/**
 * A set of EC2 resource ids in about 12 bytes an id, for regions with a million interfaces: a string set would need ten times that.
 *
 * EC2's long ids are 17 hex digits that begin with 0, so 64 bits hold one exactly. Any other id goes into an ordinary set: nothing is approximated.
 */

/** Ids of one bucket, which is looked through from its start. */
const BUCKET_IDS = 64;
/** Buckets that are made at once: 8 kB, which a small set can bear. */
const SLAB_BUCKETS = 16;
/** Bits of the hash that the directory may use: 64 ids that agree in more would be no accident, and go into the ordinary set. */
const MOST_BITS = 24;

const HEX_DIGITS = 16;

/** Finalizer of a multiplicative hash (splitmix style), 32 bits. */
function mix(high: number, low: number): number {
  let h = Math.imul(high ^ 0x9e3779b9, 0x85ebca6b) ^ low;
  h = Math.imul(h ^ (h >>> 16), 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 13), 0x27d4eb2f);
  return (h ^ (h >>> 15)) >>> 0;
}

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

interface Slab {
  /** Upper and lower half of each id, bucket by bucket. */
  readonly halves: Uint32Array;
  /** Ids in each bucket. */
  readonly counts: Uint8Array;
  /** Bits of the hash in which the ids of a bucket agree. */
  readonly bits: Uint8Array;
}

/**
 * Extendible hashing (Fagin and others, 1979): a directory of buckets, and a bucket that is full is split in two. Only the ids of one bucket move at a time; nothing large is ever copied and thrown away, which is
 * what would fill the memory of a process that the set is to fit into. Buckets are seven tenths full on average.
 */
class Table {
  private readonly slabs: Slab[] = [];
  private buckets = 0;
  /** Bucket by the lowest bits of the hash. */
  private directory = new Uint32Array(1);

  constructor() {
    this.addBucket(0);
  }

  /** @returns 1 where it was added, 0 where it is there already, -1 where there is no room that it could have. */
  add(high: number, low: number): 1 | 0 | -1 {
    if (this.has(high, low)) return 0;
    const hash = mix(high, low);
    while (!this.put(this.bucketOf(hash), high, low)) if (!this.split(hash)) return -1;
    return 1;
  }

  has(high: number, low: number): boolean {
    const bucket = this.bucketOf(mix(high, low));
    const { halves, counts } = this.slab(bucket);
    const place = bucket % SLAB_BUCKETS;
    const first = place * BUCKET_IDS * 2;
    const end = first + 2 * (counts[place] as number);
    for (let at = first; at < end; at += 2) if (halves[at] === high && halves[at + 1] === low) return true;
    return false;
  }

  private bucketOf(hash: number): number {
    return this.directory[hash & (this.directory.length - 1)] as number;
  }

  private slab(bucket: number): Slab {
    return this.slabs[Math.floor(bucket / SLAB_BUCKETS)] as Slab;
  }

  private put(bucket: number, high: number, low: number): boolean {
    const { halves, counts } = this.slab(bucket);
    const place = bucket % SLAB_BUCKETS;
    const count = counts[place] as number;
    if (count === BUCKET_IDS) return false;
    const at = (place * BUCKET_IDS + count) * 2;
    halves[at] = high;
    halves[at + 1] = low;
    counts[place] = count + 1;
    return true;
  }

  private addBucket(bits: number): number {
    const bucket = this.buckets++;
    if (bucket % SLAB_BUCKETS === 0) {
      this.slabs.push({
        halves: new Uint32Array(SLAB_BUCKETS * BUCKET_IDS * 2),
        counts: new Uint8Array(SLAB_BUCKETS),
        bits: new Uint8Array(SLAB_BUCKETS),
      });
    }
    this.slab(bucket).bits[bucket % SLAB_BUCKETS] = bits;
    return bucket;
  }

  /** Splits the bucket of a hash by one more bit. @returns false where it has no more. */
  private split(hash: number): boolean {
    const old = this.bucketOf(hash);
    const { halves, counts, bits } = this.slab(old);
    const place = old % SLAB_BUCKETS;
    const shared = bits[place] as number;
    if (shared === MOST_BITS) return false;
    if (1 << shared === this.directory.length) this.doubleDirectory();
    bits[place] = shared + 1;
    const sibling = this.addBucket(shared + 1);
    const own = (hash & ((1 << shared) - 1)) | (1 << shared);
    for (let at = own; at < this.directory.length; at += 2 << shared) this.directory[at] = sibling;
    const first = place * BUCKET_IDS * 2;
    const dealt = halves.slice(first, first + 2 * (counts[place] as number));
    counts[place] = 0;
    for (let at = 0; at < dealt.length; at += 2) {
      const high = dealt[at] as number;
      const low = dealt[at + 1] as number;
      this.put(this.bucketOf(mix(high, low)), high, low);
    }
    return true;
  }

  private doubleDirectory(): void {
    const { directory } = this;
    this.directory = new Uint32Array(2 * directory.length);
    this.directory.set(directory);
    this.directory.set(directory, directory.length);
  }
}

export class IdSet {
  private readonly table = new Table();
  /** Ids of other forms. */
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
    if (this.others.size > 0 && this.others.has(id)) return false;
    const high = this.high(id);
    const low = high < 0 ? -1 : hex8(id, this.start + 8);
    const added = low < 0 ? -1 : this.table.add(high, low);
    if (added === 0) return false;
    if (added < 0) this.others.add(id);
    this.length++;
    return true;
  }

  has(id: string): boolean {
    const high = this.high(id);
    const low = high < 0 ? -1 : hex8(id, this.start + 8);
    return (low >= 0 && this.table.has(high, low)) || this.others.has(id);
  }

  private high(id: string): number {
    return id.length === this.start + HEX_DIGITS && id.startsWith(this.prefix) ? hex8(id, this.start) : -1;
  }
}
