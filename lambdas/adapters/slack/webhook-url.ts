/** Slack's hosts of incoming webhooks: its own and that of GovSlack. */
const HOSTS: ReadonlySet<string> = new Set(['hooks.slack.com', 'hooks.slack-gov.com']);
const PATH = /^\/services\/[A-Za-z0-9]+\/[A-Za-z0-9]+\/[A-Za-z0-9]+$/;
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

export interface WebhookRules {
  /** Also plain HTTP to this very machine, where tests have a stand-in. */
  readonly loopback: boolean;
}

/** What is wrong with a text that should be a webhook; `undefined`: nothing. Says nothing of the text itself, which is a secret. */
export function webhookProblem(text: string, { loopback }: WebhookRules): string | undefined {
  if (!URL.canParse(text)) return 'it is no URL';
  const { protocol, hostname, pathname, username, password, search, port } = new URL(text);
  if (loopback && protocol === 'http:' && LOOPBACK.has(hostname)) return undefined;
  if (protocol !== 'https:') return 'it is not https';
  if (!HOSTS.has(hostname) || port !== '') return `its host is none of ${[...HOSTS].join(', ')}`;
  if (username !== '' || password !== '' || search !== '' || !PATH.test(pathname)) {
    return 'it does not have the form https://hooks.slack.com/services/T.../B.../...';
  }
  return undefined;
}

/** The URL in a secret: the text itself, or the member `url` or `webhookUrl` of a JSON object, as the console of Secrets Manager writes key and value. */
export function webhookIn(secret: string): string {
  const text = secret.trim();
  if (!text.startsWith('{')) return text;
  try {
    const { url, webhookUrl } = JSON.parse(text) as { readonly url?: unknown; readonly webhookUrl?: unknown };
    const found = url ?? webhookUrl;
    return typeof found === 'string' ? found.trim() : '';
  } catch {
    return text;
  }
}
