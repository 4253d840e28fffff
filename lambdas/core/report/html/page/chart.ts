/** A small curve over the readings, as plain SVG, with its numbers beside it as text. */
import { el, number, svg } from './dom.ts';

const WIDTH = 600;
const HEIGHT = 90;
const INSET = 4;

export interface Chart {
  readonly element: HTMLElement;
  readonly show: (values: readonly (number | null)[], frame: number) => void;
}

export function chart(title: string): Chart {
  const line = svg('path', { class: 'chart-line', fill: 'none' });
  const here = svg('line', { class: 'chart-here', y1: '0', y2: String(HEIGHT) });
  const floor = String(HEIGHT - 1);
  const picture = svg(
    'svg',
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true', focusable: 'false' },
    svg('line', { class: 'chart-base', x1: '0', x2: String(WIDTH), y1: floor, y2: floor }),
    line,
    here,
  );
  const value = el('strong');
  const range = el('span');
  let drawn: readonly (number | null)[] | undefined;
  return {
    element: el('figure', { class: 'chart' }, el('figcaption', {}, value, range), picture),
    show: (values, frame) => {
      if (values !== drawn) {
        line.setAttribute('d', path(values));
        const known = values.filter((one) => one !== null);
        const [least, most] = [Math.min(...known), Math.max(...known)];
        range.textContent = known.length === 0 ? '' : ` least ${number(least)}, most ${number(most)}`;
        drawn = values;
      }
      const x = String(xOf(frame, values.length));
      here.setAttribute('x1', x);
      here.setAttribute('x2', x);
      value.textContent = `${title}: ${number(values[frame] ?? null)}`;
    },
  };
}

function xOf(frame: number, frames: number): number {
  return Math.round(INSET + (frame / Math.max(1, frames - 1)) * (WIDTH - 2 * INSET));
}

/** The line breaks where a value is not known. It starts at 0, so that its height is honest. */
function path(values: readonly (number | null)[]): string {
  const top = Math.max(1, ...values.filter((value) => value !== null));
  let pen = 'M';
  let text = '';
  for (const [frame, value] of values.entries()) {
    if (value === null) {
      pen = 'M';
      continue;
    }
    const y = Math.round(HEIGHT - INSET - (value / top) * (HEIGHT - 2 * INSET));
    text += `${pen}${xOf(frame, values.length)} ${y}`;
    pen = 'L';
  }
  return text;
}
