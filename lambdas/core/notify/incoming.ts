/** What comes to notify: events of ours, and the tick that lets go what was held. */

import { DETAIL_TYPES, EVENT_SOURCE } from '../../contract/event-names.ts';
import {
  type FindingDetail,
  findingDetailSchema,
  type RemediationDetail,
  remediationDetailSchema,
  type TestDetail,
  testDetailSchema,
} from '../../contract/events.ts';
import { HeadroomError } from '../../contract/headroom-error.ts';
import type { RemediationType } from '../report/messages/remediation-message.ts';

export type FindingEventType = typeof DETAIL_TYPES.findingRaised | typeof DETAIL_TYPES.findingCleared;

export type NotifyEvent =
  | { readonly kind: 'finding'; readonly type: FindingEventType; readonly detail: FindingDetail }
  | { readonly kind: 'remediation'; readonly type: RemediationType; readonly detail: RemediationDetail }
  | { readonly kind: 'test'; readonly detail: TestDetail };

export type Incoming = NotifyEvent | { readonly kind: 'tick' };

/** What came is none of what notify knows. The message says where it differs, and holds nothing of the text. */
export class NotUnderstood extends HeadroomError {
  override readonly name = 'NotUnderstood';
  readonly code = 'EVENT_NOT_UNDERSTOOD';
  readonly retryable = false;
}

const REMEDIATION_TYPES: ReadonlySet<string> = new Set<RemediationType>([
  DETAIL_TYPES.remediationPlanned,
  DETAIL_TYPES.remediationApproved,
  DETAIL_TYPES.remediationRefused,
  DETAIL_TYPES.remediationApplied,
  DETAIL_TYPES.remediationFailed,
  DETAIL_TYPES.remediationUndone,
]);

/** Reads the body of a queue message: an envelope of EventBridge. @throws {@link NotUnderstood}. */
export function readIncoming(body: string): Incoming {
  const envelope = envelopeOf(body);
  const { source, 'detail-type': type, detail } = envelope;
  if (source === 'aws.events' && type === 'Scheduled Event') return { kind: 'tick' };
  if (source !== EVENT_SOURCE) throw new NotUnderstood(`source is ${describe(source)}`);
  if (type === DETAIL_TYPES.findingRaised || type === DETAIL_TYPES.findingCleared) {
    return { kind: 'finding', type, detail: checked(findingDetailSchema.safeParse(detail), type) };
  }
  if (type === DETAIL_TYPES.testAlert)
    return { kind: 'test', detail: checked(testDetailSchema.safeParse(detail), type) };
  if (typeof type === 'string' && REMEDIATION_TYPES.has(type)) {
    const read = checked(remediationDetailSchema.safeParse(detail), type);
    return { kind: 'remediation', type: type as RemediationType, detail: read };
  }
  throw new NotUnderstood(`detail type is ${describe(type)}`);
}

function envelopeOf(body: string): Readonly<Record<string, unknown>> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    throw new NotUnderstood('no JSON');
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw new NotUnderstood('no envelope');
  return parsed as Readonly<Record<string, unknown>>;
}

type Parsed<T> =
  | { readonly success: true; readonly data: T }
  | {
      readonly success: false;
      readonly error: {
        readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
      };
    };

function checked<T>(parsed: Parsed<T>, type: string): T {
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new NotUnderstood(
    `${type}: detail.${issue?.path.map(String).join('.') ?? ''}: ${issue?.message ?? 'not right'}`,
  );
}

function describe(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : typeof value;
}

/** Epoch milliseconds of the change; an unreadable time counts as the oldest, so that it never hides a newer one. */
export function changedAt({ detail }: NotifyEvent): number {
  const at = Date.parse(detail.at);
  return Number.isNaN(at) ? 0 : at;
}
