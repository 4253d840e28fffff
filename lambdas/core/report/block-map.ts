/** Draws the /28s of a subnet, one cell a block. */
import type { DocumentBlock } from '../../contract/document.ts';
import { BLOCK_IPS } from '../ip/address-map.ts';
import { formatIpv4, parseCidr } from '../ip/ipv4.ts';
import { count } from './layout.ts';
import type { Ink, Pen } from './pen.ts';

/** Blocks a row: of a small subnet one row is a /24, with the last part of each block's address above it; of a large one a /22. */
const WIDE_ROW = 16;
const DENSE_ROW = 64;
/** The largest subnet that is drawn with wide cells: a /22. */
const WIDE_BLOCKS = 64;

const USED_SIGNS = '0123456789abcdefg';

interface Sign {
  readonly sign: string;
  readonly ink: Ink;
  readonly meaning: string;
}

const SIGNS = {
  free: { sign: '.', ink: 'free', meaning: 'free: can be given as a prefix' },
  prefix: { sign: 'R', ink: 'reserved', meaning: 'free, in a prefix reservation' },
  explicit: { sign: 'X', ink: 'dim', meaning: 'free, in an explicit reservation: never given' },
  delegated: { sign: 'P', ink: 'delegated', meaning: 'delegated prefix' },
  edge: { sign: 'E', ink: 'dim', meaning: 'edge: AWS keeps addresses in it, never given' },
  occupied: {
    sign: '1-9 a-g',
    ink: 'used',
    meaning: 'single addresses used in it, a is 10, g is all 16: no prefix here',
  },
} as const satisfies { readonly [kind: string]: Sign };
type Kind = keyof typeof SIGNS;

function kindOf(block: DocumentBlock): Kind {
  return block.state === 'free' ? (block.reservation ?? 'free') : block.state;
}

function cell(pen: Pen, block: DocumentBlock): string {
  const kind = kindOf(block);
  const { sign, ink } = SIGNS[kind];
  return pen.paint(ink, kind === 'occupied' ? (USED_SIGNS[block.usedIps] as string) : sign);
}

/** @param blocks every /28 of one subnet, by address. @returns the rows, and below them what each sign means and how many there are. */
export function blockMap(pen: Pen, blocks: readonly DocumentBlock[]): string[] {
  const rows = blocks.length <= WIDE_BLOCKS ? wideRows(pen, blocks) : denseRows(pen, blocks);
  return [...rows, '', ...legend(pen, blocks)];
}

function baseOf(block: DocumentBlock): number {
  return parseCidr(block.cidr)?.base as number;
}

function rowsOf<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, row) => items.slice(row * size, (row + 1) * size));
}

function wideRows(pen: Pen, blocks: readonly DocumentBlock[]): string[] {
  const heading = blocks.slice(0, WIDE_ROW).map((block) => `.${baseOf(block) & 255}`.padStart(5));
  const rows = rowsOf(blocks, WIDE_ROW).map((row) => {
    const label = formatIpv4(baseOf(row[0] as DocumentBlock)).padEnd(15);
    return label + row.map((block) => `    ${cell(pen, block)}`).join('');
  });
  return [pen.paint('dim', ' '.repeat(15) + heading.join('')), ...rows];
}

function denseRows(pen: Pen, blocks: readonly DocumentBlock[]): string[] {
  return rowsOf(blocks, DENSE_ROW).map((row) => {
    const quarters = rowsOf(row, WIDE_ROW).map((part) => part.map((block) => cell(pen, block)).join(''));
    return `${formatIpv4(baseOf(row[0] as DocumentBlock)).padEnd(16)} ${quarters.join(' ')}`;
  });
}

function legend(pen: Pen, blocks: readonly DocumentBlock[]): string[] {
  const counts = new Map<Kind, number>();
  for (const block of blocks) counts.set(kindOf(block), (counts.get(kindOf(block)) ?? 0) + 1);
  const kinds = (Object.keys(SIGNS) as Kind[]).filter((kind) => counts.has(kind));
  const signs = kinds.map((kind) => SIGNS[kind].sign);
  const wide = Math.max(...signs.map((sign) => sign.length));
  const most = Math.max(...kinds.map((kind) => count(counts.get(kind) as number).length));
  return kinds.map((kind) => {
    const { sign, ink, meaning } = SIGNS[kind];
    return `  ${pen.paint(ink, sign)}${' '.repeat(wide - sign.length)}  ${count(counts.get(kind) as number).padStart(most)} ${meaning}`;
  });
}

/** Addresses that one row of the drawing spans, for its caption. */
export function rowSpan(blocks: number): string {
  return blocks <= WIDE_BLOCKS
    ? `a row is ${Math.min(blocks, WIDE_ROW) * BLOCK_IPS} addresses`
    : 'a row is a /22, a group a /24';
}
