/** The map of a subnet as an SVG of a few paths: no script, no style sheet, nothing that a dashboard strips. */
import { type CellKind, cellKind, cellOf } from '../map/cell.ts';

export type Theme = 'light' | 'dark';

type Colours = Readonly<Record<Exclude<CellKind, 'occupied'>, string>> & { readonly occupied: readonly string[] };

/** The occupied ones from few used addresses to all. */
export const MAP_COLOURS: Readonly<Record<Theme, Colours>> = {
  light: {
    free: '#c3ead4',
    'free-prefix': '#8fd3b4',
    'free-explicit': '#c9ced4',
    delegated: '#2f6fc0',
    edge: '#9aa3ac',
    occupied: ['#fbdc9a', '#e8ac67', '#cf7a3b', '#b4490f'],
  },
  dark: {
    free: '#1f5a3c',
    'free-prefix': '#2f8a5d',
    'free-explicit': '#4a535c',
    delegated: '#5a9cf0',
    edge: '#67717a',
    occupied: ['#6d4a1d', '#9e6730', '#cf8241', '#ff9d52'],
  },
};

/** Blocks a row: a row is a /23. */
const COLUMNS = 32;
const BLOCK_IPS = 16;

/**
 * @param pixels side of a cell.
 * @param label what a screen reader says; must be escaped.
 */
export function svgMap(cells: Uint8Array, theme: Theme, pixels: number, label: string): string {
  const columns = Math.min(COLUMNS, cells.length);
  const rows = Math.ceil(cells.length / columns);
  const paths = new Map<string, string>();
  for (let at = 0; at < cells.length; ) {
    const colour = colourOf(cells[at] as number, theme);
    const row = Math.floor(at / columns);
    const end = Math.min(cells.length, (row + 1) * columns);
    let to = at + 1;
    while (to < end && colourOf(cells[to] as number, theme) === colour) to++;
    // A run of equal cells is one rectangle.
    const run = `M${at % columns} ${row}h${to - at}v1h-${to - at}z`;
    paths.set(colour, (paths.get(colour) ?? '') + run);
    at = to;
  }
  const drawn = [...paths].map(([colour, path]) => `<path fill="${colour}" d="${path}"/>`).join('');
  return (
    `<svg role="img" aria-label="${label}" viewBox="0 0 ${columns} ${rows}" width="${columns * pixels}" height="${rows * pixels}"` +
    ` shape-rendering="crispEdges" style="max-width:100%;display:block">${drawn}</svg>`
  );
}

function colourOf(byte: number, theme: Theme): string {
  const cell = cellOf(byte);
  const kind = cellKind(cell);
  const colours = MAP_COLOURS[theme];
  if (kind !== 'occupied') return colours[kind];
  const level = Math.floor(((cell.used - 1) / BLOCK_IPS) * colours.occupied.length);
  return colours.occupied[level] as string;
}
