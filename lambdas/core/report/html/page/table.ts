/** A table that sorts by any column, with mouse or keyboard. */
import { button, type Child, el, number } from './dom.ts';

/** Rows shown before a table is cut. */
const ROWS = 60;

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => Child;
  /** What the column sorts by; `null` stands last either way. */
  readonly key: (row: Row) => number | string | null;
  /** Numbers stand right. */
  readonly numeric?: boolean;
  /** Names its row for a screen reader. */
  readonly head?: boolean;
}

export interface Table<Row> {
  readonly element: HTMLElement;
  readonly show: (rows: readonly Row[]) => void;
}

/** @param caption says what the table is, for those who do not see where it stands. */
export function sortableTable<Row>(caption: string, columns: readonly Column<Row>[]): Table<Row> {
  const body = el('tbody');
  const more = el('p', { class: 'more' });
  const heads = columns.map(({ title, numeric }, at) => {
    const head = el('th', { scope: 'col', ...(numeric ? { class: 'numeric' } : {}) });
    head.append(button(title, () => sortBy(at)));
    return head;
  });
  let rows: readonly Row[] = [];
  let sorted: { readonly column: number; readonly down: boolean } | undefined;
  let all = false;

  function sortBy(column: number): void {
    sorted = { column, down: sorted?.column === column ? !sorted.down : false };
    for (const [at, head] of heads.entries()) {
      if (at === column) head.setAttribute('aria-sort', sorted.down ? 'descending' : 'ascending');
      else head.removeAttribute('aria-sort');
    }
    draw();
  }

  function draw(): void {
    const ordered = sorted === undefined ? rows : inOrder(rows, columns[sorted.column] as Column<Row>, sorted.down);
    const shown = all ? ordered : ordered.slice(0, ROWS);
    body.replaceChildren(...shown.map((row) => rowOf(columns, row)));
    more.replaceChildren();
    if (shown.length < ordered.length) {
      const showAll = button(`Show all ${number(ordered.length)}`, () => {
        all = true;
        draw();
      });
      more.append(`${number(shown.length)} of ${number(ordered.length)}. `, showAll);
    }
    if (ordered.length === 0) more.append('None.');
  }

  const headRow = el('thead', {}, el('tr', {}, ...heads));
  const table = el('table', {}, el('caption', { class: 'unseen' }, caption), headRow, body);
  const scroll = el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption }, table);
  return {
    element: el('div', {}, scroll, more),
    show: (given) => {
      rows = given;
      draw();
    },
  };
}

function rowOf<Row>(columns: readonly Column<Row>[], row: Row): HTMLElement {
  const cells = columns.map(({ cell, numeric, head }) =>
    head ? el('th', { scope: 'row' }, cell(row)) : el('td', numeric ? { class: 'numeric' } : {}, cell(row)),
  );
  return el('tr', {}, ...cells);
}

function inOrder<Row>(rows: readonly Row[], { key }: Column<Row>, down: boolean): readonly Row[] {
  return [...rows].sort((a, b) => {
    const [x, y] = [key(a), key(b)];
    if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
    const order = typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y), 'en');
    return down ? -order : order;
  });
}
