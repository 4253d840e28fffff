import { env } from 'node:process';
import type { HeadroomDocument } from '../../lambdas/contract/document.ts';
import { EXIT } from '../exit-status.ts';
import { time } from '../options.ts';
import { commandTyped } from '../result.ts';
import { settingsOf, settingsOption } from '../settings.ts';
import { openSource, WHOLE_REGION } from '../source.ts';
import { UsageError } from '../usage-error.ts';
import { verb } from '../verb.ts';

export const diff = verb({
  command: 'diff [BEFORE] [AFTER]',
  describe: 'What changed between two snapshot folders, by subnet and holder',
  options: (yargs) =>
    settingsOption(yargs)
      .positional('BEFORE', { type: 'string', describe: 'Folder of the earlier snapshot' })
      .positional('AFTER', { type: 'string', describe: 'Folder of the later snapshot' })
      .option('now', {
        type: 'string',
        requiresArg: true,
        coerce: time('now'),
        describe: 'Time that ages are reckoned from on both sides (ISO 8601); default: the now.json of each',
      })
      .option('json', { type: 'boolean', default: false, describe: 'One JSON document (docs/schema/diff.json)' })
      .option('all', { type: 'boolean', default: false, describe: 'Show lists whole' })
      .example('$0 diff before after', 'after a deployment, say'),
  run: async (args, terminal) => {
    const { BEFORE: before, AFTER: after, now } = args;
    if (before === undefined || after === undefined || before === '' || after === '') {
      throw new UsageError('diff needs two snapshot folders: headroom diff BEFORE AFTER');
    }
    const settings = await settingsOf(args);
    const { measure } = await import('../../lambdas/app/measure.ts');
    const { documentOf } = await import('../../lambdas/core/report/document.ts');
    const { sideOf } = await import('../../lambdas/core/report/diff/sides.ts');
    const generatedAt = Date.now();
    const read = async (from: string) => {
      const source = await openSource({ from, now }, WHOLE_REGION, terminal.progress);
      const measured = await measure(source, settings, { keep: 'all' });
      const document: HeadroomDocument = documentOf({ ...measured, description: source.description, generatedAt });
      return sideOf(document, measured.facts, measured.occupancy);
    };
    const sides = [await read(before), await read(after)] as const;
    const { diffOf } = await import('../../lambdas/core/report/diff/diff.ts');
    const { diffText } = await import('../../lambdas/core/report/diff/diff-text.ts');
    const { printableJson } = await import('../../lambdas/core/report/printable.ts');
    const { typableFindings } = await import('../../lambdas/core/report/typable.ts');
    const document = diffOf(...sides, generatedAt);
    const typist = { command: commandTyped(env) };
    const { raised, cleared, standing } = document.findings;
    const findings = {
      raised: typableFindings(raised, document.after, typist),
      cleared: typableFindings(cleared, document.before, typist),
      standing,
    };
    terminal.print(
      args.json
        ? printableJson(JSON.stringify(document, null, 2))
        : diffText(terminal.pen, { ...document, findings }, args)
            .join('\n')
            .trimEnd(),
    );
    const { verdictOf } = await import('../../lambdas/core/report/verdict.ts');
    const partial = sides.some(({ document: side }) => verdictOf({ ...side, findings: [] }) === 'partial');
    if (partial) terminal.remark('headroom: one side was read only in part: what changed there is not known');
    return verdictOf(sides[1].document) === 'critical' ? EXIT.critical : partial ? EXIT.partial : EXIT.done;
  },
});
