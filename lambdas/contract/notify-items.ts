/** Items of the table that notify keeps, and that the CLI writes (mutes) and reads (what became of a test). */
import * as z from 'zod/mini';
import { findingDetailSchema, remediationDetailSchema } from './events.ts';
import { SEVERITIES } from './finding.ts';

/** Kind `mute`: no message about a finding until a time. Times are epoch milliseconds. */
export const muteItemSchema = z.object({
  until: z.number(),
  why: z.string(),
  /** Who muted it, as IAM knows them. */
  by: z.string(),
  at: z.number(),
});
export type MuteItem = z.infer<typeof muteItemSchema>;

/** What a finding event tells: it came, it went, or both before anybody was told. */
export const changeSchema = z.enum(['raised', 'cleared', 'passed']);

/** Why a message waits. */
export const holdReasonSchema = z.enum(['first-scan', 'quiet-hours', 'muted']);
export type HoldReason = z.infer<typeof holdReasonSchema>;

/** Kind `message`: what was decided about an event, and which channels have it. */
export const messageItemSchema = z.object({
  decision: z.enum(['tell', 'hold', 'silent']),
  /** Why nothing is told, or why it waits. */
  why: z.exactOptional(z.string()),
  change: z.exactOptional(changeSchema),
  /** Severity that people knew of before, where it was another. */
  before: z.exactOptional(z.string()),
  /** Channel to the time (ISO) at which it took the message. */
  told: z.record(z.string(), z.string()),
  /** Channel to what it last answered instead. */
  failed: z.exactOptional(z.record(z.string(), z.string())),
  /** Epoch milliseconds until which one run may work on it; 0: nobody does. */
  lease: z.number(),
});
export type MessageItem = z.infer<typeof messageItemSchema>;

/** Kind `told`: the newest event of a finding, and whether people know that it is there. */
export const toldItemSchema = z.object({
  eventId: z.string(),
  /** Epoch milliseconds of the change. */
  at: z.number(),
  change: z.enum(['raised', 'cleared']),
  severity: z.enum(SEVERITIES),
  /** People were told that it is there, or will be by what is held. */
  open: z.boolean(),
  /** It went before its coming was seen: the late event tells of both. */
  orphan: z.boolean(),
  /** Event that is held and tells of it. */
  heldId: z.exactOptional(z.string()),
});
export type ToldItem = z.infer<typeof toldItemSchema>;

/** Kind `held`: an event that is told later. */
export const heldItemSchema = z.object({
  reason: holdReasonSchema,
  /** Epoch milliseconds. */
  due: z.number(),
  event: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('finding'),
      type: z.string(),
      change: changeSchema,
      detail: findingDetailSchema,
      before: z.exactOptional(z.string()),
    }),
    z.object({ kind: z.literal('remediation'), type: z.string(), detail: remediationDetailSchema }),
  ]),
});
export type HeldItem = z.infer<typeof heldItemSchema>;
