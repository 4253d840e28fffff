/** The map of a subnet as plain text that fits a chat message or a mail, whatever the subnet's size. */
import type { DocumentSubnet } from '../../../contract/document.ts';
import { counted } from '../layout.ts';
import { availableWords, isFullSubnet, prefixWords } from '../ledger-words.ts';
import { printable } from '../printable.ts';
import { type Cell, type CellKind, cellKind, cellOf, isGivable, USED_SIGNS } from './cell.ts';

/** A phone shows about this many columns of a code block before it breaks the line. */
const COLUMNS = 32;
/** With heading and legend the whole stays far below Slack's 3,000 characters a text (Block Kit reference, "text object"). */
const ROWS = 8;
/** Names and ids are cut to it: a tag value may have 256 characters. */
const NAME_CHARACTERS = 60;

const SIGNS: Readonly<Record<Exclude<CellKind, 'occupied'>, string>> = {
  free: '.',
  'free-prefix': 'R',
  'free-explicit': 'X',
  delegated: 'P',
  edge: 'E',
};

export interface TextMap {
  readonly rows: readonly string[];
  /** /28 blocks that one sign stands for, a power of two. */
  readonly blocksPerSign: number;
  /** What the signs mean, one line. */
  readonly legend: string;
}

/**
 * Draws a subnet on at most 8 rows of 32 signs. One sign stands for one /28, or in a large subnet for a few of them.
 *
 * @param cells as {@link cellsOf} gives them.
 */
export function textMap(cells: Uint8Array): TextMap {
  let blocksPerSign = 1;
  while (cells.length / blocksPerSign > COLUMNS * ROWS) blocksPerSign *= 2;
  const signs: string[] = [];
  for (let at = 0; at < cells.length; at += blocksPerSign) {
    const part = Array.from(cells.subarray(at, at + blocksPerSign), cellOf);
    signs.push(blocksPerSign === 1 ? signOf(part[0] as Cell) : signOfSeveral(part));
  }
  const rows = Array.from({ length: Math.ceil(signs.length / COLUMNS) }, (_, row) =>
    signs.slice(row * COLUMNS, (row + 1) * COLUMNS).join(''),
  );
  return { rows, blocksPerSign, legend: blocksPerSign === 1 ? legendOf(cells) : severalLegend(blocksPerSign) };
}

function signOf(cell: Cell): string {
  const kind = cellKind(cell);
  return kind === 'occupied' ? (USED_SIGNS[cell.used] as string) : SIGNS[kind];
}

/** Of several blocks it says only what counts: whether a prefix can still come from there. */
function signOfSeveral(part: readonly Cell[]): string {
  const givable = part.filter(isGivable).length;
  if (givable === part.length) return '.';
  if (givable > 0) return 'o';
  return part.every(({ state }) => state === 'delegated') ? 'P' : '#';
}

const MEANINGS: readonly (readonly [CellKind, string])[] = [
  ['free', '. free /28'],
  ['occupied', '1-g single addresses used in it (g = 16)'],
  ['delegated', 'P prefix'],
  ['free-prefix', 'R kept for prefixes'],
  ['free-explicit', 'X explicitly reserved'],
  ['edge', 'E edge'],
];

function legendOf(cells: Uint8Array): string {
  const there = new Set(Array.from(cells, (byte) => cellKind(cellOf(byte))));
  return MEANINGS.filter(([kind]) => there.has(kind))
    .map(([, words]) => words)
    .join(', ');
}

function severalLegend(blocks: number): string {
  return `one sign is ${blocks} /28: . all free, o some free, # none free, P all prefixes`;
}

/**
 * A subnet as a few lines of plain text: its name, its two numbers, its map. Foreign text in it is made safe to show.
 *
 * @param cells as {@link cellsOf} gives them.
 * @returns `undefined` where the subnet's interfaces were not read. At most `MAP_LINES` lines and `MAP_CHARACTERS` characters (contract/events.ts).
 */
export function subnetText(subnet: DocumentSubnet, cells: Uint8Array): readonly string[] | undefined {
  if (!isFullSubnet(subnet)) return undefined;
  const { rows, legend } = textMap(cells);
  const name = subnet.name === undefined ? '' : ` ${shown(subnet.name)}`;
  const hidden = subnet.unaccountedIps;
  return [
    `${shown(subnet.subnetId)}${name}`,
    `${subnet.cidr} ${shown(subnet.availabilityZone)}: ${availableWords(subnet)} addresses, ${prefixWords(subnet)} /28 free`,
    ...rows,
    legend,
    ...(hidden === 0 ? [] : [`${counted(hidden, 'address', 'addresses')} unaccounted for: not drawn`]),
  ];
}

function shown(name: string): string {
  return cutTo(printable(name), NAME_CHARACTERS);
}

/** Cut between characters, never inside one. */
function cutTo(text: string, characters: number): string {
  const points = [...text];
  return points.length <= characters ? text : `${points.slice(0, characters - 1).join('')}…`;
}
