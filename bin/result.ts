/** Prints a document the way it was asked for, and says how the run ended. */
import { env } from 'node:process';
import type { HeadroomDocument } from '../lambdas/contract/document.ts';
import { COMMAND } from '../lambdas/core/report/next-command.ts';
import type { Pen } from '../lambdas/core/report/pen.ts';
import { printableJson } from '../lambdas/core/report/printable.ts';
import { typableDocument } from '../lambdas/core/report/typable.ts';
import { verdictOf } from '../lambdas/core/report/verdict.ts';
import { EXIT, type ExitStatus } from './exit-status.ts';
import type { Terminal } from './terminal.ts';

export interface ResultArgs {
  readonly json: boolean;
  readonly all: boolean;
  readonly 'fail-on'?: 'critical' | 'warning';
}

export type TextRenderer = (
  pen: Pen,
  document: HeadroomDocument,
  options: { readonly all: boolean; readonly command: string },
) => string[];

export function printResult(
  terminal: Terminal,
  document: HeadroomDocument,
  args: ResultArgs,
  text: TextRenderer,
): ExitStatus {
  const command = commandTyped(env);
  // The document says the same of a region and of its files; only for a reader the commands in it name where to look.
  terminal.print(
    args.json
      ? jsonText(document)
      : text(terminal.pen, typableDocument(document, command), { all: args.all, command }).join('\n').trimEnd(),
  );
  for (const { call, permission } of document.source.unknown) {
    const why = permission === undefined ? 'it failed' : `permission ${permission} is missing`;
    terminal.remark(`headroom: ${call} could not be read: ${why}`);
  }
  if (document.source.kind !== 'none' && document.source.absent.includes('network-interfaces')) {
    terminal.remark('headroom: network-interfaces*.json is missing: counts only');
  }
  return EXIT[verdictOf(document, args['fail-on'])];
}

/** How the reader called the program, so that the next command can be typed as it is printed: npm tells its scripts which of them runs. */
export function commandTyped({ npm_lifecycle_event: script }: NodeJS.ProcessEnv): string {
  return script === COMMAND ? `npm run -s ${COMMAND} --` : COMMAND;
}

export function jsonText(document: HeadroomDocument): string {
  return printableJson(JSON.stringify(document, null, 2));
}
