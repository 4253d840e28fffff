import { EXIT } from '../exit-status.ts';
import { liveOptions, one, time } from '../options.ts';
import { asking, openService, openState } from '../service.ts';
import { UsageError } from '../usage-error.ts';
import { verb } from '../verb.ts';

/** A mute that nobody remembers hides what everybody should know. */
const LONGEST_DAYS = 90;
/** Whoever is not paged must not be able to hide that. */
const NEVER_MUTED = 'NOBODY_IS_PAGED';

export const mute = verb({
  command: 'mute <finding>',
  describe: 'No message about a finding until a time; alarms go on paging',
  options: (yargs) =>
    liveOptions(yargs)
      .positional('finding', {
        type: 'string',
        demandOption: true,
        describe: 'Id of the finding, as messages and assess --json show it',
      })
      .option('until', {
        type: 'string',
        requiresArg: true,
        coerce: time('until'),
        describe: `When messages begin again (ISO 8601), within ${LONGEST_DAYS} days`,
      })
      .option('why', { type: 'string', requiresArg: true, coerce: one('why'), describe: 'For those who wonder later' })
      .example('$0 mute SUBNET_LOW/subnet-0a1 --until 2026-12-07T08:00:00Z --why "new subnet on Monday"', ''),
  run: async ({ finding, until, why, now, ...args }, terminal) => {
    const at = now ?? Date.now();
    if (until === undefined) throw new UsageError('mute needs an end: --until TIME');
    if (why === undefined) throw new UsageError('mute needs a reason: --why TEXT');
    if (until <= at) throw new UsageError(`--until: ${new Date(until).toISOString()} is over already`);
    if (until > at + LONGEST_DAYS * 86_400_000) throw new UsageError(`--until: at most ${LONGEST_DAYS} days from now`);
    if (finding.startsWith(NEVER_MUTED)) throw new UsageError(`${NEVER_MUTED} cannot be muted: mend it instead`);
    const service = await openService(args);
    const [{ callerArn }, { mute: muteFinding }, state] = await Promise.all([
      import('../../lambdas/adapters/sts/caller-arn.ts'),
      import('../../lambdas/app/mute.ts'),
      openState(service),
    ]);
    const by = await callerArn(service.options);
    const muted = await asking('dynamodb:PutItem', service, () => muteFinding(state, finding, { until, why, by, at }));
    if (!muted.open) terminal.remark(`headroom: ${finding} is not open now; the mute counts should it come`);
    if (muted.replaced !== undefined) {
      const { until: end, by: who } = muted.replaced;
      terminal.remark(`headroom: replaces the mute of ${who} until ${new Date(end).toISOString()}`);
    }
    const { printable } = await import('../../lambdas/core/report/printable.ts');
    terminal.print(
      printable(
        `No message about ${finding} until ${new Date(until).toISOString()} (${by}: ${why}). Alarms go on paging.`,
      ),
    );
    return EXIT.done;
  },
});
