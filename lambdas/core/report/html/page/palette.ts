/** Colours of small maps, taken from the style sheet, so that theme and paper change both alike. */
import { cellKind, cellOf } from '../../map/cell.ts';
import { UNKNOWN_CELL } from '../block-words.ts';

/** The colour of every possible byte of a map, as an image takes them. */
export type Palette = Uint32Array;

const USED_STEPS = 16;
/** Bytes that stand for a cell: 4 states, 3 reservations, 17 counts. */
const CELL_BYTES = 204;

export function palette(): Palette {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => rgb(style.getPropertyValue(name).trim());
  const few = read('--used-few');
  const all = read('--used-all');
  const colours = new Uint32Array(UNKNOWN_CELL + 1).fill(pack(read('--unknown')));
  for (let byte = 0; byte < CELL_BYTES; byte++) {
    const cell = cellOf(byte);
    const kind = cellKind(cell);
    const share = Math.max(0, cell.used - 1) / (USED_STEPS - 1);
    colours[byte] = pack(kind === 'occupied' ? between(few, all, share) : read(`--${kind}`));
  }
  return colours;
}

type Rgb = readonly [number, number, number];

/** `#rrggbb`, the only form that the style sheet uses for these. */
function rgb(text: string): Rgb {
  const value = Number.parseInt(text.slice(1), 16);
  return [value >> 16, (value >> 8) & 0xff, value & 0xff];
}

function between(from: Rgb, to: Rgb, share: number): Rgb {
  const mix = (at: 0 | 1 | 2) => Math.round(from[at] + (to[at] - from[at]) * share);
  return [mix(0), mix(1), mix(2)];
}

/** Image data has red in the lowest byte on every machine that browsers run on. */
function pack([red, green, blue]: Rgb): number {
  return ((0xff << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

/** Draws a subnet with one pixel a /28; the style sheet scales it up without smoothing. */
export function drawSmall(canvas: HTMLCanvasElement, cells: Uint8Array, colours: Palette): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  const image = context.createImageData(canvas.width, canvas.height);
  const pixels = new Uint32Array(image.data.buffer);
  for (let at = 0; at < cells.length; at++) pixels[at] = colours[cells[at] as number] as number;
  context.putImageData(image, 0, 0);
}
