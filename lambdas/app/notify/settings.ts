import type { Config } from '../../contract/config.ts';
import { DETAIL_TYPES } from '../../contract/event-names.ts';
import type { Action, Mode } from '../../contract/modes.ts';
import type { NotifyEvent } from '../../core/notify/incoming.ts';
import { quietUntil } from '../../core/notify/quiet-hours.ts';
import { type FindingChange, findingMessage, type MessageContext } from '../../core/report/messages/finding-message.ts';
import type { Message } from '../../core/report/messages/message.ts';
import { remediationMessage } from '../../core/report/messages/remediation-message.ts';
import { testMessage } from '../../core/report/messages/test-message.ts';

/** What the configuration says about telling. */
export interface NotifySettings {
  readonly mode: Readonly<Record<Action, Mode>>;
  readonly context: MessageContext;
  /** End of the quiet hours, where it is quiet at that time; epoch milliseconds. */
  readonly quietUntil: (now: number) => number | undefined;
}

export function notifySettings({ mode, notifications }: Pick<Config, 'mode' | 'notifications'>): NotifySettings {
  return {
    mode,
    context: { runbookUrl: notifications.runbookUrl },
    quietUntil: (now) => quietUntil(notifications.quietHours, now),
  };
}

export function messageOf(
  event: NotifyEvent,
  { mode, context }: NotifySettings,
  change?: FindingChange,
  before?: string,
): Message {
  switch (event.kind) {
    case 'finding':
      return findingMessage(
        change ?? (event.type === DETAIL_TYPES.findingRaised ? 'raised' : 'cleared'),
        event.detail,
        { ...context, map: event.detail.map },
        before,
      );
    case 'remediation':
      return remediationMessage(event.type, event.detail, mode[event.detail.action], context);
    default:
      return testMessage(event.detail);
  }
}
