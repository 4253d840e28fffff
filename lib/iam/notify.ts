import type { Permission } from './permission.ts';

export interface NotifyResources {
  readonly tableArn: string;
  readonly topicArns: readonly string[];
  /** The secret with the Slack webhook, where there is one. */
  readonly secretArn?: string;
}

/** What notify may do: remember what it told, and tell. */
export function notifyPermissions({ tableArn, topicArns, secretArn }: NotifyResources): readonly Permission[] {
  const tell: readonly Permission[] = [
    {
      sid: 'KeepMessages',
      actions: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query', 'dynamodb:DeleteItem'],
      resources: [tableArn],
      why: 'one message for each fact and change, mutes, what quiet hours hold back',
    },
    {
      sid: 'SendMessages',
      actions: ['sns:Publish'],
      resources: topicArns,
      why: 'mail and chat; the topics of alarms where one of them is gone',
    },
  ];
  if (secretArn === undefined) return tell;
  return [
    ...tell,
    {
      sid: 'ReadWebhook',
      actions: ['secretsmanager:GetSecretValue'],
      resources: [secretArn],
      why: 'the Slack webhook is a secret',
    },
  ];
}
