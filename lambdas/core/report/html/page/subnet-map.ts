/** One subnet, drawn large: a grid with a cell a /28, to look at, to click, and to walk through with the keyboard. */
import { blockCidr, blockState, cellSign, shownKind, usedOf } from '../block-words.ts';
import { el } from './dom.ts';
import { keyTarget } from './map-keys.ts';
import type { PageState } from './state.ts';

/** Up to a /22 the cells are large and carry their sign. */
const FEW_BLOCKS = 64;
/** Up to an /18 a row is a /23, above it a /22: the map stays near a square. */
const MANY_BLOCKS = 1024;
const COLUMNS = { few: 16, many: 32, most: 64 } as const;

export interface SubnetMap {
  readonly element: HTMLElement;
  /** Block that the keyboard stands on. */
  readonly current: () => number;
}

/** @param look is told which block somebody looks at. */
export function subnetMap(state: PageState, look: (block: number) => void): SubnetMap {
  const grid = el('div', { role: 'grid', class: 'map', 'aria-describedby': 'map-help' });
  const phone = matchMedia('(max-width: 46rem)');
  let cells: HTMLElement[] = [];
  let shown: Uint8Array = new Uint8Array();
  let columns = 0;
  let current = 0;

  function build(): void {
    const subnet = state.data.subnets[state.subnet];
    if (subnet === undefined) return;
    const few = subnet.blocks <= FEW_BLOCKS;
    const narrow = phone.matches || subnet.blocks <= MANY_BLOCKS;
    columns = Math.min(subnet.blocks, few ? COLUMNS.few : narrow ? COLUMNS.many : COLUMNS.most);
    grid.className = few ? 'map map-few' : 'map map-many';
    grid.style.setProperty('--columns', String(columns));
    grid.dataset.columns = String(columns);
    grid.setAttribute('aria-label', `Map of ${subnet.name || subnet.id}, ${subnet.cidr}: one cell a /28`);
    shown = state.cells(state.subnet).slice();
    cells = Array.from(shown, (byte, block) => makeCell(block, byte));
    grid.replaceChildren(...rows(subnet.base, few));
    stand(worstBlock(shown), false);
  }

  function makeCell(block: number, byte: number): HTMLElement {
    const cell = el('span', { role: 'gridcell', tabindex: '-1' });
    paint(cell, block, byte);
    return cell;
  }

  function paint(cell: HTMLElement, block: number, byte: number): void {
    const base = state.data.subnets[state.subnet]?.base ?? 0;
    cell.className = `cell kind-${shownKind(byte)} used-${usedOf(byte)}`;
    cell.setAttribute('aria-label', `${blockCidr(base, block)}: ${blockState(byte)}`);
    cell.textContent = shown.length <= FEW_BLOCKS ? cellSign(byte) : '';
  }

  function rows(base: number, few: boolean): HTMLElement[] {
    const made: HTMLElement[] = [];
    if (few) {
      const heads = Array.from({ length: columns }, (_, at) =>
        el('span', { role: 'columnheader', class: 'map-column' }, `.${(base + at * 16) & 255}`),
      );
      const corner = el('span', { role: 'columnheader', class: 'map-address' }, el('span', { class: 'unseen' }, 'Row'));
      made.push(el('div', { role: 'row', class: 'map-row' }, corner, ...heads));
    }
    for (let at = 0; at < cells.length; at += columns) {
      const address = blockCidr(base, at).replace('/28', '');
      const head = el('span', { role: 'rowheader', class: 'map-address' }, address);
      made.push(el('div', { role: 'row', class: 'map-row' }, head, ...cells.slice(at, at + columns)));
    }
    return made;
  }

  function update(): void {
    const now = state.cells(state.subnet);
    for (let block = 0; block < now.length; block++) {
      if (now[block] === shown[block]) continue;
      shown[block] = now[block] as number;
      paint(cells[block] as HTMLElement, block, now[block] as number);
    }
    look(current);
  }

  function stand(block: number, focus: boolean): void {
    const old = cells[current];
    if (old !== undefined) {
      old.removeAttribute('aria-selected');
      old.tabIndex = -1;
    }
    current = block;
    const cell = cells[current];
    if (cell === undefined) return;
    cell.tabIndex = 0;
    cell.setAttribute('aria-selected', 'true');
    if (focus) cell.focus();
    look(current);
  }

  grid.addEventListener('click', (event) => {
    const block = cells.indexOf(event.target as HTMLElement);
    if (block >= 0) stand(block, true);
  });
  grid.addEventListener('keydown', (event) => {
    const to = keyTarget(event, current, columns, cells.length);
    if (to === undefined) return;
    event.preventDefault();
    stand(to, true);
  });
  state.on(['subnet'], build);
  state.on(['frame'], update);
  phone.addEventListener('change', build);
  build();
  return { element: grid, current: () => current };
}

/** Where a reader looks first: the block that the fewest addresses spoil. */
function worstBlock(cells: Uint8Array): number {
  let best = 0;
  let fewest = Number.POSITIVE_INFINITY;
  for (const [block, byte] of cells.entries()) {
    if (shownKind(byte) !== 'occupied' || usedOf(byte) >= fewest) continue;
    fewest = usedOf(byte);
    best = block;
  }
  return best;
}
