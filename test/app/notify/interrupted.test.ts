/** Runs that end in between, and channels that fail: nothing is lost, nothing is told twice. */
import { describe, expect, test } from '@jest/globals';
import { ChannelError } from '../../../lambdas/ports/notifying.ts';
import { cleared, MINUTE, NOON, NotifyStage, raised } from '../../support/notifying.ts';
import { CAME, CAME_LOW, change, low } from './changes.ts';

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
