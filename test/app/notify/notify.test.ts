import { describe, expect, test } from '@jest/globals';
import { DETAIL_TYPES } from '../../../lambdas/contract/event-names.ts';
import { cleared, MINUTE, NOON, NotifyStage, raised } from '../../support/notifying.ts';
import { CAME, change, iso, low } from './changes.ts';

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

test('a test message goes everywhere at once, in quiet hours too', async () => {
  const stage = new NotifyStage({ notifications: { quietHours: { from: '00:00', to: '23:59', timeZone: 'UTC' } } });
  const detail = { schemaVersion: 1, id: 't', account: '1', region: 'us-east-1', at: iso(NOON), by: 'jo' };
  expect(await stage.batch({ source: 'headroom', 'detail-type': DETAIL_TYPES.testAlert, detail })).toEqual([]);
  expect(stage.sent.map(({ channel }) => channel)).toEqual(['messages', 'chat', 'slack']);
});
