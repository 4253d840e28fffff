/** One message to a webhook. The URL is a secret: no error and no log has it. */
import type { SlackMessage } from '../../core/report/messages/slack.ts';
import { ChannelError } from '../../ports/notifying.ts';
import { awsCode } from '../aws-error.ts';

/** Milliseconds for one answer; Slack answers in a fraction of a second. */
const ANSWER_MS = 10_000;
/** Where Slack asks to wait and does not say how long: the rate is about one message a second. */
const DEFAULT_RETRY_SECONDS = 1;

/** Slack's words for a webhook that will not take anything any more (Slack, "Sending messages using incoming webhooks", and its list of errors). */
const GONE_WORDS: ReadonlySet<string> = new Set([
  'no_service',
  'no_service_id',
  'no_team',
  'no_active_hooks',
  'invalid_token',
  'channel_not_found',
  'channel_is_archived',
  'action_prohibited',
  'posting_to_general_channel_denied',
  'team_disabled',
]);
const GONE_STATUS: ReadonlySet<number> = new Set([401, 403, 404, 410]);

export interface PostOptions {
  /** Milliseconds that may be spent, waiting for Slack's pauses among them. */
  readonly patience: number;
  /** Milliseconds on a clock that never goes back. */
  readonly clock: () => number;
  readonly wait: (milliseconds: number) => Promise<void>;
}

/** @throws ChannelError `BUSY`, `REFUSED`, `GONE`. */
export async function postToSlack(url: string, message: SlackMessage, options: PostOptions): Promise<void> {
  const deadline = options.clock() + options.patience;
  for (;;) {
    const left = deadline - options.clock();
    if (left <= 0) throw new ChannelError('BUSY', 'no time left');
    const answer = await once(url, message, Math.min(left, ANSWER_MS));
    if (answer.status === 200) return;
    if (answer.status !== 429) throw refusal(answer);
    const pause = answer.retryAfterSeconds * 1000;
    if (options.clock() + pause >= deadline) {
      throw new ChannelError('BUSY', `Slack asks to wait ${answer.retryAfterSeconds} s`);
    }
    await options.wait(pause);
  }
}

interface Answer {
  readonly status: number;
  /** Slack's word: letters and underscores, else empty. */
  readonly word: string;
  readonly retryAfterSeconds: number;
}

async function once(url: string, message: SlackMessage, timeoutMs: number): Promise<Answer> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(message),
      // A webhook never redirects; whoever does would be handed the message.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = (await response.text()).trim();
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    return {
      status: response.status,
      word: /^[a-z_]{1,60}$/.test(text) ? text : '',
      retryAfterSeconds: seconds > 0 ? seconds : DEFAULT_RETRY_SECONDS,
    };
  } catch (error) {
    throw new ChannelError('BUSY', `no answer from Slack: ${networkCode(error)}`);
  }
}

/** The code of what went wrong on the way; never a message, since those may hold the URL. */
function networkCode(error: unknown): string {
  const cause = typeof error === 'object' && error !== null && 'cause' in error ? error.cause : undefined;
  return awsCode(typeof cause === 'object' && cause !== null ? cause : error);
}

function refusal({ status, word }: Answer): ChannelError {
  const said = `Slack says ${word === '' ? `HTTP ${status}` : `${word} (HTTP ${status})`}`;
  if (GONE_STATUS.has(status) || GONE_WORDS.has(word)) return new ChannelError('GONE', said);
  return new ChannelError(status >= 500 || status === 408 ? 'BUSY' : 'REFUSED', said);
}
