/**
 * Which addresses of one subnet are held, and how EC2 picks the next. One byte an address, so a /16 takes 64 KiB; counts are kept as it changes.
 *
 * Rules and their sources: docs/simulator.md. Offsets are counted from the subnet's first address.
 */
import { blockOf, blockSize, type Cidr, cidrContains, cidrCovers, type Ipv4 } from '../../lambdas/core/ip/ipv4.ts';
import type { Random } from './random.ts';

export type ReservationType = 'prefix' | 'explicit';

/** Addresses of a delegated prefix. */
export const PREFIX_SIZE = 16;
const PREFIX_LENGTH = 28;

// Low two bits: who holds the address. Next two: the reservation it lies in.
const FREE = 0;
const AWS = 1;
const SINGLE = 2;
const PREFIX = 3;
const HOLDER = 0b11;
const RESERVED: Readonly<Record<ReservationType, number>> = { prefix: 0b0100, explicit: 0b1000 };

/** AWS keeps the first four addresses and the last one (VPC guide, subnet sizing). */
const HEAD = 4;
const TAIL = 1;
export const RESERVED_BY_AWS = HEAD + TAIL;

/** Random tries before the free addresses are counted through; past it the subnet is nearly full. */
const TRIES = 32;

export class AddressMap {
  readonly cidr: Cidr;
  readonly #size: number;
  readonly #bytes: Uint8Array;
  #free: number;
  readonly #reservedFree: Record<ReservationType, number> = { prefix: 0, explicit: 0 };

  constructor(cidr: Cidr) {
    this.cidr = cidr;
    this.#size = blockSize(cidr.length);
    this.#bytes = new Uint8Array(this.#size);
    this.#bytes.fill(AWS, 0, HEAD);
    this.#bytes.fill(AWS, this.#size - TAIL);
    this.#free = this.#size - RESERVED_BY_AWS;
  }

  /** Addresses nobody holds, reserved ones among them. */
  get free(): number {
    return this.#free;
  }

  /** Free addresses inside reservations of this type. */
  reservedFree(type: ReservationType): number {
    return this.#reservedFree[type];
  }

  /** Whether any address lies in a reservation of this type. */
  hasReservation(type: ReservationType): boolean {
    return this.#bytes.some((byte) => (byte & RESERVED[type]) !== 0);
  }

  /** What the address is: `outside` the subnet, kept by `aws`, `held`, or `free`. */
  stateOf(address: Ipv4): 'outside' | 'aws' | 'held' | 'free' {
    if (!cidrContains(this.cidr, address)) return 'outside';
    const holder = this.#holderAt(address - this.cidr.base);
    if (holder === AWS) return 'aws';
    return holder === FREE ? 'free' : 'held';
  }

  /** Holds one free address; anything else is left as it is. Gives whether it was free. */
  take(address: Ipv4): boolean {
    return this.#hold(address - this.cidr.base, 1, SINGLE) === 1;
  }

  /** Holds what is free of a /28. Gives how many addresses that were: 16 unless facts overlap. */
  takePrefix(base: Ipv4): number {
    return this.#hold(base - this.cidr.base, PREFIX_SIZE, PREFIX);
  }

  /** Lets go of a single address. Gives how many addresses came free: 0 if it was not one. */
  release(address: Ipv4): number {
    return this.#letGo(address - this.cidr.base, 1, SINGLE);
  }

  releasePrefix(base: Ipv4): number {
    return this.#letGo(base - this.cidr.base, PREFIX_SIZE, PREFIX);
  }

  /** Marks a range as reserved, or as no longer so. Held addresses keep their holders (VPC guide, subnet CIDR reservations). */
  reserve(range: Cidr, type: ReservationType, on: boolean): void {
    const first = range.base - this.cidr.base;
    const flag = RESERVED[type];
    for (let offset = first; offset < first + blockSize(range.length); offset++) {
      const byte = this.#bytes[offset];
      if (byte === undefined || ((byte & flag) !== 0) === on) continue;
      if ((byte & HOLDER) === FREE) this.#reservedFree[type] += on ? 1 : -1;
      this.#bytes[offset] = on ? byte | flag : byte & ~flag;
    }
  }

  /** A single address as EC2 would pick it: at random among the free ones that no reservation covers. `undefined` where there is none. */
  pickSingle(random: Random): Ipv4 | undefined {
    const choices = this.#free - this.#reservedFree.prefix - this.#reservedFree.explicit;
    if (choices <= 0) return undefined;
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const offset = random.below(this.#size);
      if (this.#bytes[offset] === FREE) return this.cidr.base + offset;
    }
    let skip = random.below(choices);
    for (let offset = 0; offset < this.#size; offset++) {
      if (this.#bytes[offset] === FREE && skip-- === 0) return this.cidr.base + offset;
    }
    return undefined;
  }

  /** Bases of the /28s that may be delegated: `reserved` wholly inside prefix reservations, `general` the others. */
  freePrefixes(): { readonly reserved: Ipv4[]; readonly general: Ipv4[] } {
    const reserved: Ipv4[] = [];
    const general: Ipv4[] = [];
    for (let offset = 0; offset + PREFIX_SIZE <= this.#size; offset += PREFIX_SIZE) {
      let inside = 0;
      let usable = true;
      for (let i = offset; i < offset + PREFIX_SIZE && usable; i++) {
        const byte = this.#bytes[i] ?? AWS;
        if (byte === RESERVED.prefix) inside++;
        else if (byte !== FREE) usable = false;
      }
      if (usable) (inside === PREFIX_SIZE ? reserved : general).push(this.cidr.base + offset);
    }
    return { reserved, general };
  }

  /** Whether this /28 may be delegated when named: aligned, inside, and wholly free (reserved or not). */
  prefixIsFree(block: Cidr): boolean {
    if (block.length !== PREFIX_LENGTH || !cidrCovers(this.cidr, block)) return false;
    for (let address = block.base; address < block.base + PREFIX_SIZE; address++) {
      if (this.stateOf(address) !== 'free') return false;
    }
    return blockOf(block.base, PREFIX_LENGTH).base === block.base;
  }

  #holderAt(offset: number): number {
    return (this.#bytes[offset] ?? AWS) & HOLDER;
  }

  #hold(first: number, count: number, holder: number): number {
    return this.#change(first, count, FREE, holder);
  }

  #letGo(first: number, count: number, holder: number): number {
    return this.#change(first, count, holder, FREE);
  }

  #change(first: number, count: number, from: number, to: number): number {
    const step = to === FREE ? 1 : -1;
    let changed = 0;
    for (let offset = first; offset < first + count; offset++) {
      const byte = this.#bytes[offset];
      if (byte === undefined || (byte & HOLDER) !== from) continue;
      this.#bytes[offset] = (byte & ~HOLDER) | to;
      if ((byte & RESERVED.prefix) !== 0) this.#reservedFree.prefix += step;
      if ((byte & RESERVED.explicit) !== 0) this.#reservedFree.explicit += step;
      changed++;
    }
    this.#free += step * changed;
    return changed;
  }
}
