/** What is told later: the digest of a first scan, warnings of quiet hours, muted findings. */
import { describe, expect, test } from '@jest/globals';
import { DETAIL_TYPES } from '../../../lambdas/contract/event-names.ts';
import type { FindingDetail } from '../../../lambdas/contract/events.ts';
import { ChannelError } from '../../../lambdas/ports/notifying.ts';
import { remediationDetail } from '../../support/bus-events.ts';
import { cleared, HOUR, MINUTE, NOON, NotifyStage, raised, remediation, tick } from '../../support/notifying.ts';
import { CAME_LOW, change, iso, low } from './changes.ts';

describe('the first scan', () => {
  const first = (i: number, severity: 'critical' | 'warning') =>
    raised(change(1, 0, { firstScan: true }, { ...low, severity, id: `SUBNET_LOW/${i}`, subnetId: `s${i}` }));

  test('is one digest, whatever batches it comes in, critical ones first', async () => {
    const stage = new NotifyStage();
    await stage.batch(first(1, 'warning'), first(2, 'warning'));
    await stage.batch(first(3, 'critical'), tick);
    expect(stage.sent).toEqual([]);
    expect(await stage.tickAt(NOON + MINUTE)).toEqual([]);
    expect(await stage.tickAt(NOON + 2 * MINUTE)).toEqual([]);
    expect(stage.titles('messages')).toEqual(['First scan: 1 critical, 2 warning']);
    expect(stage.sent[0]?.entries[0]).toContain('s3');
  });

  test('of one finding is called what it is', async () => {
    const stage = new NotifyStage();
    await stage.batch(first(1, 'warning'));
    await stage.tickAt(NOON + MINUTE);
    expect(stage.titles()).toEqual(['First scan: 1 warning']);
  });

  test('what is over by then is not told', async () => {
    const stage = new NotifyStage();
    await stage.batch(first(1, 'warning'), first(2, 'warning'));
    await stage.batch(cleared(change(2, 1, {}, { ...low, id: 'SUBNET_LOW/1', subnetId: 's1' })));
    await stage.tickAt(NOON + MINUTE);
    expect(stage.sent[0]?.entries).toHaveLength(1);
    expect(stage.titles()).toHaveLength(1);
  });
});

