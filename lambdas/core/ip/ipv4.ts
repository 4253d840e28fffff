/** IPv4 addresses and blocks as integers: 32-bit unsigned numbers, never strings, past the edge of the system. */

/** An IPv4 address as an unsigned 32-bit integer, 0 to 4294967295. */
export type Ipv4 = number;

/** A CIDR block: `base` has no bit set below `length`. */
export interface Cidr {
  readonly base: Ipv4;
  /** Prefix length in bits, 0 to 32. */
  readonly length: number;
}

const DOT = 46;
const ZERO = 48;

/**
 * Reads a dotted quad. `undefined` for anything else: leading zeros, spaces, fewer or more parts, a part over 255.
 *
 * @example parseIpv4('10.0.0.1') === 0x0a000001
 */
export function parseIpv4(text: string): Ipv4 | undefined {
  const end = text.length;
  if (end < 7 || end > 15) return undefined;
  let address = 0;
  let part = 0;
  let digits = 0;
  let dots = 0;
  for (let i = 0; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === DOT) {
      if (digits === 0) return undefined;
      address = address * 256 + part;
      part = 0;
      digits = 0;
      dots++;
    } else {
      const digit = code - ZERO;
      if (digit < 0 || digit > 9 || (digits > 0 && part === 0)) return undefined;
      part = part * 10 + digit;
      digits++;
      if (part > 255) return undefined;
    }
  }
  if (dots !== 3 || digits === 0) return undefined;
  return address * 256 + part;
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
