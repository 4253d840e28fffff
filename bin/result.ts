/** Prints a document the way it was asked for, and says how the run ended. */
import type { HeadroomDocument } from '../lambdas/contract/document.ts';
import type { Pen } from '../lambdas/core/report/pen.ts';
import { printableJson } from '../lambdas/core/report/printable.ts';
import { verdictOf } from '../lambdas/core/report/verdict.ts';
import { EXIT, type ExitStatus } from './exit-status.ts';
import type { Terminal } from './terminal.ts';

export interface ResultArgs {
  readonly json: boolean;
  readonly all: boolean;
  readonly 'fail-on'?: 'critical' | 'warning';
}

export type TextRenderer = (pen: Pen, document: HeadroomDocument, options: { readonly all: boolean }) => string[];

export function printResult(
  terminal: Terminal,
  document: HeadroomDocument,
  args: ResultArgs,
  text: TextRenderer,
): ExitStatus {
  terminal.print(args.json ? jsonText(document) : text(terminal.pen, document, { all: args.all }).join('\n').trimEnd());
  for (const { call, permission } of document.source.unknown) {
    const why = permission === undefined ? 'it failed' : `permission ${permission} is missing`;
    terminal.remark(`headroom: ${call} could not be read: ${why}`);
  }
  if (document.source.kind !== 'none' && document.source.absent.includes('network-interfaces')) {
    terminal.remark('headroom: network-interfaces*.json is missing: counts only');
  }
  return EXIT[verdictOf(document, args['fail-on'])];
}

export function jsonText(document: HeadroomDocument): string {
  return printableJson(JSON.stringify(document, null, 2));
}
