/** A Markdown table with its columns aligned, as the formatter leaves it. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => [...(row[column] ?? '')].length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell + ' '.repeat(widths[column]! - [...cell].length)).join(' | ')} |`;
  const [first = [], ...rest] = cells;
  return [line(first), line(widths.map((width) => '-'.repeat(width))), ...rest.map(line)].join('\n');
}

export const code = (text: string): string => `\`${text}\``;

/** A part of a document that is written from code; the rest of it is written by people. */
export function markers(name: string): readonly [begin: string, end: string] {
  return [`<!-- ${name}: written by npm run docs -->`, `<!-- end of ${name} -->`];
}

/**
 * The document with its written part replaced.
 *
 * @throws when the document lacks the markers.
 */
export function withPart(document: string, name: string, part: string): string {
  const [begin, end] = markers(name);
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  if (from < 0 || to < from) throw new Error(`the document has no part between ${begin} and ${end}`);
  return `${document.slice(0, from)}${begin}\n\n${part}\n\n${document.slice(to)}`;
}
