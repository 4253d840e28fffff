/** One /28 in words: what a screen reader says of a cell and what stands above its holders. */
import { formatIpv4 } from '../../ip/ipv4.ts';
import { type CellKind, cellKind, cellOf, USED_SIGNS } from '../map/cell.ts';

const BLOCK_IPS = 16;
/** A byte that no cell has: the map of the subnet is not known at that time. */
export const UNKNOWN_CELL = 255;

export type ShownKind = CellKind | 'unknown';

export function shownKind(byte: number): ShownKind {
  return byte === UNKNOWN_CELL ? 'unknown' : cellKind(cellOf(byte));
}

/** Used addresses; 0 where that is not known. */
export function usedOf(byte: number): number {
  return byte === UNKNOWN_CELL ? 0 : cellOf(byte).used;
}

const SIGNS: Readonly<Record<Exclude<ShownKind, 'occupied'>, string>> = {
  free: '',
  'free-prefix': 'R',
  'free-explicit': 'X',
  delegated: 'P',
  edge: 'E',
  unknown: '?',
};

/** What is written into a large cell. */
export function cellSign(byte: number): string {
  const kind = shownKind(byte);
  return kind === 'occupied' ? (USED_SIGNS[usedOf(byte)] as string) : SIGNS[kind];
}

/** @param base first address of the subnet. */
export function blockCidr(base: number, block: number): string {
  return `${formatIpv4(base + block * BLOCK_IPS)}/28`;
}

export function blockState(byte: number): string {
  const kind = shownKind(byte);
  switch (kind) {
    case 'unknown':
      return 'not known at this time';
    case 'free':
      return 'free, can be given as a prefix';
    case 'free-prefix':
      return 'free, in a prefix reservation';
    case 'free-explicit':
      return 'free, in an explicit reservation, never given';
    case 'delegated':
      return 'delegated prefix';
    case 'edge':
      return `edge, AWS keeps addresses in it, ${usedOf(byte)} used, never given as a prefix`;
    case 'occupied':
      return `occupied by ${usedOf(byte)} of 16 addresses${reservedWords(byte)}, no prefix here`;
  }
}

function reservedWords(byte: number): string {
  const { reservation } = cellOf(byte);
  return reservation === null ? '' : `, in ${reservation === 'prefix' ? 'a prefix' : 'an explicit'} reservation`;
}
