/** Everything that notify touches, on AWS and at Slack. */
import { setTimeout as wait } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SNSClient } from '@aws-sdk/client-sns';
import type { Config } from '../../contract/config.ts';
import type { Environment } from '../../contract/environment.ts';
import type { Channel, NotifyWorld } from '../../ports/notifying.ts';
import { dynamoStateTable } from '../dynamodb/state-table.ts';
import { slackChannel } from '../slack/slack-channel.ts';
import { webhookSecret } from '../slack/webhook-secret.ts';
import { chatChannel, lastResort, mailChannel } from '../sns/topic-channels.ts';

/** What outlives a run: clients with their connections, and the webhook. */
export type LastingNotify = Omit<NotifyWorld, 'clock' | 'log'>;

export function lastingNotify(
  env: Environment<'notify'>,
  { notifications }: Config,
  rules: { readonly loopback: boolean },
): LastingNotify {
  const sns = new SNSClient();
  const { slackWebhookSecretArn: secretArn } = notifications;
  const slack: readonly Channel[] =
    secretArn === undefined
      ? []
      : [slackChannel(webhookSecret(new SecretsManagerClient(), secretArn, rules), { clock: Date.now, wait })];
  return {
    state: dynamoStateTable(new DynamoDBClient(), env.table),
    channels: [mailChannel(sns, env.messagesTopicArn), chatChannel(sns, env.chatTopicArn), ...slack],
    lastResort: lastResort(sns, { critical: env.criticalTopicArn, warning: env.warningTopicArn }),
  };
}
