/** Messages over SNS: plain text, the Amazon Q Developer schema, and past a channel that is gone. */
import { PublishCommand, type SNSClient } from '@aws-sdk/client-sns';
import { chatbotMessage } from '../../core/report/messages/chatbot.ts';
import type { Message } from '../../core/report/messages/message.ts';
import { plainText } from '../../core/report/messages/plain-text.ts';
import { type Channel, ChannelError, type ChannelErrorCode, type LastResort } from '../../ports/notifying.ts';
import { awsCode, awsMessage } from '../aws-error.ts';

/** SNS `Publish`, "Errors", by the names that SNS sends: what nobody but an administrator ends. */
const GONE: ReadonlySet<string> = new Set([
  'NotFound',
  'AuthorizationError',
  'AccessDenied',
  'AccessDeniedException',
  'KMSAccessDenied',
  'KMSDisabled',
  'KMSInvalidState',
  'KMSNotFound',
  'KMSOptInRequired',
  'InvalidSecurity',
]);
const REFUSED: ReadonlySet<string> = new Set(['InvalidParameter', 'ParameterValueInvalid', 'ValidationException']);

export function mailChannel(client: SNSClient, topicArn: string): Channel {
  return {
    name: 'messages',
    send: (message) => {
      const { subject, body } = plainText(message);
      return publish(client, topicArn, message, { Subject: subject, Message: body });
    },
  };
}

export function chatChannel(client: SNSClient, topicArn: string): Channel {
  return {
    name: 'chat',
    send: (message) => publish(client, topicArn, message, { Message: JSON.stringify(chatbotMessage(message)) }),
  };
}

/** Critical messages to the topic of critical alarms, all others to that of warnings. */
export function lastResort(
  client: SNSClient,
  topics: { readonly critical: string; readonly warning: string },
): LastResort {
  return {
    send: (message, channel, reason) => {
      const { subject, body } = plainText(message);
      const why = `This comes here since ${channel} takes no messages any more: ${reason}.\nMend it: docs/runbook.md#headroomservicedead-letters-notify\n\n`;
      return publish(client, message.tone === 'critical' ? topics.critical : topics.warning, message, {
        Subject: subject,
        Message: `${why}${body}`,
      });
    },
  };
}

async function publish(
  client: SNSClient,
  TopicArn: string,
  { tone, eventType }: Message,
  content: { readonly Subject?: string; readonly Message: string },
): Promise<void> {
  // For filter policies of subscriptions.
  const text = (StringValue: string) => ({ DataType: 'String', StringValue });
  const MessageAttributes = { severity: text(tone), eventType: text(eventType) };
  try {
    await client.send(new PublishCommand({ TopicArn, MessageAttributes, ...content }));
  } catch (error) {
    throw new ChannelError(codeOf(awsCode(error)), `SNS says ${awsCode(error)}: ${awsMessage(error)}`, {
      cause: error,
    });
  }
}

function codeOf(code: string): ChannelErrorCode {
  if (GONE.has(code)) return 'GONE';
  return REFUSED.has(code) ? 'REFUSED' : 'BUSY';
}
