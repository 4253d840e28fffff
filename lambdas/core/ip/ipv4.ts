/** IPv4 addresses and blocks as integers: 32-bit unsigned numbers, never strings, past the edge of the system. */

/** An IPv4 address as an unsigned 32-bit integer, 0 to 4294967295. */
export type Ipv4 = number;

/** A CIDR block: `base` has no bit set below `length`. */
export interface Cidr {
  readonly base: Ipv4;
  /** Prefix length in bits, 0 to 32. */
  readonly length: number;
}

const ZERO = 48;
/** What {@link digitAt} says of a dot. */
const DOT = 46 - ZERO;

/** The digit at a place; less than 0 or more than 9 where there is none. */
function digitAt(text: string, at: number): number {
  return at < text.length ? text.charCodeAt(at) - ZERO : -1;
}

/**
 * Reads a dotted quad. `undefined` for anything else: leading zeros, spaces, fewer or more parts, a part over 255.
 *
 * @example parseIpv4('10.0.0.1') === 0x0a000001
 */
export function parseIpv4(text: string): Ipv4 | undefined {
  let address = 0;
  let at = 0;
  // No loop over digits: files and answers of a region have a million addresses, and this takes a quarter less.
  for (let dots = 0; ; dots++) {
    let part = digitAt(text, at++);
    if (part < 0 || part > 9) return undefined;
    let next = digitAt(text, at++);
    if (next >= 0 && next <= 9) {
      if (part === 0) return undefined;
      part = part * 10 + next;
      next = digitAt(text, at++);
      if (next >= 0 && next <= 9) {
        part = part * 10 + next;
        next = digitAt(text, at++);
      }
    }
    if (part > 255) return undefined;
    address = (address << 8) | part;
    if (dots === 3) return at > text.length ? address >>> 0 : undefined;
    if (next !== DOT) return undefined;
  }
}

/** Writes a dotted quad. */
export function formatIpv4(address: Ipv4): string {
  return `${address >>> 24}.${(address >>> 16) & 255}.${(address >>> 8) & 255}.${address & 255}`;
}

/** Number of addresses in a block of this length. */
export function blockSize(length: number): number {
  // A shift and no power: it is asked for each address of a region. A number of 33 bits is out of its reach.
  return length === 0 ? 2 ** 32 : (1 << (32 - length)) >>> 0;
}

/** The block of this length that holds the address. */
export function blockOf(address: Ipv4, length: number): Cidr {
  const size = blockSize(length);
  return { base: address - (address % size), length };
}

/**
 * Reads `a.b.c.d/n`. `undefined` for text that is no CIDR and for one with host bits: EC2 never prints such a block, so a wrong file is likelier.
 *
 * @example formatCidr(parseCidr('10.0.0.0/24')!) === '10.0.0.0/24'
 */
export function parseCidr(text: string): Cidr | undefined {
  const slash = text.indexOf('/');
  if (slash < 0) return undefined;
  const digits = text.slice(slash + 1);
  if (!/^(?:0|[1-9]\d?)$/.test(digits)) return undefined;
  const length = Number(digits);
  const base = parseIpv4(text.slice(0, slash));
  if (base === undefined || length > 32 || base % blockSize(length) !== 0) return undefined;
  return { base, length };
}

export function formatCidr(cidr: Cidr): string {
  return `${formatIpv4(cidr.base)}/${cidr.length}`;
}

export function cidrContains(cidr: Cidr, address: Ipv4): boolean {
  return address >= cidr.base && address < cidr.base + blockSize(cidr.length);
}

/** Whether `inner` lies wholly inside `outer`. */
export function cidrCovers(outer: Cidr, inner: Cidr): boolean {
  return outer.length <= inner.length && cidrContains(outer, inner.base);
}
