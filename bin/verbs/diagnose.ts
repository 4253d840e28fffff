import { env, stdin } from 'node:process';
import type { EventFile } from '../../lambdas/app/diagnose.ts';
import { outputOptions, sourceOptions } from '../options.ts';
import { printResult } from '../result.ts';
import { settingsOf, settingsOption } from '../settings.ts';
import { openSource, type SourceArgs, WHOLE_REGION } from '../source.ts';
import { STANDARD_INPUT } from '../standard-input.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import { verb } from '../verb.ts';

export const diagnose = verb({
  command: 'diagnose [file..]',
  describe: 'What events that AWS sent mean, for which subnet, and whether it is the subnet at all',
  options: (yargs) =>
    settingsOption(outputOptions(sourceOptions(yargs)))
      .positional('file', {
        type: 'string',
        array: true,
        describe: 'EventBridge events, CloudTrail records or files of them, one or many; - reads standard input',
      })
      .example('$0 diagnose event.json --from snapshot', 'with the subnets of a folder to decide by')
      .example('pbpaste | $0 diagnose -', 'what somebody copied from the console'),
  run: async (args, terminal) => {
    const files = await readFiles(args.file ?? []);
    const settings = await settingsOf(args);
    const { diagnose: useCase } = await import('../../lambdas/app/diagnose.ts');
    const document = await useCase({
      files,
      settings,
      ...sourceOf(args, terminal),
      generatedAt: Date.now(),
    });
    const { diagnoseText } = await import('../../lambdas/core/report/diagnose-text.ts');
    return printResult(terminal, document, args, diagnoseText);
  },
});

/** A folder is read since it was named; a region, which costs calls, only where an event needs it, and not at all where none is configured. */
function sourceOf(args: SourceArgs, terminal: Terminal) {
  const live = args.region ?? args.profile ?? env.AWS_REGION ?? env.AWS_DEFAULT_REGION ?? env.AWS_PROFILE;
  if (args.from === undefined && live === undefined) return {};
  return { source: () => openSource(args, WHOLE_REGION, terminal.progress), always: args.from !== undefined };
}

async function readFiles(names: readonly string[]): Promise<readonly EventFile[]> {
  if (names.length === 0) throw new UsageError('diagnose FILE...: name at least one file, or - for standard input');
  if (names.filter((name) => name === STANDARD_INPUT).length > 1) throw new UsageError('- may be given once');
  const { readEventFile, readEventStream } = await import('../../lambdas/adapters/files/event-file.ts');
  const files: EventFile[] = [];
  for (const name of names) {
    const fromStdin = name === STANDARD_INPUT;
    const document = fromStdin ? await readEventStream(stdin, 'standard input') : await readEventFile(name);
    files.push({ name: fromStdin ? '-' : name, document });
  }
  return files;
}
