/** Paragraphs and tables that fit a page. Every foreign string passes {@link printable} here, so that no caller can forget it. */
import { PAGE_COLUMNS, type Pen } from './pen.ts';
import { printable } from './printable.ts';

/** Splits a text into the units a reader sees as one character, so that a cut never leaves half of one. */
function* graphemes(text: string): Iterable<string> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (const { segment } of segmenter.segment(text)) yield segment;
}

/** Made when first needed: that takes longer than most reports take to print. */
let segmenter: Intl.Segmenter | undefined;

/** The text cut to so many columns, with a sign that it was. */
export function clip(pen: Pen, text: string, columns: number): string {
  const safe = printable(text);
  if (pen.width(safe) <= columns) return safe;
  let kept = '';
  for (const segment of graphemes(safe)) {
    if (pen.width(kept + segment) > columns - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

export interface WrapOptions {
  /** What every line begins with; default: nothing. */
  readonly indent?: string;
  /** What the first line begins with instead. */
  readonly first?: string;
  readonly columns?: number;
}

/** Lines of at most a page's width, broken at spaces, and inside a word only where it alone is wider. */
export function wrap(pen: Pen, text: string, options: WrapOptions = {}): string[] {
  const columns = options.columns ?? PAGE_COLUMNS;
  const indent = options.indent ?? '';
  const lines: string[] = [];
  let line = options.first ?? indent;
  let empty = true;
  const push = () => {
    lines.push(line.trimEnd());
    line = indent;
    empty = true;
  };
  for (const word of printable(text).split(' ')) {
    const room = columns - pen.width(line) - (empty ? 0 : 1);
    if (pen.width(word) <= room) {
      line += empty ? word : ` ${word}`;
      empty = false;
      continue;
    }
    if (!empty) push();
    for (const segment of graphemes(word)) {
      if (pen.width(line) + pen.width(segment) > columns) push();
      line += segment;
      empty = false;
    }
  }
  push();
  return lines;
}

export interface Column<Row> {
  readonly title: string;
  readonly text: (row: Row) => string;
  /** Numbers stand right, so that their digits line up. */
  readonly right?: boolean;
  /** The widest it may be; what is longer is cut. */
  readonly max?: number;
  /** A column that may shrink when the table is too wide, to no fewer columns than this. */
  readonly min?: number;
  readonly paint?: (row: Row, text: string) => string;
}

const GAP = '  ';

/** A table with one heading line. Shrinks the columns that allow it, last ones first, until the page holds it. */
export function table<Row>(pen: Pen, columns: readonly Column<Row>[], rows: readonly Row[], indent = ''): string[] {
  const cells = rows.map((row) => columns.map((column) => printable(column.text(row))));
  const widths = columns.map((column, i) => {
    const title = pen.width(column.title);
    const widest = cells.reduce((most, line) => Math.max(most, pen.width(line[i] as string)), title);
    return Math.min(widest, Math.max(column.max ?? widest, title));
  });
  shrink(columns, widths, PAGE_COLUMNS - indent.length - GAP.length * (columns.length - 1));
  const line = (texts: readonly string[], row?: Row) =>
    (
      indent +
      texts
        .map((text, i) => {
          const column = columns[i] as Column<Row>;
          const cut = clip(pen, text, widths[i] as number);
          const padding = ' '.repeat((widths[i] as number) - pen.width(cut));
          const painted = row === undefined || column.paint === undefined ? cut : column.paint(row, cut);
          return column.right ? padding + painted : painted + padding;
        })
        .join(GAP)
    ).trimEnd();
  const heading = line(columns.map((column) => column.title));
  return [pen.paint('dim', heading), ...cells.map((texts, i) => line(texts, rows[i]))];
}

function shrink<Row>(columns: readonly Column<Row>[], widths: number[], room: number): void {
  let over = widths.reduce((sum, width) => sum + width, 0) - room;
  for (let i = columns.length - 1; i >= 0 && over > 0; i--) {
    const least = columns[i]?.min;
    if (least === undefined) continue;
    const taken = Math.min(over, Math.max(0, (widths[i] as number) - least));
    widths[i] = (widths[i] as number) - taken;
    over -= taken;
  }
}

/** The first few of a list, and a line that says how many more there are and how to see them. */
export function cut<T>(items: readonly T[], limit: number): { readonly shown: readonly T[]; readonly more: number } {
  return items.length <= limit
    ? { shown: items, more: 0 }
    : { shown: items.slice(0, limit), more: items.length - limit };
}

/** A count with thousands marked: `65,531`. */
export function count(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `1 subnet`, `2 subnets`. */
export function counted(value: number, noun: string, plural = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : plural}`;
}