describe('quiet hours', () => {
  const quiet = { notifications: { quietHours: { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' } } };
  /** 23:00 in Berlin on the night in which clocks are set back. */
  const NIGHT = Date.UTC(2026, 9, 24, 21);
  const MORNING = Date.UTC(2026, 9, 25, 6);
  const inTheNight = (n: number, minute: number, finding: Partial<FindingDetail['finding']>) =>
    change(n, 0, { at: iso(NIGHT + minute * MINUTE) }, finding);

  function night() {
    const stage = new NotifyStage(quiet);
    stage.now = NIGHT;
    return stage;
  }

  test('hold back warnings until they end, as one digest, over the change of clocks', async () => {
    const stage = night();
    await stage.batch(
      raised(inTheNight(1, 0, low)),
      raised(inTheNight(1, 1, { ...low, id: 'SUBNET_LOW/b', subnetId: 'b' })),
    );
    for (let at = NIGHT; at < MORNING; at += HOUR) expect(await stage.tickAt(at)).toEqual([]);
    expect(stage.sent).toEqual([]);
    expect(await stage.tickAt(MORNING)).toEqual([]);
    expect(stage.titles()).toEqual(['2 warning']);
    expect(stage.sent[0]?.message.cause).toEqual(['Held back in quiet hours.']);
    expect(await stage.tickAt(MORNING + MINUTE)).toEqual([]);
    expect(stage.titles()).toHaveLength(1);
  });

  test('never hold back what is critical, its end, a failed action, or a plan for it', async () => {
    const stage = night();
    await stage.batch(raised(inTheNight(1, 0, {})));
    await stage.batch(remediation(DETAIL_TYPES.remediationPlanned, remediationDetail()));
    await stage.batch(remediation(DETAIL_TYPES.remediationFailed, remediationDetail({ id: 'f', findingId: low.id })));
    await stage.batch(cleared(inTheNight(2, 30, {})));
    expect(stage.titles()).toHaveLength(4);
  });

  test('hold back a plan for a warning', async () => {
    const stage = night();
    await stage.batch(raised(inTheNight(1, 0, low)));
    await stage.batch(remediation(DETAIL_TYPES.remediationPlanned, remediationDetail({ findingId: low.id })));
    expect(stage.sent).toEqual([]);
    await stage.tickAt(MORNING);
    expect(stage.sent[0]?.entries).toHaveLength(2);
  });

  test('what came and went in them is one line', async () => {
    const stage = night();
    await stage.batch(raised(inTheNight(1, 0, low)));
    await stage.batch(cleared(inTheNight(2, 30, low)));
    await stage.tickAt(MORNING);
    expect(stage.titles()).toEqual([`Came and went: ${CAME_LOW}`]);
  });

  test('a warning that turns critical is told at once, and not again in the morning', async () => {
    const stage = night();
    await stage.batch(raised(inTheNight(1, 0, low)));
    await stage.batch(raised(inTheNight(2, 30, { ...low, severity: 'critical' })));
    expect(stage.titles()).toEqual([CAME_LOW]);
    await stage.tickAt(MORNING);
    expect(stage.titles()).toEqual([CAME_LOW]);
  });

  test('a first scan of warnings in the night waits for the morning; with something critical it does not', async () => {
    const first = (severity: 'critical' | 'warning') =>
      raised(change(1, 0, { firstScan: true, at: iso(NIGHT) }, { ...low, severity }));
    const calm = night();
    await calm.batch(first('warning'));
    await calm.tickAt(NIGHT + 2 * MINUTE);
    expect(calm.sent).toEqual([]);
    await calm.tickAt(MORNING);
    expect(calm.titles()).toEqual(['First scan: 1 warning']);
    const bad = night();
    await bad.batch(first('critical'));
    await bad.tickAt(NIGHT + 2 * MINUTE);
    expect(bad.titles()).toEqual(['First scan: 1 critical']);
  });

  test('a channel that fails in the morning gets it with a later tick, and the others not again', async () => {
    const stage = night();
    await stage.batch(raised(inTheNight(1, 0, low)));
    stage.break('slack', new ChannelError('BUSY', 'Slack says HTTP 500'));
    expect(await stage.tickAt(MORNING)).toEqual([0]);
    stage.mend('slack');
    expect(await stage.tickAt(MORNING + MINUTE)).toEqual([]);
    expect(stage.sent.map(({ channel }) => channel)).toEqual(['messages', 'chat', 'slack']);
  });
});

describe('a muted finding', () => {
  const mute = (stage: NotifyStage, until: number, expected?: number) =>
    stage.state.put('mute', low.id, { until, why: 'known', by: 'jo', at: NOON }, { expected });

  test('is told when the mute ends, if it is still there', async () => {
    const stage = new NotifyStage();
    await mute(stage, NOON + HOUR);
    await stage.batch(
      raised(change(1, 0, {}, low)),
      remediation(DETAIL_TYPES.remediationPlanned, remediationDetail({ findingId: low.id })),
    );
    await stage.tickAt(NOON + 59 * MINUTE);
    expect(stage.sent).toEqual([]);
    await stage.tickAt(NOON + HOUR);
    expect(stage.sent[0]?.entries).toHaveLength(2);
  });

  test('that is over by then was never told', async () => {
    const stage = new NotifyStage();
    await mute(stage, NOON + HOUR);
    await stage.batch(raised(change(1, 0, {}, low)));
    await stage.batch(cleared(change(2, 30, {}, low)));
    await stage.tickAt(NOON + HOUR);
    expect(stage.sent).toEqual([]);
    expect([...(await stage.state.list('held')).keys()]).toEqual([]);
  });

  test('that was told before: its end is told when the mute ends', async () => {
    const stage = new NotifyStage();
    await stage.batch(raised(change(1, 0, {}, low)));
    await mute(stage, NOON + HOUR);
    await stage.batch(cleared(change(2, 30, {}, low)));
    await stage.tickAt(NOON + HOUR);
    expect(stage.titles()).toEqual([CAME_LOW, `Cleared: ${CAME_LOW}`]);
  });

  test('muted for longer meanwhile waits for longer; what was done is told all the same', async () => {
    const stage = new NotifyStage();
    await mute(stage, NOON + HOUR);
    await stage.batch(raised(change(1, 0, {}, low)));
    await mute(stage, NOON + 2 * HOUR, 1);
    await stage.tickAt(NOON + HOUR);
    await stage.batch(remediation(DETAIL_TYPES.remediationApplied, remediationDetail({ id: 'a', findingId: low.id })));
    expect(stage.titles()).toHaveLength(1);
    await stage.tickAt(NOON + 2 * HOUR);
    expect(stage.titles()).toHaveLength(2);
  });
});
