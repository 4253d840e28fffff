/** From an event of any shape to what it means. Never throws, whatever it is given: what is not understood says so. */

import type { ClassifiedEvent, ClassifiedItem } from './classified.ts';
import { classOfText, type TextClass } from './codes.ts';
import { callerOf, type RawEvent, unpack } from './envelope.ts';
import { answerItems, callItem, textItem } from './failures.ts';
import { namesInstance, subnetIdsIn } from './ids.ts';
import { at, type JsonObject, objectsIn, textAt, textOf, textsIn } from './json.ts';

/** Every event of a document, in order. */
export function classify(document: unknown): readonly ClassifiedEvent[] {
  return unpack(document).map(classifyOne);
}

export function classifyOne(raw: RawEvent): ClassifiedEvent {
  switch (raw.kind) {
    case 'call':
      return call(raw.record, raw.envelope);
    case 'notice':
      return notice(raw.envelope);
    case 'kubernetes':
      return kubernetes(raw.event);
    case 'unknown':
      return unknown(raw.value);
  }
}

function call(record: JsonObject, envelope: JsonObject | undefined): ClassifiedEvent {
  const failed = callItem(record);
  const answer = answerItems(record);
  return {
    eventId: textAt(record, 'eventID') ?? textAt(envelope, 'id') ?? textAt(record, 'requestID') ?? null,
    eventName: textAt(record, 'eventName') ?? null,
    ...optional('account', textAt(record, 'recipientAccountId') ?? textAt(envelope, 'account')),
    ...optional('region', textAt(record, 'awsRegion') ?? textAt(envelope, 'region')),
    ...optional('time', timeOf(record.eventTime) ?? timeOf(envelope?.time)),
    ...optional('caller', callerOf(record)),
    items: [...(failed.item === undefined ? [] : [failed.item]), ...answer.items],
    launched: answer.items.length > 0 && namesInstance(record.responseElements),
    omitted: hasOmissions(record),
    namedSubnets: subnetIdsIn(record),
    understood: failed.understood && answer.understood,
  };
}

/** CloudTrail cuts what is too long and says so (CloudTrail user guide, "record contents": `omitted` is `true`). */
function hasOmissions(record: JsonObject): boolean {
  for (const name of ['requestParameters', 'responseElements', 'additionalEventData', 'serviceEventDetails']) {
    for (const object of objectsIn(record[name])) if (object.omitted === true) return true;
  }
  return record.omitted === true;
}

const FAILED_LAUNCH = 'EC2 Instance Launch Unsuccessful';
/** Detail types that tell of trouble. Of the others, a state change say, no text is searched: nothing failed. */
const TROUBLE = /unsuccessful|fail|error|degraded/i;

function notice(envelope: JsonObject): ClassifiedEvent {
  const name = textAt(envelope, 'detail-type') as string;
  const detail = envelope.detail;
  const items: ClassifiedItem[] = [];
  if (name === FAILED_LAUNCH) {
    const message = textAt(detail, 'StatusMessage') ?? textAt(detail, 'Cause') ?? '';
    items.push(textItem(message, subnetIdsIn(at(detail, 'Details', 'Subnet ID'))));
  } else if (TROUBLE.test(name)) {
    const told = telling(detail);
    items.push(textItem(told ?? '', subnetIdsIn(detail)));
  }
  return {
    eventId: textAt(envelope, 'id') ?? null,
    eventName: name,
    ...optional('account', textAt(envelope, 'account')),
    ...optional('region', textAt(envelope, 'region')),
    ...optional('time', timeOf(at(detail, 'EndTime')) ?? timeOf(envelope.time)),
    ...optional('caller', textAt(envelope, 'source')),
    items,
    launched: false,
    omitted: false,
    namedSubnets: subnetIdsIn(envelope),
    understood: true,
  };
}

function kubernetes(event: JsonObject): ClassifiedEvent {
  const message = textAt(event, 'message') as string;
  const said = classOfText(message);
  // Kubernetes tells of everything; only a text that speaks of our matter, or a warning, is a failure.
  const failed = said !== undefined || event.type === 'Warning';
  return {
    eventId: textAt(event, 'metadata', 'uid') ?? null,
    eventName: textAt(event, 'reason') ?? null,
    ...optional('time', timeOf(event.lastTimestamp) ?? timeOf(event.eventTime) ?? timeOf(event.firstTimestamp)),
    ...optional('caller', textAt(event, 'source', 'component') ?? textAt(event, 'reportingComponent')),
    items: failed ? [textItem(message, [])] : [],
    launched: false,
    omitted: false,
    namedSubnets: subnetIdsIn(message),
    understood: true,
  };
}

/** Of a shape nobody knows, every error code and else every text is searched, so that a failure that it tells of still comes through. */
function unknown(value: unknown): ClassifiedEvent {
  const coded = answerItems({ responseElements: value }).items;
  const told = coded.length > 0 ? undefined : telling(value);
  return {
    eventId: textAt(value, 'id') ?? textAt(value, 'eventID') ?? null,
    eventName: textAt(value, 'detail-type') ?? textAt(value, 'eventName') ?? null,
    ...optional('time', timeOf(at(value, 'time')) ?? timeOf(at(value, 'eventTime'))),
    items: told === undefined ? coded : [textItem(told, subnetIdsIn(told).length > 0 ? [] : subnetIdsIn(value))],
    launched: false,
    omitted: false,
    namedSubnets: subnetIdsIn(value),
    understood: false,
  };
}

/** The first text inside a value that tells of a failure in words that are known. */
function telling(value: unknown): string | undefined {
  for (const text of textsIn(value)) {
    const said: TextClass | undefined = textItem(text, []).class;
    if (said !== 'NOT_CAPACITY') return text;
  }
  return undefined;
}

/** ISO 8601 with its zone, as AWS writes every time; anything else is none. */
export function timeOf(value: unknown): number | undefined {
  const text = textOf(value);
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})$/.test(text)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

function optional<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]: V });
}
