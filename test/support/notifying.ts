/** A world for notify: the table and the topics in memory, a clock that stands until it is moved, and channels that can be made to fail. */
import { notify, type QueueRecord } from '../../lambdas/app/notify/notify.ts';
import { type NotifySettings, notifySettings } from '../../lambdas/app/notify/settings.ts';
import { type ConfigDocument, parseConfig } from '../../lambdas/contract/config.ts';
import { DETAIL_TYPES } from '../../lambdas/contract/event-names.ts';
import type { FindingDetail, RemediationDetail } from '../../lambdas/contract/events.ts';
import type { Message } from '../../lambdas/core/report/messages/message.ts';
import type { Channel, ChannelError, ChannelName, NotifyWorld } from '../../lambdas/ports/notifying.ts';
import { MemoryStateTable } from './fakes/memory-state-table.ts';

export const NOON = Date.UTC(2026, 10, 30, 12);
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

export interface SentMessage {
  readonly channel: ChannelName;
  readonly title: string;
  readonly entries: readonly string[];
  readonly message: Message;
}

export class NotifyStage {
  readonly state = new MemoryStateTable();
  readonly sent: SentMessage[] = [];
  readonly resorts: { readonly title: string; readonly channel: ChannelName; readonly reason: string }[] = [];
  readonly logs: string[] = [];
  now = NOON;
  remaining = 60_000;
  private readonly failing = new Map<ChannelName, ChannelError>();
  private readonly settings: NotifySettings;
  private readonly world: NotifyWorld;
  private records = 0;

  constructor(config: ConfigDocument = {}, channels?: readonly Channel[]) {
    this.settings = notifySettings(parseConfig(config));
    this.world = {
      state: this.state,
      channels: channels ?? [this.channel('messages'), this.channel('chat'), this.channel('slack')],
      lastResort: {
        send: async ({ title }, channel, reason) => void this.resorts.push({ title, channel, reason }),
      },
      clock: { now: () => this.now, remaining: () => this.remaining },
      log: (level, message, fields) => void this.logs.push(`${level} ${message} ${JSON.stringify(fields)}`),
    };
  }

  /** The channel throws until it is mended. */
  break(name: ChannelName, error: ChannelError): void {
    this.failing.set(name, error);
  }

  mend(name: ChannelName): void {
    this.failing.delete(name);
  }

  /** Hands over one batch; gives the numbers of its records that come again. */
  async batch(...bodies: readonly object[]): Promise<readonly number[]> {
    const records = bodies.map(
      (body): QueueRecord => ({ messageId: `r${this.records++}`, body: JSON.stringify(body) }),
    );
    const undone = await notify(this.world, this.settings, records);
    return undone.map((id) => records.findIndex(({ messageId }) => messageId === id));
  }

  /** Moves the clock, and lets the minute's tick come. */
  async tickAt(now: number): Promise<readonly number[]> {
    this.now = now;
    return this.batch(tick);
  }

  titles(channel: ChannelName = 'slack'): readonly string[] {
    return this.sent.filter((one) => one.channel === channel).map(({ title }) => title);
  }

  private channel(name: ChannelName): Channel {
    return {
      name,
      send: async (message) => {
        const error = this.failing.get(name);
        if (error !== undefined) throw error;
        const entries = message.entries.map(({ title }) => title);
        this.sent.push({ channel: name, title: message.title, entries, message });
      },
    };
  }
}

export const tick = { source: 'aws.events', 'detail-type': 'Scheduled Event', detail: {} };

export function raised(detail: FindingDetail): object {
  return { source: 'headroom', 'detail-type': DETAIL_TYPES.findingRaised, detail };
}

export function cleared(detail: FindingDetail): object {
  return { source: 'headroom', 'detail-type': DETAIL_TYPES.findingCleared, detail };
}

export function remediation(type: string, detail: RemediationDetail): object {
  return { source: 'headroom', 'detail-type': type, detail };
}
