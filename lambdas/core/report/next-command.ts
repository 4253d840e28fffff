import { shellWord } from './messages/safe-text.ts';
import { PAGE_COLUMNS, type Pen } from './pen.ts';

/** How a reader types the command, where it is installed. */
export const COMMAND = 'headroom';

/** How a line says to a shell that the next one belongs to it. */
const CONTINUED = ' \\';

/**
 * What to type next, on lines of its own that can be copied as they stand: a shell goes on behind a backslash, where half a command would be another command.
 *
 * @param words of the command, as the program would be handed them.
 * @param command how the reader calls the program, default {@link COMMAND}.
 */
export function nextCommand(pen: Pen, words: readonly string[], command: string = COMMAND): string[] {
  const lines: string[] = [];
  let line = `  ${command}`;
  for (const word of words.map(shellWord)) {
    const joined = `${line} ${word}`;
    if (pen.width(joined) + CONTINUED.length <= PAGE_COLUMNS) {
      line = joined;
      continue;
    }
    lines.push(line + CONTINUED);
    line = `      ${word}`;
  }
  return [pen.paint('bold', 'NEXT'), ...lines, line];
}
