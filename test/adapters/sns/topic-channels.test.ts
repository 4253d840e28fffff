import { SNSClient } from '@aws-sdk/client-sns';
import { afterEach, describe, expect, test } from '@jest/globals';
import { chatChannel, lastResort, mailChannel } from '../../../lambdas/adapters/sns/topic-channels.ts';
import { findingMessage } from '../../../lambdas/core/report/messages/finding-message.ts';
import { type AwsAnswer, type AwsStandIn, startAwsStandIn } from '../../support/aws-stand-in.ts';
import { findingDetail } from '../../support/bus-events.ts';

const TOPIC = 'arn:aws:sns:eu-central-1:111122223333:messages';
const message = findingMessage('raised', findingDetail());
const ok: AwsAnswer = {
  body: '<PublishResponse><PublishResult><MessageId>m</MessageId></PublishResult></PublishResponse>',
};
const refusal = (code: string): AwsAnswer => ({
  status: 400,
  body: `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>no</Message></Error></ErrorResponse>`,
});

let aws: AwsStandIn | undefined;
afterEach(async () => {
  await aws?.stop();
});

async function sns(answer: AwsAnswer): Promise<SNSClient> {
  aws = await startAwsStandIn(() => answer);
  return new SNSClient({
    region: 'eu-central-1',
    endpoint: aws.url,
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    maxAttempts: 1,
  });
}

describe('messages over SNS', () => {
  test('mail has a subject, and attributes that subscriptions can filter by', async () => {
    await mailChannel(await sns(ok), TOPIC).send(message, 1_000);
    expect(aws?.calls[0]?.parameters).toMatchObject({
      Action: 'Publish',
      TopicArn: TOPIC,
      Subject: '[Headroom] CRITICAL PREFIX_EXHAUSTED subnet-0a1 (euc1-az2, cluster prod)',
      Message: expect.stringContaining('Open subnet-0c3 to prod.'),
      'MessageAttributes.entry.1.Name': 'severity',
      'MessageAttributes.entry.1.Value.StringValue': 'critical',
    });
  });

  test('chat has nothing but the schema of Amazon Q Developer', async () => {
    await chatChannel(await sns(ok), TOPIC).send(message, 1_000);
    const parameters = aws?.calls[0]?.parameters ?? {};
    expect(parameters).not.toHaveProperty('Subject');
    expect(JSON.parse(String(parameters.Message))).toMatchObject({ version: '1.0', source: 'custom' });
  });

  test.each([
    ['critical', 'c'],
    ['warning', 'w'],
  ] as const)(
    'past a channel that is gone, %s goes to the topic of its alarms, with the reason',
    async (severity, topic) => {
      const told = findingMessage('raised', findingDetail({}, { severity }));
      await lastResort(await sns(ok), { critical: 'c', warning: 'w' }).send(told, 'slack', 'Slack says no_service');
      expect(aws?.calls[0]?.parameters).toMatchObject({
        TopicArn: topic,
        Message: expect.stringMatching(
          /^This comes here since slack takes no messages any more: Slack says no_service\./,
        ),
      });
    },
  );

  test.each([
    ['NotFound', 'GONE'],
    ['AuthorizationError', 'GONE'],
    ['KMSDisabled', 'GONE'],
    ['InvalidParameter', 'REFUSED'],
    // The SDK calls it by another name altogether, a bundle by this one.
    ['ParameterValueInvalid', 'REFUSED'],
    ['Throttled', 'BUSY'],
    ['InternalError', 'BUSY'],
  ])('%s is %s', async (code, meant) => {
    await expect(mailChannel(await sns(refusal(code)), TOPIC).send(message, 1_000)).rejects.toMatchObject({
      name: 'ChannelError',
      code: meant,
      message: expect.stringContaining(code),
    });
  });
});
