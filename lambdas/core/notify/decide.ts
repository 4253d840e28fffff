/** Is an event told, held or passed over? Pure: what is known goes in, what is decided comes out (docs/adr/0080, 0081). */
import { DETAIL_TYPES } from '../../contract/event-names.ts';
import type { HoldReason, MuteItem, ToldItem } from '../../contract/notify-items.ts';
import type { FindingChange } from '../report/messages/finding-message.ts';
import { changedAt, type NotifyEvent } from './incoming.ts';

/** How long the first scan's findings are gathered: they come in several batches, within seconds. */
export const FIRST_SCAN_GATHER_MS = 60_000;

export interface Known {
  /** Epoch milliseconds. */
  readonly now: number;
  /** How its finding was last spoken of. */
  readonly told: ToldItem | undefined;
  readonly mute: MuteItem | undefined;
  /** End of the quiet hours, where it is quiet now. */
  readonly quietUntil: number | undefined;
  /** The held event that tells of the same finding, where there is one. */
  readonly heldWith?: { readonly reason: HoldReason; readonly due: number } | undefined;
}

export type Decision =
  | { readonly decision: 'tell'; readonly change?: FindingChange; readonly before?: string }
  | {
      readonly decision: 'hold';
      readonly change?: FindingChange;
      readonly before?: string;
      readonly why: HoldReason;
      readonly due: number;
    }
  | { readonly decision: 'silent'; readonly why: string };

export function decide(event: NotifyEvent, known: Known): Decision {
  if (event.kind === 'test') return { decision: 'tell' };
  if (event.kind === 'remediation') return held(event, known, { decision: 'tell' });
  const worth = event.type === DETAIL_TYPES.findingRaised ? onRaised(event, known) : onCleared(event, known);
  return worth.decision === 'tell' ? held(event, known, worth) : worth;
}

type FindingEvent = Extract<NotifyEvent, { kind: 'finding' }>;

function onRaised({ detail, ...event }: FindingEvent, { told }: Known): Decision {
  const { severity } = detail.finding;
  if (severity === 'info' && told?.open !== true) return { decision: 'silent', why: 'info stands in reports' };
  if (told !== undefined && changedAt({ ...event, detail }) < told.at) {
    return told.orphan
      ? { decision: 'tell', change: 'passed' }
      : { decision: 'silent', why: 'out of date: a newer change is known' };
  }
  const worse = told?.open === true && told.severity !== severity ? { before: told.severity } : {};
  return { decision: 'tell', change: 'raised', ...worse };
}

function onCleared({ detail, ...event }: FindingEvent, { told }: Known): Decision {
  if (told !== undefined && changedAt({ ...event, detail }) < told.at) {
    return { decision: 'silent', why: 'out of date: a newer change is known' };
  }
  if (told?.open !== true) return { decision: 'silent', why: 'nobody was told that it was there' };
  return { decision: 'tell', change: 'cleared' };
}

type Tell = Extract<Decision, { decision: 'tell' }>;

/** The reasons to wait, strongest first. */
function held(event: NotifyEvent, { now, told, mute, quietUntil, heldWith }: Known, tell: Tell): Decision {
  const hold = (why: HoldReason, due: number): Decision => ({ ...tell, decision: 'hold', why, due });
  if (mute !== undefined && mute.until > now && canBeMuted(event)) return hold('muted', mute.until);
  if (event.kind === 'finding' && event.detail.firstScan) return hold('first-scan', now + FIRST_SCAN_GATHER_MS);
  // What ends before its beginning was told is told with it.
  if (heldWith !== undefined && tell.change === 'cleared') return hold(heldWith.reason, heldWith.due);
  if (quietUntil !== undefined && !isUrgent(event, told)) return hold('quiet-hours', quietUntil);
  return tell;
}

/** A mute is about a finding and about what is planned for it; what was done is always told. */
function canBeMuted(event: NotifyEvent): boolean {
  return event.kind === 'finding' || (event.kind === 'remediation' && event.type === DETAIL_TYPES.remediationPlanned);
}

/** Not held back by quiet hours. A plan is as urgent as its finding; one whose finding is not known counts as urgent. */
export function isUrgent(event: NotifyEvent, told: ToldItem | undefined): boolean {
  if (event.kind === 'finding') return event.detail.finding.severity === 'critical';
  if (event.kind === 'test' || event.type === DETAIL_TYPES.remediationFailed) return true;
  return told === undefined || told.severity === 'critical';
}

/** What is remembered of the finding after the event; `undefined`: nothing changes. */
export function toldAfter(event: NotifyEvent, decision: Decision, told: ToldItem | undefined): ToldItem | undefined {
  if (event.kind !== 'finding') return undefined;
  const { detail, type } = event;
  const at = changedAt(event);
  if (told !== undefined && (at < told.at || told.eventId === detail.id)) {
    return decision.decision !== 'silent' && decision.change === 'passed' && told.orphan
      ? { ...told, orphan: false }
      : undefined;
  }
  const raised = type === DETAIL_TYPES.findingRaised;
  const heldId = decision.decision === 'hold' && raised ? detail.id : undefined;
  return {
    eventId: detail.id,
    at,
    change: raised ? 'raised' : 'cleared',
    severity: detail.finding.severity,
    open: raised && decision.decision !== 'silent',
    orphan: !raised && told?.open !== true && detail.finding.severity !== 'info',
    ...(heldId === undefined ? {} : { heldId }),
  };
}
