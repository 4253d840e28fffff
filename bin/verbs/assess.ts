import { outputOptions, scopeOf, scopeOptions, sourceOptions, time } from '../options.ts';
import { printResult } from '../result.ts';
import { settingsOf, settingsOption } from '../settings.ts';
import { openSource, openStored } from '../source.ts';
import { verb } from '../verb.ts';

export const assess = verb({
  command: 'assess',
  describe: 'Ledger, holders and findings of every subnet',
  options: (yargs) =>
    settingsOption(outputOptions(scopeOptions(sourceOptions(yargs))))
      .option('fail-on', {
        choices: ['critical', 'warning'] as const,
        default: 'critical' as const,
        describe: 'The least severity that gives exit status 2',
      })
      .option('at', {
        type: 'string',
        requiresArg: true,
        coerce: time('at'),
        conflicts: ['from', 'now', 'vpc', 'subnet'],
        describe: 'As of this time: the snapshot of the deployed service nearest before it',
      })
      .example('$0 assess --at 2026-11-30T03:00:00Z', 'what the deployed service saw that night')
      .example('$0 assess --region eu-central-1', 'a live region')
      .example('$0 assess --from snapshot --fail-on warning', 'a gate in a build pipeline'),
  run: async (args, terminal) => {
    const settings = await settingsOf(args);
    const { measure, measureStored } = await import('../../lambdas/app/measure.ts');
    const stored = args.at === undefined ? undefined : await openStored(args, args.at);
    const source = stored ?? (await openSource(args, scopeOf(args), terminal.progress));
    const measured = 'snapshot' in source ? measureStored(source.snapshot, settings) : await measure(source, settings);
    const { documentOf } = await import('../../lambdas/core/report/document.ts');
    const { assessText } = await import('../../lambdas/core/report/assess-text.ts');
    const document = documentOf({ ...measured, description: source.description, generatedAt: Date.now() });
    return printResult(terminal, document, args, assessText);
  },
});
