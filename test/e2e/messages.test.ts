/** From the bus to people: the real notify in the deployed stack, a Slack stand-in, and the verbs that look after it. */
import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { CreateSecretCommand } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { ChecksDocument } from '../../lambdas/contract/checks-document.ts';
import { LOOPBACK_WEBHOOK } from '../../lambdas/contract/environment.ts';
import { DETAIL_TYPES, EVENT_SOURCE } from '../../lambdas/contract/event-names.ts';
import { BUS_NAME, STACK_OUTPUTS } from '../../lambdas/contract/names.ts';
import { findingDetail } from '../support/bus-events.ts';
import { headroom } from '../support/run-headroom.ts';
import { deploy } from './deploy.ts';
import { type SlackStandIn, startSlackStandIn } from './slack-stand-in.ts';
import { ACCOUNT, REGION, startTestbed, type Testbed } from './testbed.ts';
import { type TopicTap, tapTopic } from './topic-tap.ts';
import { waitFor } from './wait-for.ts';

let testbed: Testbed;
let slack: SlackStandIn;
let mail: TopicTap;
let chat: TopicTap;

beforeAll(async () => {
  slack = await startSlackStandIn();
  testbed = await startTestbed({ functionEnv: { [LOOPBACK_WEBHOOK.variable]: LOOPBACK_WEBHOOK.allowed } });
  const { ARN = '' } = await testbed.clients.secrets.send(
    new CreateSecretCommand({ Name: 'headroom-slack', SecretString: slack.url }),
  );
  const output = await deploy(testbed, {
    name: 'messages',
    app: 'node test/e2e/messages/app.ts',
    env: { SLACK_SECRET_ARN: ARN },
  });
  mail = await tapTopic(testbed.clients, output(STACK_OUTPUTS.messagesTopic), 'tap-of-mail');
  chat = await tapTopic(testbed.clients, output(STACK_OUTPUTS.chatTopic), 'tap-of-chat');
});

beforeEach(() => {
  slack.behave({ kind: 'well' });
});

afterAll(async () => {
  await testbed?.stop();
  await slack?.stop();
});

async function verb(...args: readonly string[]) {
  const env = { ...testbed.env, [LOOPBACK_WEBHOOK.variable]: LOOPBACK_WEBHOOK.allowed };
  const ran = await headroom([...args, '--json'], { env });
  const document = ran.stdout === '' ? undefined : (JSON.parse(ran.stdout) as ChecksDocument);
  return { ...ran, states: new Map(document?.checks.map(({ id, state, detail }) => [id, `${state}: ${detail}`])) };
}

test('a finding on the bus reaches mail, chat and Slack, once, however often it comes', async () => {
  const detail = findingDetail({ account: ACCOUNT, region: REGION });
  const entry = {
    EventBusName: BUS_NAME,
    Source: EVENT_SOURCE,
    DetailType: DETAIL_TYPES.findingRaised,
    Detail: JSON.stringify(detail),
  };
  await testbed.clients.events.send(new PutEventsCommand({ Entries: [entry, entry] }));
  await mail.waitUntil('the mail', (all) => all.length > 0, 60_000);
  await testbed.clients.events.send(new PutEventsCommand({ Entries: [entry] }));
  await waitFor(async () => slack.posts().length > 0, { what: 'the post to Slack', timeoutMs: 60_000 });
  // What is sent last comes last: once this has arrived, a second message about the finding would have too.
  const { states } = await verb('test-alert');
  expect([states.get('message-messages'), states.get('message-chat'), states.get('message-slack')]).toEqual(
    Array.from({ length: 3 }, () => expect.stringMatching(/^ok: taken at /)),
  );
  const about = (text: string | undefined) => text?.includes('PREFIX_EXHAUSTED') === true;
  expect((await mail.drain()).filter(({ subject }) => about(subject))).toHaveLength(1);
  const chats = (await chat.drain()).filter(({ message }) => about(message));
  expect(chats.map(({ message }) => JSON.parse(message) as unknown)).toEqual([
    expect.objectContaining({ version: '1.0', source: 'custom' }),
  ]);
  expect(slack.posts().filter(({ message }) => about(message.text))).toHaveLength(1);
  expect(slack.posts().flatMap(({ violations }) => violations)).toEqual([]);
  // The webhook is a secret: no function wrote it into its log.
  expect(testbed.log()).not.toContain(new URL(slack.url).pathname);
});

test('the doctor sees what is missing, and says how it ended', async () => {
  const { states, status, stderr } = await verb('doctor');
  expect(stderr).toBe('');
  expect(status).toBe(2);
  expect(Object.fromEntries([...states].map(([id, words]) => [id, words.split(':')[0]]))).toMatchObject({
    stack: 'ok',
    rules: 'ok',
    functions: 'ok',
    messages: 'ok',
    webhook: 'ok',
    key: 'ok',
    // Nothing measures here, nobody is subscribed, and no trail was made.
    snapshot: 'problem',
    trail: 'problem',
    paging: 'problem',
  });
});

test('a webhook that is gone: the verb says so, by Slack’s own word', async () => {
  slack.behave({ kind: 'gone' });
  const { states, status } = await verb('test-alert');
  expect(status).toBe(2);
  expect(states.get('message-slack')).toBe('problem: GONE: Slack says no_service (HTTP 404)');
});
