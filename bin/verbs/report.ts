import type { AssessSettings } from '../../lambdas/core/assess/settings.ts';
import type { ReportInput } from '../../lambdas/core/report/html/render.ts';
import { EXIT } from '../exit-status.ts';
import { liveOptions, many, one, scopeOf, scopeOptions, time } from '../options.ts';
import type { Span } from '../report/read-stored.ts';
import { settingsOf, settingsOption } from '../settings.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import { verb } from '../verb.ts';

/** Bytes in a kilobyte, as file managers show it. */
const KILOBYTE = 1000;

const DAY_MS = 86_400_000;
/** Days of a span: each is a listing of its own, and snapshots are kept for fewer in most deployments. */
const MOST_DAYS = 366;

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
      .option('at', {
        type: 'string',
        requiresArg: true,
        coerce: time('at'),
        conflicts: ['from', 'now', 'vpc', 'subnet', 'since'],
        describe: 'As of this time: the snapshot of the deployed service nearest before it',
      })
      .option('since', {
        type: 'string',
        requiresArg: true,
        coerce: time('since'),
        conflicts: ['from', 'now', 'vpc', 'subnet'],
        describe: 'From this time on: the snapshots of the deployed service, at most 50 of them, evenly',
      })
      .option('until', {
        type: 'string',
        requiresArg: true,
        coerce: time('until'),
        implies: 'since',
        describe: 'With --since: up to this time; default: the clock',
      })
      .option('out', { type: 'string', requiresArg: true, coerce: one('out'), describe: 'File to write' })
      .example('$0 report --from snapshot --out headroom.html', 'then open headroom.html in a browser')
      .example('$0 report --from monday --from tuesday --out week.html', 'with a slider over the two')
      .example('$0 report --since 2026-11-29 --out weekend.html', 'what the deployed service saw since then'),
  run: async (args, terminal) => {
    const { out, from = [] } = args;
    if (out === undefined) throw new UsageError('report needs the file to write: --out FILE');
    const settings = await settingsOf(args);
    const span = spanOf(args, Date.now());
    const input = await inputOf({ ...args, from }, span, settings, terminal);
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

interface StoredTimes {
  readonly at?: number | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

/** @throws UsageError the span ends before it begins, or is too long. */
function spanOf({ since, until }: StoredTimes, now: number): Span | undefined {
  if (since === undefined) return undefined;
  const end = until ?? now;
  if (since >= end) throw new UsageError(`--since must be before ${until === undefined ? 'now' : '--until'}`);
  if (end - since > MOST_DAYS * DAY_MS)
    throw new UsageError(`--since and --until may be ${MOST_DAYS} days apart at most`);
  return { since, until: end };
}

interface InputArgs extends StoredTimes {
  readonly from: readonly string[];
  readonly region?: string | undefined;
  readonly profile?: string | undefined;
  readonly now?: number | undefined;
  readonly vpc?: readonly string[] | undefined;
  readonly subnet?: readonly string[] | undefined;
}

async function inputOf(
  args: InputArgs,
  span: Span | undefined,
  settings: AssessSettings,
  terminal: Terminal,
): Promise<ReportInput> {
  const { from, region, profile, now, at } = args;
  if (at === undefined && span === undefined) {
    const { readFrames } = await import('../report/read-frames.ts');
    const source = { folders: from, region, profile, now };
    return readFrames(source, scopeOf(args), settings, terminal, Date.now());
  }
  const { readStoredAt, readStoredSpan } = await import('../report/read-stored.ts');
  const service = { region, profile };
  return span === undefined
    ? readStoredAt(service, at as number, settings, Date.now())
    : readStoredSpan(service, span, settings, terminal, Date.now());
}
