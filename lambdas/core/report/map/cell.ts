/** One /28 of a drawn map, as one byte: the form in which maps are compared, kept over time and handed to a page. */
import { type AddressMap, BLOCK_IPS, popCount } from '../../ip/address-map.ts';
import { type BlockState, blockState, reservedSpace } from '../../subnet/blocks.ts';
import type { Reservation, ReservationType } from '../../subnet/snapshot.ts';

export interface Cell {
  readonly state: BlockState;
  /** `explicit` where any address is reserved so, `prefix` only where the whole block is: as in the ledger. */
  readonly reservation: ReservationType | null;
  /** Used addresses, 0 to 16. */
  readonly used: number;
}

/** Order is part of the form. */
const STATES: readonly BlockState[] = ['free', 'occupied', 'delegated', 'edge'];
const RESERVATIONS: readonly (ReservationType | null)[] = [null, 'prefix', 'explicit'];
const COUNTS = BLOCK_IPS + 1;
const WHOLE_BLOCK = 0xffff;

export function cellByte({ state, reservation, used }: Cell): number {
  return (STATES.indexOf(state) * RESERVATIONS.length + RESERVATIONS.indexOf(reservation)) * COUNTS + used;
}

/** @throws RangeError a byte that {@link cellByte} never gives. */
export function cellOf(byte: number): Cell {
  const kind = Math.floor(byte / COUNTS);
  const state = STATES[Math.floor(kind / RESERVATIONS.length)];
  if (state === undefined) throw new RangeError(`no cell of a map: ${byte}`);
  return {
    state,
    reservation: RESERVATIONS[kind % RESERVATIONS.length] as ReservationType | null,
    used: byte % COUNTS,
  };
}

/** Every /28 of a subnet, by address. */
export function cellsOf(map: AddressMap, reservations: readonly Reservation[]): Uint8Array {
  const reserved = reservedSpace(map, reservations);
  return Uint8Array.from({ length: map.blocks }, (_, block) =>
    cellByte({
      state: blockState(map, block),
      reservation:
        reserved.explicit[block] !== 0 ? 'explicit' : reserved.prefix[block] === WHOLE_BLOCK ? 'prefix' : null,
      used: popCount(map.used[block] as number),
    }),
  );
}

/** What a cell is drawn as. */
export type CellKind = 'free' | 'free-prefix' | 'free-explicit' | 'delegated' | 'edge' | 'occupied';

/** The order of legends: what can be given first. */
export const CELL_KINDS: readonly CellKind[] = [
  'free',
  'free-prefix',
  'delegated',
  'occupied',
  'free-explicit',
  'edge',
];

export function cellKind({ state, reservation }: Cell): CellKind {
  return state === 'free' && reservation !== null ? `free-${reservation}` : state;
}

/** Whether prefix delegation can still be given the block. */
export function isGivable(cell: Cell): boolean {
  return cell.state === 'free' && cell.reservation !== 'explicit';
}

/** What each kind means, for a legend. */
export const KIND_MEANINGS: Readonly<Record<CellKind, string>> = {
  free: 'free: can be given as a prefix',
  'free-prefix': 'free, in a prefix reservation',
  delegated: 'delegated prefix',
  occupied: 'single addresses used in it: no prefix here',
  'free-explicit': 'free, in an explicit reservation: never given',
  edge: 'edge: AWS keeps addresses in it, never given',
};

/** `0-9 a-g`: the sign of a used count, where g is all 16. */
export const USED_SIGNS = '0123456789abcdefg';
