/** What notify needs of the world. */
import { HeadroomError } from '../contract/headroom-error.ts';
import type { Message } from '../core/report/messages/message.ts';
import type { StateTable } from './state-table.ts';

/** `messages`: plain text over SNS; `chat`: the Amazon Q Developer schema over SNS; `slack`: a webhook. */
export const CHANNEL_NAMES = ['messages', 'chat', 'slack'] as const;
export type ChannelName = (typeof CHANNEL_NAMES)[number];

export const CHANNEL_ERROR_CODES = [
  /** Not now: too many messages, trouble at the other end, no answer. */
  'BUSY',
  /** This message is refused; others may pass. */
  'REFUSED',
  /** The channel is no more, or not allowed: nothing will pass until somebody mends it. */
  'GONE',
] as const;
export type ChannelErrorCode = (typeof CHANNEL_ERROR_CODES)[number];

/** A channel did not take a message. The message of the error names no secret. */
export class ChannelError extends HeadroomError {
  override readonly name = 'ChannelError';
  readonly code: ChannelErrorCode;

  constructor(code: ChannelErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }

  get retryable(): boolean {
    return this.code === 'BUSY';
  }
}

export interface Channel {
  readonly name: ChannelName;
  /**
   * @param patience - milliseconds that may be spent on waiting for the channel.
   * @throws {@link ChannelError}
   */
  send(message: Message, patience: number): Promise<void>;
}

/** The way past a channel that is gone: the topics of alarms, which somebody watches. */
export interface LastResort {
  /** @param reason - what the channel answered. */
  send(message: Message, channel: ChannelName, reason: string): Promise<void>;
}

export type NotifyLog = (level: 'info' | 'warn' | 'error', message: string, fields?: object) => void;

export interface NotifyWorld {
  readonly state: StateTable;
  readonly channels: readonly Channel[];
  readonly lastResort: LastResort;
  readonly clock: {
    /** Epoch milliseconds. */
    now(): number;
    /** Milliseconds left before the function is ended. */
    remaining(): number;
  };
  readonly log: NotifyLog;
}
