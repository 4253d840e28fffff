import { describe, expect, test } from '@jest/globals';
import { DETAIL_TYPES, type FindingDetail } from '../../../lambdas/contract/events.ts';
import { ChannelError } from '../../../lambdas/ports/notifying.ts';
import { findingDetail, remediationDetail } from '../../support/bus-events.ts';
import { cleared, HOUR, MINUTE, NOON, NotifyStage, raised, remediation, tick } from '../../support/notifying.ts';

const iso = (at: number) => new Date(at).toISOString();

/** The nth change of a finding, at a minute past noon. */
function change(
  n: number,
  minute: number,
  over: Partial<FindingDetail> = {},
  finding: Partial<FindingDetail['finding']> = {},
) {
  const detail = findingDetail(over, finding);
  return { ...detail, id: `${detail.finding.id}#${n}`, at: iso(NOON + minute * MINUTE), ...over };
}
const low = { id: 'SUBNET_LOW/subnet-0a1', code: 'SUBNET_LOW', severity: 'warning' } as const;

const CAME = 'PREFIX_EXHAUSTED subnet-0a1 (euc1-az2, cluster prod)';
const CAME_LOW = 'SUBNET_LOW subnet-0a1 (euc1-az2, cluster prod)';

describe('once for each fact and change', () => {
  test('every channel is told, and a second copy of the event tells nobody', async () => {
    const stage = new NotifyStage();
    const event = raised(change(1, 0));
    expect(await stage.batch(event)).toEqual([]);
    expect(stage.sent.map(({ channel, title }) => [channel, title])).toEqual([
      ['messages', CAME],
      ['chat', CAME],
      ['slack', CAME],
    ]);
    expect(await stage.batch(event, event)).toEqual([]);
    expect(stage.sent).toHaveLength(3);
  });

  test('the map of the event goes with its coming, held back or not, and not with its end', async () => {
    const map = ['subnet-0a1 pods', 'E111E'];
    const quiet = { notifications: { quietHours: { from: '11:00', to: '13:00', timeZone: 'UTC' } } };
    for (const stage of [new NotifyStage(), new NotifyStage(quiet)]) {
      await stage.batch(raised({ ...change(1, 0, {}, { severity: 'warning' }), map }));
      await stage.tickAt(NOON + 61 * MINUTE);
      await stage.batch(cleared(change(2, 62, {}, { severity: 'warning' })));
      expect(stage.sent.filter(({ channel }) => channel === 'slack').map(({ message }) => message.map)).toEqual([
        map,
        [],
      ]);
    }
  });

  test('it goes: told; it goes again by a repeat: not', async () => {
    const stage = new NotifyStage();
    const end = cleared(change(2, 30));
    await stage.batch(raised(change(1, 0)));
    await stage.batch(end);
    await stage.batch(end);
    expect(stage.titles()).toEqual([CAME, `Cleared: ${CAME}`]);
  });

  test('both in one batch, in the wrong order', async () => {
    const stage = new NotifyStage();
    await stage.batch(cleared(change(2, 30)), raised(change(1, 0)));
    expect(stage.titles()).toEqual([CAME, `Cleared: ${CAME}`]);
  });

  test('it went before its coming was seen: one message of both, and no third', async () => {
    const stage = new NotifyStage();
    await stage.batch(cleared(change(2, 30)));
    expect(stage.titles()).toEqual([]);
    await stage.batch(raised(change(1, 0)));
    await stage.batch(raised(change(1, 0)), cleared(change(2, 30)));
    expect(stage.titles()).toEqual([`Came and went: ${CAME}`]);
  });

  test('an older change that comes late is passed over', async () => {
    const stage = new NotifyStage();
    await stage.batch(raised(change(3, 60)));
    await stage.batch(cleared(change(2, 30)));
    expect(stage.titles()).toEqual([CAME]);
  });

  test('it gets worse: told again, with what it was', async () => {
    const stage = new NotifyStage();
    await stage.batch(raised(change(1, 0, {}, { severity: 'warning' })));
    await stage.batch(raised(change(2, 5)));
    expect(stage.sent.at(-1)?.message.cause[0]).toBe('Was warning, is critical now.');
  });

  test('info stands in reports; nothing is said of its end either', async () => {
    const stage = new NotifyStage();
    await stage.batch(raised(change(1, 0, {}, { severity: 'info' })), cleared(change(2, 30, {}, { severity: 'info' })));
    expect(stage.sent).toEqual([]);
  });

  test('thirty at once are one digest on each channel', async () => {
    const stage = new NotifyStage();
    const many = Array.from({ length: 30 }, (_, i) =>
      raised(change(1, 0, {}, { ...low, id: `SUBNET_LOW/${i}`, subnetId: `s${i}` })),
    );
    expect(await stage.batch(...many)).toEqual([]);
    expect(stage.sent.map(({ channel, entries }) => [channel, entries.length])).toEqual([
      ['messages', 30],
      ['chat', 30],
      ['slack', 30],
    ]);
  });

  test('an event that is none of ours comes again, and keeps no other', async () => {
    const stage = new NotifyStage();
    expect(await stage.batch({ source: 'headroom', 'detail-type': 'Other' }, raised(change(1, 0)))).toEqual([0]);
    expect(await stage.batch({ source: 'headroom', 'detail-type': DETAIL_TYPES.findingRaised, detail: {} })).toEqual([
      0,
    ]);
    expect(stage.titles()).toEqual([CAME]);
    expect(stage.logs.filter((line) => line.startsWith('error'))).toHaveLength(2);
  });
});

