import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { slackChannel } from '../../../lambdas/adapters/slack/slack-channel.ts';
import { webhookSecret } from '../../../lambdas/adapters/slack/webhook-secret.ts';
import { webhookIn, webhookProblem } from '../../../lambdas/adapters/slack/webhook-url.ts';
import { findingMessage } from '../../../lambdas/core/report/messages/finding-message.ts';
import { type SlackStandIn, startSlackStandIn } from '../../e2e/slack-stand-in.ts';
import { type AwsAnswer, type AwsStandIn, startAwsStandIn } from '../../support/aws-stand-in.ts';
import { findingDetail } from '../../support/bus-events.ts';

const SECRET = 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:slack-AbCdEf';
const message = findingMessage('raised', findingDetail());

let slack: SlackStandIn;
let aws: AwsStandIn;
let secret: AwsAnswer;
let now: number;
let pauses: number[];

beforeEach(async () => {
  slack = await startSlackStandIn();
  secret = { body: JSON.stringify({ SecretString: slack.url }) };
  aws = await startAwsStandIn(() => secret);
  now = 0;
  pauses = [];
});
afterEach(async () => {
  await Promise.all([slack.stop(), aws.stop()]);
});

function channel(loopback = true) {
  const client = new SecretsManagerClient({
    region: 'eu-central-1',
    endpoint: aws.url,
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    maxAttempts: 1,
  });
  const time = {
    clock: () => now,
    wait: async (milliseconds: number) => {
      pauses.push(milliseconds);
      now += milliseconds;
    },
  };
  return slackChannel(webhookSecret(client, SECRET, { loopback }), time);
}

async function errorOf(work: Promise<unknown>) {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  // The webhook is a secret: nothing that may reach a log holds it.
  expect(
    JSON.stringify([String(error), error, (error as Error | undefined)?.stack, (error as Error | undefined)?.cause]),
  ).not.toContain('/services/');
  return error;
}

describe('a message to Slack', () => {
  test('arrives as Slack wants it, and the webhook is asked for once', async () => {
    const to = channel();
    await to.send(message, 60_000);
    await to.send(message, 60_000);
    expect(slack.posts().map(({ answered, violations, path }) => [answered, violations, path])).toEqual([
      [200, [], '/services/T00000000/B00000000/standin'],
      [200, [], '/services/T00000000/B00000000/standin'],
    ]);
    expect(aws.calls.map(({ action, parameters }) => [action, parameters.SecretId])).toEqual([
      ['GetSecretValue', SECRET],
    ]);
    now += 300_001;
    await to.send(message, 60_000);
    expect(aws.calls).toHaveLength(2);
  });

  test('Slack asks to wait: waited for exactly that long, then sent', async () => {
    slack.behave({ kind: 'rate-limited', retryAfterSeconds: 7, times: 2 });
    await channel().send(message, 60_000);
    expect(pauses).toEqual([7_000, 7_000]);
    expect(slack.posts().map(({ answered }) => answered)).toEqual([429, 429, 200]);
  });

  test('Slack asks to wait for longer than there is time: left to the queue, without waiting', async () => {
    slack.behave({ kind: 'rate-limited', retryAfterSeconds: 30, times: 1 });
    expect(await errorOf(channel().send(message, 20_000))).toMatchObject({
      code: 'BUSY',
      retryable: true,
      message: 'Slack asks to wait 30 s',
    });
    expect(pauses).toEqual([]);
  });

  test('trouble at Slack is left to the queue', async () => {
    slack.behave({ kind: 'failing', times: 1 });
    const to = channel();
    expect(await errorOf(to.send(message, 60_000))).toMatchObject({
      code: 'BUSY',
      message: 'Slack says rollup_error (HTTP 500)',
    });
    await to.send(message, 60_000);
  });

  test('gone: said so, and the secret is read anew the next time, where there may be another webhook', async () => {
    slack.behave({ kind: 'gone' });
    const to = channel();
    expect(await errorOf(to.send(message, 60_000))).toMatchObject({
      code: 'GONE',
      retryable: false,
      message: 'Slack says no_service (HTTP 404)',
    });
    const other = await startSlackStandIn();
    secret = { body: JSON.stringify({ SecretString: JSON.stringify({ url: other.url }) }) };
    await to.send(message, 60_000);
    expect(other.posts()).toHaveLength(1);
    await other.stop();
  });

  test('nobody answers: the code and not the address is told', async () => {
    await slack.stop();
    expect(await errorOf(channel().send(message, 60_000))).toMatchObject({
      code: 'BUSY',
      message: 'no answer from Slack: ECONNREFUSED',
    });
  });
});

