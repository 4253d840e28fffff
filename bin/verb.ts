/** The shape of a verb: how it is typed, and what it does. */
import type { Argv } from 'yargs';
import type { ExitStatus } from './exit-status.ts';
import type { Terminal } from './terminal.ts';

export interface VerbSpec<Args> {
  /** As yargs takes it: `explain [subnet]`. */
  readonly command: string;
  readonly describe: string;
  readonly options: (yargs: Argv) => Argv<Args>;
  /** Imports what is heavy itself, so that a verb pays only for what it uses. */
  readonly run: (args: Args, terminal: Terminal) => Promise<ExitStatus>;
}

/** What a command line came to: run it when the rest is known to be right. */
export type Work = (terminal: Terminal) => Promise<ExitStatus>;

export interface Verb {
  readonly register: (yargs: Argv, chosen: (work: Work) => void) => Argv;
}

export function verb<Args>({ command, describe, options, run }: VerbSpec<Args>): Verb {
  return {
    register: (yargs, chosen) =>
      yargs.command<Args>({
        command,
        describe,
        builder: options,
        // yargs types also the camel-case spellings, which it is told not to make.
        handler: (args) => chosen((terminal) => run(args as unknown as Args, terminal)),
      }),
  };
}
