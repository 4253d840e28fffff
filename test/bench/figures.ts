/** How figures are written. */
import type { Spread } from './measure.ts';

export const number = (value: number) =>
  value >= 100 ? Math.round(value).toLocaleString('en-US') : value >= 10 ? value.toFixed(1) : value.toFixed(2);

export const range = ({ min, median, max }: Spread) => `${number(median)} (${number(min)} to ${number(max)})`;

export const kilobytes = (bytes: number) => Math.round(bytes / 1000).toLocaleString('en-US');

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
