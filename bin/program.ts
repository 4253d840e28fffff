/** argv -> verb -> exit status. */
import { readFileSync } from 'node:fs';
import yargs from 'yargs';
import { EXIT, type ExitStatus } from './exit-status.ts';
import { linesOf } from './failure.ts';
import { withStandardInput } from './standard-input.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';
import type { Work } from './verb.ts';
import { VERBS } from './verbs/all.ts';

const EPILOGUE =
  'Exit status: 0 done, nothing critical; 2 critical findings; 3 part of it could not be read; 4 declined; 1 error. ' +
  'The result goes to stdout, progress and errors to stderr.';

const HELP_COLUMNS = 100;

/** Runs one command line. Never rejects: what goes wrong is one remark and exit status 1. */
export async function runCommandLine(argv: readonly string[], terminal: Terminal): Promise<ExitStatus> {
  try {
    const { work, output } = await understand(argv);
    if (output !== '') terminal.print(output);
    return work === undefined ? EXIT.done : await work(terminal);
  } catch (error) {
    const [first = '', ...rest] = linesOf(error);
    for (const line of [`headroom: ${first}`, ...rest]) terminal.remark(line);
    return EXIT.error;
  }
}

interface Understood {
  /** Absent where the command line asked for help, the version or completion. */
  readonly work?: Work;
  readonly output: string;
}

/** @throws UsageError the command line is not understood. */
async function understand(argv: readonly string[]): Promise<Understood> {
  let work: Work | undefined;
  let output = '';
  let parser = yargs()
    .scriptName('headroom')
    // Messages in one language, so that what people search for and what scripts see is always the same.
    .locale('en')
    .parserConfiguration({ 'boolean-negation': false, 'camel-case-expansion': false, 'dot-notation': false })
    .usage('$0 <verb>\n\nWhat room for nodes and pods the subnets of an EKS region truly have, by address and by /28.')
    .strict()
    .recommendCommands()
    .demandCommand(1, 1, 'A verb is missing')
    .version(versionOf())
    .help()
    .completion('completion', 'Print a script that completes verbs and options in your shell')
    .epilogue(EPILOGUE)
    .wrap(HELP_COLUMNS)
    .exitProcess(false)
    .fail((message, error) => {
      // A YError is the library's own word on what was typed; its class is not exported. Its lists go over several lines.
      if (error && error.name !== 'YError') throw error;
      const told = (message || error?.message || '').replace(/:\s*\n\s*/g, ': ').replace(/\s*\n\s*/g, '; ');
      throw new UsageError(`${told} (headroom --help, headroom <verb> --help)`);
    });
  for (const { register } of VERBS) {
    parser = register(parser, (chosen) => {
      work = chosen;
    });
  }
  await parser.parseAsync([...withStandardInput(argv)], {}, (error: Error | undefined | null, _argv, text) => {
    if (error) throw error;
    output = text;
  });
  return work === undefined ? { output } : { work, output };
}

function versionOf(): string {
  const file = new URL('../package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  return version;
}