describe('a run that ends in between', () => {
  test('another copy that is being taken up: this one comes again', async () => {
    const stage = new NotifyStage();
    stage.state.refuseNext('message');
    expect(await stage.batch(raised(change(1, 0)))).toEqual([0]);
    expect(stage.sent).toEqual([]);
    expect(await stage.batch(raised(change(1, 0)))).toEqual([]);
    expect(stage.titles()).toEqual([CAME]);
  });

  test('decided, and not remembered of the finding: made up for, so that its end is told', async () => {
    const stage = new NotifyStage();
    stage.state.refuseNext('told');
    expect(await stage.batch(raised(change(1, 0)))).toEqual([0]);
    expect(await stage.batch(raised(change(1, 0)))).toEqual([]);
    await stage.batch(cleared(change(2, 30)));
    expect(stage.titles()).toEqual([CAME, `Cleared: ${CAME}`]);
  });

  test('one channel fails: the next try tells that one alone', async () => {
    const stage = new NotifyStage();
    stage.break('chat', new ChannelError('BUSY', 'SNS says Throttled'));
    expect(await stage.batch(raised(change(1, 0)))).toEqual([0]);
    stage.mend('chat');
    expect(await stage.batch(raised(change(1, 0)))).toEqual([]);
    expect(stage.sent.map(({ channel }) => channel)).toEqual(['messages', 'slack', 'chat']);
  });

  test('somebody else is telling it: not told twice, and not given up', async () => {
    const stage = new NotifyStage();
    stage.break('messages', new ChannelError('BUSY', 'x'));
    await stage.batch(raised(change(1, 0)));
    const id = 'PREFIX_EXHAUSTED/subnet-0a1/prod#1';
    const item = await stage.state.get('message', id);
    await stage.state.put(
      'message',
      id,
      { ...(item?.value as object), lease: NOON + MINUTE },
      { expected: item?.version },
    );
    stage.mend('messages');
    const before = stage.sent.length;
    expect(await stage.batch(raised(change(1, 0)))).toEqual([0]);
    expect(stage.sent).toHaveLength(before);
    stage.now = NOON + 2 * MINUTE;
    expect(await stage.batch(raised(change(1, 0)))).toEqual([]);
    expect(stage.titles('messages')).toEqual([CAME]);
  });

  test('no time left: nothing is sent, everything comes again', async () => {
    const stage = new NotifyStage();
    stage.remaining = 4_000;
    expect(await stage.batch(raised(change(1, 0)))).toEqual([0]);
    expect(stage.sent).toEqual([]);
  });

  test('the table is not to be had: the batch fails as one', async () => {
    const stage = new NotifyStage();
    stage.state.breakNext(new Error('ProvisionedThroughputExceeded'));
    expect(await stage.batch(raised(change(1, 0)), raised(change(1, 0, {}, low)))).toEqual([0]);
    expect(stage.titles()).toEqual([CAME_LOW]);
  });
});

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

describe('a channel that is gone', () => {
  test('is told of on the topics of alarms, once; the message waits in the queue until it is mended', async () => {
    const stage = new NotifyStage();
    stage.break('slack', new ChannelError('GONE', 'Slack says no_service (HTTP 404)'));
    const event = raised(change(1, 0));
    expect(await stage.batch(event)).toEqual([0]);
    expect(await stage.batch(event)).toEqual([0]);
    expect(stage.resorts).toEqual([{ title: CAME, channel: 'slack', reason: 'Slack says no_service (HTTP 404)' }]);
    expect(stage.titles('messages')).toEqual([CAME]);
    stage.mend('slack');
    expect(await stage.batch(event)).toEqual([]);
    expect(stage.titles()).toEqual([CAME]);
    expect(stage.logs.filter((line) => line.startsWith('error'))).toHaveLength(2);
  });

  test('a message that is refused keeps no other', async () => {
    const stage = new NotifyStage();
    stage.break('slack', new ChannelError('REFUSED', 'invalid_blocks'));
    expect(await stage.batch(raised(change(1, 0)), raised(change(1, 0, {}, low)))).toEqual([0, 1]);
    expect(stage.resorts).toEqual([]);
    expect(stage.titles('chat')).toHaveLength(2);
  });
});

test('a test message goes everywhere at once, in quiet hours too', async () => {
  const stage = new NotifyStage({ notifications: { quietHours: { from: '00:00', to: '23:59', timeZone: 'UTC' } } });
  const detail = { schemaVersion: 1, id: 't', account: '1', region: 'us-east-1', at: iso(NOON), by: 'jo' };
  expect(await stage.batch({ source: 'headroom', 'detail-type': DETAIL_TYPES.testAlert, detail })).toEqual([]);
  expect(stage.sent.map(({ channel }) => channel)).toEqual(['messages', 'chat', 'slack']);
});
