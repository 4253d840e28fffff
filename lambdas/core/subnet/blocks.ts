/** What each /28 of a subnet is: the count behind the ledger and the cells of the drawn map. */
import { type AddressMap, BLOCK_LENGTH, coverage, popCount, SUBNET_LENGTHS } from '../ip/address-map.ts';
import type { Reservation } from './snapshot.ts';

/** Reserved addresses of a subnet, as words of an address map. */
export interface ReservedSpace {
  readonly prefix: Uint16Array;
  readonly explicit: Uint16Array;
}

/** As many words as the largest subnet has; read, never written. */
const NOTHING = new Uint16Array(2 ** (BLOCK_LENGTH - SUBNET_LENGTHS.largest));
export const NOTHING_RESERVED: ReservedSpace = { prefix: NOTHING, explicit: NOTHING };

/** Where nothing is reserved, the words are shared, and may be more than the map's. */
export function reservedSpace(map: AddressMap, reservations: readonly Reservation[]): ReservedSpace {
  if (reservations.length === 0) return NOTHING_RESERVED;
  const of = (type: Reservation['type']) =>
    coverage(
      map,
      reservations.filter((reservation) => reservation.type === type).map((reservation) => reservation.cidr),
    );
  return { prefix: of('prefix'), explicit: of('explicit') };
}

export type BlockState = 'free' | 'occupied' | 'delegated' | 'edge';

/** `delegated` goes before `edge`: a delegated edge block is evidence, not a mistake. */
export function blockState(map: AddressMap, block: number): BlockState {
  if (map.isDelegated(block)) return 'delegated';
  if (map.isEdge(block)) return 'edge';
  return map.used[block] === 0 ? 'free' : 'occupied';
}

/** Whether prefix delegation can be given the block now, as far as the map tells. */
export function isAssignable(map: AddressMap, reserved: ReservedSpace, block: number): boolean {
  return map.used[block] === 0 && !map.isEdge(block) && reserved.explicit[block] === 0;
}

/**
 * How many aligned blocks of each length are wholly free: not used, not reserved by AWS, in no explicit reservation.
 *
 * @returns from the subnet's own length to 28, for each length the count.
 */
export function freeBlocksByLength(map: AddressMap, reserved: ReservedSpace): ReadonlyMap<number, number> {
  const { used, blocks } = map;
  const { explicit } = reserved;
  const free = new Uint8Array(blocks);
  let count = 0;
  for (let block = 1; block < blocks - 1; block++) {
    if (used[block] !== 0 || explicit[block] !== 0) continue;
    free[block] = 1;
    count++;
  }
  const counts: [number, number][] = [[28, count]];
  let length = 27;
  for (let width = blocks >>> 1; width >= 1; width >>>= 1, length--) {
    // Each level is made in place from the one below: a block is free when both its halves are. Above a level without one there is none.
    let next = 0;
    for (let i = 0; count > 0 && i < width; i++) {
      const both = (free[2 * i] as number) & (free[2 * i + 1] as number);
      free[i] = both;
      next += both;
    }
    count = next;
    counts.push([length, count]);
  }
  return new Map(counts.reverse());
}

/** A block that would be free but for a single address. */
export interface LoneAddress {
  readonly block: number;
  readonly address: number;
  /** Whether it is the primary address of its interface: those are placed at random when a node starts and go only with it. */
  readonly primary: boolean;
}

/** The single addresses that each cost a whole /28, by address. */
export function loneAddresses(map: AddressMap, primaries: Uint16Array): readonly LoneAddress[] {
  const lone: LoneAddress[] = [];
  for (let block = 0; block < map.blocks; block++) {
    const word = map.used[block] as number;
    if (popCount(word) !== 1 || map.isEdge(block) || map.isDelegated(block)) continue;
    const primary = ((primaries[block] as number) & word) !== 0;
    lone.push({ block, address: map.blockBase(block) + 31 - Math.clz32(word), primary });
  }
  return lone;
}
