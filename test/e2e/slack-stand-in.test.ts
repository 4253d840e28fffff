import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type SlackStandIn, slackViolations, startSlackStandIn } from './slack-stand-in.ts';

let slack: SlackStandIn;

beforeEach(async () => {
  slack = await startSlackStandIn();
});

afterEach(() => slack.stop());

const post = async (message: unknown): Promise<[number, string, string | null]> => {
  const response = await fetch(slack.url, { method: 'POST', body: JSON.stringify(message) });
  return [response.status, await response.text(), response.headers.get('retry-after')];
};

const section = (length: number): object => ({ type: 'section', text: { type: 'mrkdwn', text: 'x'.repeat(length) } });

test('a good message is taken and kept', async () => {
  expect(await post({ text: 'hello', blocks: [section(3_000)] })).toEqual([200, 'ok', null]);
  expect(slack.posts()).toEqual([expect.objectContaining({ answered: 200, violations: [] })]);
});

test('what Slack refuses is refused', async () => {
  expect(await post({})).toEqual([400, 'no_text', null]);
  expect(await post({ blocks: [section(3_001)] })).toEqual([400, 'invalid_blocks', null]);
  expect(slackViolations({ blocks: Array.from({ length: 51 }, () => ({ type: 'divider' })) })).toEqual([
    '51 blocks, at most 50',
  ]);
  const header = { type: 'header', text: { type: 'mrkdwn', text: 'x'.repeat(151) } };
  expect(slackViolations({ blocks: [header] })).toHaveLength(2);
});

test('it can be busy, broken or gone', async () => {
  slack.behave({ kind: 'rate-limited', retryAfterSeconds: 2, times: 1 });
  expect(await post({ text: 'a' })).toEqual([429, 'rate_limited', '2']);
  expect(await post({ text: 'a' })).toEqual([200, 'ok', null]);
  slack.behave({ kind: 'failing', times: 1 });
  expect((await post({ text: 'a' }))[0]).toBe(500);
  slack.behave({ kind: 'gone' });
  expect(await post({ text: 'a' })).toEqual([404, 'no_service', null]);
});
