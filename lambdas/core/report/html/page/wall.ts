/** Every subnet as a small map at one scale: the whole address space at a glance. */
import type { PageSubnet } from '../page-data.ts';
import { el, number, rankBadge } from './dom.ts';
import { drawSmall, type Palette, palette } from './palette.ts';
import type { PageState } from './state.ts';
import { moveInWall } from './wall-keys.ts';

interface Scale {
  /** Up to so many /28 in the largest subnet. */
  readonly blocks: number;
  readonly columns: number;
  /** Side of a cell. */
  readonly pixels: number;
}

/** One scale for a whole page, by its largest subnet, which is then about as high as wide. */
const SCALES: readonly Scale[] = [
  { blocks: 256, columns: 16, pixels: 12 },
  { blocks: 1024, columns: 32, pixels: 6 },
  { blocks: Number.POSITIVE_INFINITY, columns: 64, pixels: 3 },
];

interface Tile {
  readonly subnet: number;
  readonly item: HTMLElement;
  readonly button: HTMLButtonElement;
  readonly canvas: HTMLCanvasElement | undefined;
  readonly numbers: HTMLElement;
  /** Whether it is on the screen, or nearly. */
  near: boolean;
}

export function buildWall(state: PageState, place: HTMLElement): void {
  const largest = Math.max(0, ...state.data.subnets.map(({ blocks }) => blocks));
  const scale = SCALES.find(({ blocks }) => largest <= blocks) as Scale;
  const tiles = state.data.subnets.map((subnet, at) => makeTile(subnet, at, scale));
  const list = el('ul', { class: 'wall', 'aria-label': 'Subnets, worst first' });
  list.append(...tiles.map(({ item }) => item));
  place.append(list);

  let colours = palette();
  const byButton = new Map<Element, Tile>(tiles.map((tile) => [tile.button, tile]));
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const tile = byButton.get(target);
        if (tile === undefined) continue;
        tile.near = isIntersecting;
        if (isIntersecting) drawTile(state, tile, colours);
      }
    },
    { rootMargin: '100px' },
  );
  for (const tile of tiles) {
    watcher.observe(tile.button);
    tile.button.addEventListener('click', () => {
      state.show({ subnet: tile.subnet });
      document.getElementById('subnet')?.scrollIntoView({ block: 'nearest' });
    });
  }
  const recolour = () => {
    colours = palette();
    for (const tile of tiles) drawTile(state, tile, colours);
  };
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', recolour);
  matchMedia('print').addEventListener('change', recolour);
  state.on(['frame'], () => {
    for (const tile of tiles) if (tile.near) drawTile(state, tile, colours);
  });
  state.on(['filter'], () => {
    for (const { subnet, item } of tiles) item.hidden = !state.shows(subnet);
    keepOneStop(tiles);
  });
  state.on(['subnet'], () => mark(state, tiles));
  list.addEventListener('keydown', (event) => {
    moveInWall(
      event,
      tiles.filter(({ item }) => !item.hidden).map(({ button }) => button),
    );
  });
  mark(state, tiles);
}

function makeTile(subnet: PageSubnet, at: number, { columns, pixels }: Scale): Tile {
  const numbers = el('span', { class: 'tile-numbers' });
  const name = el('span', { class: 'tile-name' }, subnet.name || subnet.id);
  const made = el(
    'button',
    { type: 'button', class: 'tile', tabindex: '-1' },
    el('span', { class: 'tile-head' }, rankBadge(subnet.rank), ' ', name),
    el('span', { class: 'tile-place' }, ` ${subnet.cidr} ${subnet.zone} `),
  );
  let canvas: HTMLCanvasElement | undefined;
  if (subnet.blocks > 0) {
    const width = Math.min(columns, subnet.blocks);
    const height = Math.ceil(subnet.blocks / columns);
    canvas = el('canvas', { width: String(width), height: String(height), 'aria-hidden': 'true' });
    canvas.style.width = `${width * pixels}px`;
    canvas.style.height = `${height * pixels}px`;
    made.append(canvas);
  }
  made.append(numbers);
  return { subnet: at, item: el('li', {}, made), button: made, canvas, numbers, near: false };
}

function drawTile(state: PageState, tile: Tile, colours: Palette): void {
  const subnet = state.data.subnets[tile.subnet] as PageSubnet;
  if (tile.canvas !== undefined) drawSmall(tile.canvas, state.cells(tile.subnet), colours);
  const words = numbersAt(state, subnet);
  if (tile.numbers.textContent !== words) tile.numbers.textContent = words;
}

/** Free /28 and free addresses of a subnet at the shown time. */
export function numbersAt(state: PageState, subnet: PageSubnet): string {
  if (state.latest || subnet.overTime === undefined) {
    return subnet.usableIps === null
      ? 'no IPv4'
      : `${subnet.prefixWords} /28 free, ${subnet.addressWords} addresses free`;
  }
  const { ips, prefixes } = subnet.overTime;
  return `${number(prefixes[state.frame] ?? null)} /28 free, ${number(ips[state.frame] ?? null)} addresses free`;
}

function mark(state: PageState, tiles: readonly Tile[]): void {
  for (const { subnet, button } of tiles) {
    if (subnet === state.subnet) button.setAttribute('aria-current', 'true');
    else button.removeAttribute('aria-current');
  }
  keepOneStop(tiles);
}

/** The tab key stops once in the wall: at the subnet that is drawn large, else at the first that shows. */
function keepOneStop(tiles: readonly Tile[]): void {
  const shown = tiles.filter(({ item }) => !item.hidden);
  const stop = shown.find(({ button }) => button.hasAttribute('aria-current')) ?? shown[0];
  for (const { button } of tiles) button.tabIndex = button === stop?.button ? 0 : -1;
}
