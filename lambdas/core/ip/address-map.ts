import { blockSize, type Cidr, type Ipv4 } from './ipv4.ts';

/** Addresses in a /28, the size of a delegated prefix (EC2 user guide, "Prefix delegation for Amazon EC2 network interfaces"). */
export const BLOCK_IPS = 16;
/** Prefix length of a delegated prefix. */
export const BLOCK_LENGTH = 28;
/** The longest and the shortest prefix that an EC2 subnet may have (CreateSubnet). */
export const SUBNET_LENGTHS = { largest: 16, smallest: 28 } as const;

/** First four addresses: network, router, DNS, future use (VPC user guide, "Subnet CIDR blocks"). */
const FIRST_FOUR = 0x000f;
/** The last address, broadcast. */
const LAST_ONE = 0x8000;
const ALL = 0xffff;

/** Set bits of a 16-bit number. */
export function popCount(bits: number): number {
  let v = bits - ((bits >>> 1) & 0x5555);
  v = (v & 0x3333) + ((v >>> 2) & 0x3333);
  v = (v + (v >>> 4)) & 0x0f0f;
  return (v + (v >>> 8)) & 0x1f;
}

/**
 * The exact map of a subnet's addresses: one 16-bit word a /28, one bit an address, and beside it which /28s are delegated prefixes.
 *
 * Idempotent: what is marked twice counts once, in whichever order it comes. The five addresses that AWS reserves are never marked used.
 * Memory: 3 bytes a /28 (12 kB for a /16), plus 2 bytes a /28 for the primaries.
 */
export class AddressMap {
  readonly cidr: Cidr;
  /** Number of aligned /28 blocks. */
  readonly blocks: number;
  /** Bit n of word b: address 16 b + n of the subnet is used. */
  readonly used: Uint16Array;
  /** 1 where the block is a delegated prefix. */
  readonly delegated: Uint8Array;
  /** The first address and their number, beside the CIDR for speed: they are asked for each address of a region. */
  private readonly base: Ipv4;
  private readonly size: number;

  /** @param cidr a block of /16 to /28; a RangeError for any other length. */
  constructor(cidr: Cidr) {
    if (cidr.length < SUBNET_LENGTHS.largest || cidr.length > SUBNET_LENGTHS.smallest) {
      throw new RangeError(`an EC2 subnet is /16 to /28, not /${cidr.length}`);
    }
    this.cidr = cidr;
    this.base = cidr.base;
    this.size = blockSize(cidr.length);
    this.blocks = this.size / BLOCK_IPS;
    this.used = new Uint16Array(this.blocks);
    this.delegated = new Uint8Array(this.blocks);
  }

  contains(address: Ipv4): boolean {
    const offset = address - this.base;
    return offset >= 0 && offset < this.size;
  }

  /** The bits of a block that AWS reserves. */
  reservedBits(block: number): number {
    return (block === 0 ? FIRST_FOUR : 0) | (block === this.blocks - 1 ? LAST_ONE : 0);
  }

  /** Marks one address used. @returns how many usable addresses that added, 0 or 1; the address must lie inside the subnet. */
  addAddress(address: Ipv4): number {
    const offset = address - this.base;
    const block = offset >>> 4;
    const bit = 1 << (offset & 15);
    const before = this.used[block] as number;
    if ((before & bit) !== 0 || (this.isEdge(block) && (this.reservedBits(block) & bit) !== 0)) return 0;
    this.used[block] = before | bit;
    return 1;
  }

  /** Marks a delegated /28 by its first address. @returns how many usable addresses that added, 0 to 16; the block must lie inside the subnet. */
  addPrefix(base: Ipv4): number {
    const block = (base - this.base) >>> 4;
    const before = this.used[block] as number;
    const after = ALL & ~this.reservedBits(block);
    this.delegated[block] = 1;
    this.used[block] = after;
    return popCount(after & ~before);
  }

  usedIn(block: number): number {
    return popCount(this.used[block] as number);
  }

  isDelegated(block: number): boolean {
    return this.delegated[block] === 1;
  }

  /** Whether the block holds an address that AWS reserves. */
  isEdge(block: number): boolean {
    return block === 0 || block === this.blocks - 1;
  }

  /** First address of a block. */
  blockBase(block: number): Ipv4 {
    return this.cidr.base + block * BLOCK_IPS;
  }
}

/** The addresses of a subnet that a list of blocks covers, in the words of an {@link AddressMap}; parts outside the subnet do not count. */
export function coverage(map: AddressMap, cidrs: Iterable<Cidr>): Uint16Array {
  const covered = new Uint16Array(map.blocks);
  const end = map.blocks * BLOCK_IPS;
  for (const cidr of cidrs) {
    const first = Math.max(0, cidr.base - map.cidr.base);
    const last = Math.min(end, cidr.base - map.cidr.base + blockSize(cidr.length));
    for (let offset = first; offset < last; ) {
      const block = offset >>> 4;
      const from = offset & 15;
      const to = Math.min(BLOCK_IPS, from + last - offset);
      covered[block] = (covered[block] as number) | (((1 << (to - from)) - 1) << from);
      offset += to - from;
    }
  }
  return covered;
}
