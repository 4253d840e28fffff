import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { ChannelError } from '../../ports/notifying.ts';
import { awsCode } from '../aws-error.ts';
import { type WebhookRules, webhookIn, webhookProblem } from './webhook-url.ts';

/** Milliseconds that a webhook is used without asking again: a new one is in use soon after it was put into the secret. */
const KEPT_MS = 300_000;
/** Secrets Manager says these where nothing helps but somebody: no such secret, or no right to it or its key. */
const LOST: ReadonlySet<string> = new Set([
  'ResourceNotFoundException',
  'AccessDeniedException',
  'DecryptionFailure',
  'InvalidRequestException',
  'InvalidParameterException',
]);

export interface WebhookSecret {
  /** @throws ChannelError `GONE`: the secret cannot be read or holds no webhook. `BUSY`: not now. */
  url(now: number): Promise<string>;
  /** The next call asks again. */
  forget(): void;
}

export function webhookSecret(client: SecretsManagerClient, secretArn: string, rules: WebhookRules): WebhookSecret {
  let kept: { readonly url: string; readonly until: number } | undefined;
  return {
    async url(now) {
      if (kept !== undefined && kept.until > now) return kept.url;
      const url = webhookIn(await read(client, secretArn));
      const problem = webhookProblem(url, rules);
      if (problem !== undefined) throw new ChannelError('GONE', `the secret ${secretArn} holds no webhook: ${problem}`);
      kept = { url, until: now + KEPT_MS };
      return url;
    },
    forget() {
      kept = undefined;
    },
  };
}

async function read(client: SecretsManagerClient, SecretId: string): Promise<string> {
  try {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId }));
    return SecretString ?? '';
  } catch (error) {
    const code = awsCode(error);
    throw new ChannelError(LOST.has(code) ? 'GONE' : 'BUSY', `the secret ${SecretId} cannot be read: ${code}`);
  }
}
