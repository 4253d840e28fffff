/** What a verb needs of the process it runs in: a place for the result, a place for remarks, what can be shown there, and whom to ask. */
import { styleText } from 'node:util';
import stringWidth from 'string-width';
import type { Ink, Pen } from '../lambdas/core/report/pen.ts';
import { printable } from '../lambdas/core/report/printable.ts';
import { Progress } from './progress.ts';

export interface Terminal {
  /** For results on stdout. */
  readonly pen: Pen;
  /** Prints a result, ended by a line feed. */
  readonly print: (text: string) => void;
  /** Says something beside the result, on stderr: one line, made safe to show. */
  readonly remark: (line: string) => void;
  /** Tells on stderr how a long read goes on. */
  readonly progress: Progress;
  /** Asks a person, who says yes or not; absent where nobody is there to answer. */
  readonly confirm?: (question: string) => Promise<boolean>;
}

type Style = Parameters<typeof styleText>[0];

const STYLES: { readonly [Key in Ink]: Style } = {
  free: 'green',
  used: 'yellow',
  delegated: 'cyan',
  reserved: 'magenta',
  dim: 'dim',
  bold: 'bold',
  critical: ['bold', 'red'],
  warning: 'yellow',
  info: 'cyan',
};

/** Printable ASCII is as wide as it is long; that spares most cells the table of wide characters. */
const ASCII = /^[\x20-\x7e]*$/;

export function columnsOf(text: string): number {
  return ASCII.test(text) ? text.length : stringWidth(text);
}

/** The process's own streams. Colours only where stdout is a terminal that has them; NO_COLOR and FORCE_COLOR are honoured by `styleText`. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr } = process;
  const progress = new Progress(stderr);
  const person: Pick<Terminal, 'confirm'> =
    stdin.isTTY === true && stderr.isTTY === true
      ? {
          confirm: async (question) => {
            progress.clear();
            const { askPerson } = await import('./service/ask.ts');
            return askPerson(question, { input: stdin, output: stderr });
          },
        }
      : {};
  return {
    ...person,
    pen: { width: columnsOf, paint: (ink, text) => styleText(STYLES[ink], text, { stream: stdout }) },
    print: (text) => {
      progress.clear();
      stdout.write(`${text}\n`);
    },
    remark: (line) => {
      progress.clear();
      stderr.write(`${printable(line)}\n`);
    },
    progress,
  };
}

/** A reader that goes away (`| head`) has seen enough: that is no error, and the rest of the result has nowhere to go. */
export function leaveQuietlyWhenNobodyReads(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit();
      if (stream === process.stdout)
        process.stderr.write(`headroom: the result could not be written: ${error.message}\n`);
      process.exit(1);
    });
  }
}
