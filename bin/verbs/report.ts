import { EXIT } from '../exit-status.ts';
import { liveOptions, many, one, scopeOf, scopeOptions } from '../options.ts';
import { settingsOf, settingsOption } from '../settings.ts';
import { UsageError } from '../usage-error.ts';
import { verb } from '../verb.ts';

/** Bytes in a kilobyte, as file managers show it. */
const KILOBYTE = 1000;

export const report = verb({
  command: 'report',
  describe: 'One HTML file with maps, findings and tables; several --from make a time-lapse',
  options: (yargs) =>
    settingsOption(scopeOptions(liveOptions(yargs)))
      .option('from', {
        type: 'string',
        requiresArg: true,
        coerce: many('from'),
        conflicts: ['region', 'profile'],
        describe: 'Folder of JSON, instead of a live region; may be repeated: the report then goes back in time',
      })
      .option('out', { type: 'string', requiresArg: true, coerce: one('out'), describe: 'File to write' })
      .example('$0 report --from snapshot --out headroom.html', 'then open headroom.html in a browser')
      .example('$0 report --from monday --from tuesday --out week.html', 'with a slider over the two'),
  run: async (args, terminal) => {
    const { out, from = [], region, profile, now } = args;
    if (out === undefined) throw new UsageError('report needs the file to write: --out FILE');
    const settings = await settingsOf(args);
    const { readFrames } = await import('../report/read-frames.ts');
    const source = { folders: from, region, profile, now };
    const input = await readFrames(source, scopeOf(args), settings, terminal, Date.now());
    const [{ reportAssets }, { REPORT_TOOLS }, { reportHtml }, { writeWhole }] = await Promise.all([
      import('../report/assets.ts'),
      import('../report/tools.ts'),
      import('../../lambdas/core/report/html/render.ts'),
      import('../report/write-file.ts'),
    ]);
    const html = reportHtml(input, await reportAssets(), REPORT_TOOLS);
    await writeWhole(out, html);
    const { findingCounts } = await import('../../lambdas/core/report/finding-text.ts');
    const { counted } = await import('../../lambdas/core/report/layout.ts');
    const { notRead } = await import('../../lambdas/core/report/source-text.ts');
    const { verdictOf } = await import('../../lambdas/core/report/verdict.ts');
    const document = input.frames.at(-1)?.document;
    if (document === undefined) throw new RangeError('nothing was read');
    const { printable } = await import('../../lambdas/core/report/printable.ts');
    const size = Math.ceil(Buffer.byteLength(html) / KILOBYTE);
    const frames = input.frames.length === 1 ? '' : `, ${counted(input.frames.length, 'reading')}`;
    const subnets = counted(document.subnets.length, 'subnet');
    terminal.print(printable(`${out}: ${subnets}${frames}, ${findingCounts(document.findings ?? [])}, ${size} kB`));
    for (const line of notRead(document.source)) terminal.remark(`headroom: ${line}`);
    return EXIT[verdictOf(document)];
  },
});
