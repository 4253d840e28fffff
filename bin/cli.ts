/** The command's entry: the process on one side, {@link runCommandLine} on the other. */
import { runCommandLine } from './program.ts';
import { leaveQuietlyWhenNobodyReads, processTerminal } from './terminal.ts';

leaveQuietlyWhenNobodyReads();
// Not `process.exit`: what was written to a pipe must reach it first.
process.exitCode = await runCommandLine(process.argv.slice(2), processTerminal());
