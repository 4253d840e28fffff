/** Takes apart what AWS delivers or a person pastes: envelopes of EventBridge, records of CloudTrail, files and lists of either. */
import { at, type JsonObject, objectOf, textAt, textOf } from './json.ts';

/** One event, before anything is made of it. */
export type RawEvent =
  /** A call, as CloudTrail recorded it. */
  | { readonly kind: 'call'; readonly record: JsonObject; readonly envelope?: JsonObject }
  /** An event of a service that is no call: a failed launch of Auto Scaling, a state change. */
  | { readonly kind: 'notice'; readonly envelope: JsonObject }
  /** An `Event` of Kubernetes, or one of the parts that people paste. */
  | { readonly kind: 'kubernetes'; readonly event: JsonObject }
  | { readonly kind: 'unknown'; readonly value: unknown };

/** How deep lists may lie in lists: a `Records` file in an array of documents is three. */
const DEEPEST = 8;

/** The events of a document, in order. Never empty where the document is no empty list: what is not understood is an event of kind `unknown`. */
export function unpack(document: unknown, depth = 0): readonly RawEvent[] {
  if (Array.isArray(document)) {
    if (depth >= DEEPEST) return [{ kind: 'unknown', value: document }];
    return document.flatMap((inner: unknown) => unpack(inner, depth + 1));
  }
  const object = objectOf(document);
  if (object === undefined) return [{ kind: 'unknown', value: document }];
  const list = listOf(object);
  return list === undefined || depth >= DEEPEST ? [oneEvent(object)] : unpack(list, depth + 1);
}

/** `Records` of CloudTrail's files, `Events` of `aws cloudtrail lookup-events`, `items` of `kubectl get events`. */
function listOf(object: JsonObject): readonly unknown[] | undefined {
  for (const name of ['Records', 'Events', 'items']) {
    const list = at(object, name);
    if (Array.isArray(list)) return list as readonly unknown[];
  }
  return undefined;
}

function oneEvent(object: JsonObject): RawEvent {
  if (isRecord(object)) return { kind: 'call', record: object };
  const looked = parsed(textAt(object, 'CloudTrailEvent'));
  if (looked !== undefined && isRecord(looked)) return { kind: 'call', record: looked };
  const detail = objectOf(at(object, 'detail'));
  if (detail !== undefined && isRecord(detail)) return { kind: 'call', record: detail, envelope: object };
  if (detail !== undefined && textAt(object, 'detail-type') !== undefined) return { kind: 'notice', envelope: object };
  const event = objectOf(at(object, 'kubernetesEvent')) ?? object;
  const isEvent = textAt(event, 'reason') !== undefined && textAt(event, 'message') !== undefined;
  return isEvent ? { kind: 'kubernetes', event } : { kind: 'unknown', value: object };
}

/** What names a call and who answered it, or why it failed: people paste the few fields that they take for the matter. */
function isRecord(object: JsonObject): boolean {
  if (textAt(object, 'errorCode') !== undefined) return true;
  return textAt(object, 'eventName') !== undefined && textAt(object, 'eventSource') !== undefined;
}

function parsed(text: string | undefined): JsonObject | undefined {
  if (text === undefined) return undefined;
  try {
    return objectOf(JSON.parse(text));
  } catch {
    // Cut off on its way: the event around it is counted as one that is not understood.
    return undefined;
  }
}

/** Who made a call, as far as it tells whose trouble a failure is. */
export function callerOf(record: JsonObject): string | undefined {
  return textAt(record, 'userIdentity', 'invokedBy') ?? textAt(record, 'userAgent') ?? textOf(record.sourceIPAddress);
}
