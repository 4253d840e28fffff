import { outputOptions, scopeOf, scopeOptions, sourceOptions } from '../options.ts';
import { printResult } from '../result.ts';
import { settingsOf, settingsOption } from '../settings.ts';
import { openSource } from '../source.ts';
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
      .example('$0 assess --region eu-central-1', 'a live region')
      .example('$0 assess --from snapshot --fail-on warning', 'a gate in a build pipeline'),
  run: async (args, terminal) => {
    const settings = await settingsOf(args);
    const source = await openSource(args, scopeOf(args), terminal.progress);
    const { measure } = await import('../../lambdas/app/measure.ts');
    const measured = await measure(source, settings);
    const { documentOf } = await import('../../lambdas/core/report/document.ts');
    const { assessText } = await import('../../lambdas/core/report/assess-text.ts');
    const document = documentOf({ ...measured, description: source.description, generatedAt: Date.now() });
    return printResult(terminal, document, args, assessText);
  },
});
