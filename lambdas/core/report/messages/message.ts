/** A message before it takes the form of a channel: what happened, why, what to do. Texts are as they came; each channel makes them safe itself. */

/** `good`: something is over. */
export type Tone = 'critical' | 'warning' | 'info' | 'good';

export interface Fact {
  readonly label: string;
  readonly value: string;
}

export interface Command {
  readonly label: string;
  /** Whole, to be copied into a shell. */
  readonly command: string;
}

export interface Link {
  readonly text: string;
  readonly url: string;
}

/** One line of a digest. */
export interface Entry {
  readonly tone: Tone;
  readonly title: string;
  readonly text: string;
  readonly command?: string;
}

export interface Message {
  /** Stable for the same fact and change. */
  readonly id: string;
  readonly tone: Tone;
  /** What and where, one line. */
  readonly title: string;
  /** Why, in whole sentences with the numbers. */
  readonly cause: readonly string[];
  /** What to do next, one sentence each. */
  readonly steps: readonly string[];
  readonly facts: readonly Fact[];
  readonly commands: readonly Command[];
  /** Lines of a digest, worst first; empty in a message about one fact. */
  readonly entries: readonly Entry[];
  /** A drawing of the subnet in plain text, for channels with a fixed-width font. */
  readonly map: readonly string[];
  readonly links: readonly Link[];
  /** Messages with the same thread belong together: the finding's id. */
  readonly thread: string;
  /** `Subnet Finding Raised`, ... */
  readonly eventType: string;
  /** ARNs of what it is about. */
  readonly resources: readonly string[];
  /** Region that it tells of, for commands; `undefined` where it tells of none. */
  readonly region?: string;
  /** Where it comes from: account, region, times. */
  readonly footer: readonly string[];
}

/** Words for a tone, in the place where a reader looks first. */
export const TONE_WORDS: Readonly<Record<Tone, string>> = {
  critical: 'CRITICAL',
  warning: 'WARNING',
  info: 'INFO',
  good: 'OK',
};

const TONE_ORDER: readonly Tone[] = ['critical', 'warning', 'info', 'good'];

/** Worst first; equal tones keep their order. */
export function byTone(a: { readonly tone: Tone }, b: { readonly tone: Tone }): number {
  return TONE_ORDER.indexOf(a.tone) - TONE_ORDER.indexOf(b.tone);
}
