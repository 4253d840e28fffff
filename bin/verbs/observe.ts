import { undoneOnInterrupt } from '../interrupt.ts';
import { liveOptions, one, outputOptions, scopeOf, scopeOptions } from '../options.ts';
import { printResult } from '../result.ts';
import { openLive } from '../source.ts';
import { UsageError } from '../usage-error.ts';
import { verb } from '../verb.ts';

export const observe = verb({
  command: 'observe',
  describe: 'Read a live region into a folder that --from reads',
  options: (yargs) =>
    outputOptions(scopeOptions(liveOptions(yargs)))
      .option('out', {
        type: 'string',
        requiresArg: true,
        coerce: one('out'),
        describe: 'Folder to write, new or empty',
      })
      .option('redact', {
        type: 'boolean',
        default: false,
        describe: 'Replace ids, names, unknown tags and public addresses; the ledgers and findings stay the same',
      })
      .example('$0 observe --region eu-central-1 --out snapshot', 'then: headroom assess --from snapshot'),
  run: async (args, terminal) => {
    const { out } = args;
    if (out === undefined) throw new UsageError('observe needs the folder to write: --out DIR');
    const { openSnapshotWriter } = await import('../../lambdas/adapters/files/snapshot-writer.ts');
    const writer = await openSnapshotWriter(out, args.redact ? { redaction: await newRedaction() } : {});
    const document = await undoneOnInterrupt(writer, async () => {
      const source = await openLive(args, scopeOf(args), terminal.progress, { raw: writer });
      const { measure } = await import('../../lambdas/app/measure.ts');
      const measured = await measure(source);
      const { documentOf } = await import('../../lambdas/core/report/document.ts');
      const { commitReading } = await import('../../lambdas/adapters/files/commit-reading.ts');
      await commitReading(writer, measured.facts, measured.enis);
      const {
        schemaVersion,
        generatedAt,
        source: read,
        subnets,
      } = documentOf({
        ...measured,
        description: source.description,
        generatedAt: Date.now(),
      });
      return { schemaVersion, generatedAt, source: read, subnets };
    });
    const { observeText } = await import('../../lambdas/core/report/observe-text.ts');
    return printResult(terminal, document, args, (pen, printed, { command }) =>
      observeText(pen, printed, out, command),
    );
  },
});

async function newRedaction() {
  const { Redaction } = await import('../../lambdas/adapters/redaction/redaction.ts');
  return new Redaction();
}
