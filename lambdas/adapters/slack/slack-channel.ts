import { slackMessage } from '../../core/report/messages/slack.ts';
import { type Channel, ChannelError } from '../../ports/notifying.ts';
import { type PostOptions, postToSlack } from './post.ts';
import type { WebhookSecret } from './webhook-secret.ts';

export type SlackTime = Pick<PostOptions, 'clock' | 'wait'>;

/** Slack by an incoming webhook. One that is gone is read from its secret anew the next time: somebody may have put another there. */
export function slackChannel(secret: WebhookSecret, time: SlackTime): Channel {
  return {
    name: 'slack',
    async send(message, patience) {
      const url = await secret.url(time.clock());
      try {
        await postToSlack(url, slackMessage(message), { patience, ...time });
      } catch (error) {
        if (error instanceof ChannelError && error.code === 'GONE') secret.forget();
        throw error;
      }
    },
  };
}