describe('what Slack answers', () => {
  let server: Server;
  let answer: { readonly status: number; readonly body: string; readonly headers?: Record<string, string> };
  beforeEach(async () => {
    server = createServer((request, response) => {
      request.resume();
      request.on('end', () => response.writeHead(answer.status, answer.headers).end(answer.body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    secret = { body: JSON.stringify({ SecretString: `http://127.0.0.1:${port}/services/T/B/x` }) };
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  test.each([
    [410, 'channel_is_archived', 'GONE'],
    [403, 'action_prohibited', 'GONE'],
    [403, 'invalid_token', 'GONE'],
    [404, 'channel_not_found', 'GONE'],
    [400, 'no_team', 'GONE'],
    [400, 'invalid_blocks', 'REFUSED'],
    [400, 'no_text', 'REFUSED'],
    [413, '<html>too large</html>', 'REFUSED'],
    [503, '', 'BUSY'],
  ])('%i %s is %s', async (status, body, code) => {
    answer = { status, body };
    expect(await errorOf(channel().send(message, 60_000))).toMatchObject({ code });
  });

  test('a redirection is not followed: the message goes to nobody else', async () => {
    answer = { status: 307, body: '', headers: { location: slack.url } };
    expect(await errorOf(channel().send(message, 60_000))).toMatchObject({ code: 'BUSY' });
    expect(slack.posts()).toEqual([]);
  });
});

describe('the secret', () => {
  test.each([
    ['ResourceNotFoundException', 'GONE'],
    ['AccessDeniedException', 'GONE'],
    ['InternalServiceError', 'BUSY'],
  ])('%s is %s', async (type, code) => {
    secret = { status: 400, body: JSON.stringify({ __type: type, message: 'no' }) };
    expect(await errorOf(channel().send(message, 60_000))).toMatchObject({
      code,
      message: expect.stringContaining(type),
    });
  });

  test('loopback is for tests alone', async () => {
    expect(await errorOf(channel(false).send(message, 60_000))).toMatchObject({ code: 'GONE' });
    expect(slack.posts()).toEqual([]);
  });

  test.each([
    ['https://hooks.slack.com/services/T0/B0/abc', undefined],
    ['https://hooks.slack-gov.com/services/T0/B0/abc', undefined],
    ['http://hooks.slack.com/services/T0/B0/abc', 'it is not https'],
    ['https://hooks.slack.com.evil.example/services/T0/B0/abc', expect.stringContaining('its host')],
    ['https://hooks.slack.com@evil.example/services/T0/B0/abc', expect.stringContaining('its host')],
    ['https://hooks.slack.com:8443/services/T0/B0/abc', expect.stringContaining('its host')],
    ['https://hooks.slack.com/services/T0/B0', expect.stringContaining('form')],
    ['https://hooks.slack.com/services/T0/B0/abc?x=1', expect.stringContaining('form')],
    ['http://127.0.0.1:1/services/T0/B0/abc', 'it is not https'],
    ['nothing', 'it is no URL'],
    ['', 'it is no URL'],
  ])('%s: %s', (url, problem) => {
    expect(webhookProblem(url, { loopback: false })).toEqual(problem);
  });

  test('holds the URL as it is, or as key and value', () => {
    expect([
      webhookIn(' u \n'),
      webhookIn('{"url":"u"}'),
      webhookIn('{"webhookUrl":"u"}'),
      webhookIn('{"x":1}'),
      webhookIn('{'),
    ]).toEqual(['u', 'u', 'u', '', '{']);
  });
});
