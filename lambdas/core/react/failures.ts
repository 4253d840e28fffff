/** Finds the failures of a call and of its answer. */
import type { EventClass } from '../../contract/event-class.ts';
import { type Asked, askedBy, NOT_KNOWN } from './asked.ts';
import type { ClassifiedItem } from './classified.ts';
import { classOfError, classOfText, plainCode, type TextClass } from './codes.ts';
import { eniIdsIn, subnetIdsIn } from './ids.ts';
import { type JsonObject, objectsIn, textAt, textOf } from './json.ts';
import { cleanMessage } from './message.ts';
import { requestedEnis, requestedSubnets } from './request.ts';

/** The failure of the call itself, where it failed. */
export function callItem(record: JsonObject): { readonly item?: ClassifiedItem; readonly understood: boolean } {
  const { errorCode, errorMessage } = record;
  if (isNothing(errorCode) && isNothing(errorMessage)) return { understood: true };
  const code = textOf(errorCode);
  const text = textOf(errorMessage) ?? '';
  const request = record.requestParameters;
  const name = textAt(record, 'eventName') ?? '';
  const asked = askedBy(name, request);
  const found = code === undefined ? (classOfText(text) ?? 'NOT_CAPACITY') : classOfError(code, text);
  const item: ClassifiedItem = {
    class: ofControlPlane(record, decideByRequest(found, asked)),
    ...(code === undefined ? {} : { code }),
    message: cleanMessage(text),
    ...placesOf(text, request),
    asked,
  };
  return { item, understood: code !== undefined };
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** The subnet that the text names; else those of the request; else the interfaces of either. */
function placesOf(text: string, request: unknown): Pick<ClassifiedItem, 'subnetIds' | 'anyOf' | 'eniIds'> {
  const told = subnetIdsIn(text);
  if (told.length > 0) return { subnetIds: told, anyOf: false, eniIds: [] };
  const requested = requestedSubnets(request);
  if (requested.length > 0) return { subnetIds: requested, anyOf: requested.length > 1, eniIds: [] };
  const enis = eniIdsIn(text);
  return { subnetIds: [], anyOf: false, eniIds: enis.length > 0 ? enis : requestedEnis(request) };
}

/** A request for single addresses alone can only have lacked those. */
function decideByRequest(found: TextClass, asked: Asked): EventClass {
  if (found !== 'undecided') return found;
  return asked.prefixes === 0 && asked.addresses > 0 ? 'IP_EXHAUSTED' : 'PREFIX_OR_IP_CAPACITY';
}

/** EKS says `InsufficientFreeAddresses` of the control plane's own subnets. */
function ofControlPlane(record: JsonObject, found: EventClass): EventClass {
  const controlPlane = record.eventSource === 'eks.amazonaws.com' && /Cluster/.test(textAt(record, 'eventName') ?? '');
  return controlPlane && found === 'IP_EXHAUSTED' ? 'EKS_UPGRADE_HEADROOM' : found;
}

/** Lists of failures inside an answer, by name, in whatever casing. */
const LIST_OF_ERRORS = /^(?:errorSet|errors|unsuccessful|unsuccessfulSet)$/i;

/**
 * Failures inside a successful answer (`CreateFleet` of type instant tells of its failures only so): every object inside it that has an error code,
 * whether the list around it holds one, several or, as an empty text, none.
 */
export function answerItems(record: JsonObject): {
  readonly items: readonly ClassifiedItem[];
  readonly understood: boolean;
} {
  const answer = record.responseElements;
  const items: ClassifiedItem[] = [];
  let lists = 0;
  for (const object of objectsIn(answer)) {
    const code = textAt(object, 'errorCode') ?? textAt(object, 'ErrorCode');
    if (code !== undefined) items.push(answerItem(object, code));
    for (const [name, list] of Object.entries(object)) {
      if (LIST_OF_ERRORS.test(name) && !isEmptyList(list)) lists++;
    }
  }
  // A list with something in it and not one code that could be read, or an answer that is no object: say so.
  const odd = (lists > 0 && items.length === 0) || typeof answer === 'string';
  return { items, understood: !odd };
}

function answerItem(object: JsonObject, code: string): ClassifiedItem {
  const text = textAt(object, 'errorMessage') ?? textAt(object, 'ErrorMessage') ?? '';
  const found = classOfError(code, text);
  return {
    class: found === 'undecided' ? 'PREFIX_OR_IP_CAPACITY' : found,
    code,
    message: cleanMessage(text),
    ...placesOf(text, object),
    asked: NOT_KNOWN,
  };
}

function isEmptyList(list: unknown): boolean {
  if (isNothing(list)) return true;
  if (Array.isArray(list)) return list.length === 0;
  const holder = typeof list === 'object' ? Object.values(list as JsonObject) : [];
  return typeof list === 'object' && holder.every((inner) => isEmptyList(inner));
}

/** A word that looks like an error code: Auto Scaling writes `Could not launch ... Code - text`, SDKs write `Code: text`. */
const CODE_IN_TEXT = /\b([A-Z][A-Za-z0-9.]*[a-z][A-Za-z0-9.]*?)(?= - |: )/g;

/** A failure that is told in words alone. @param beside subnets that the event names beside the text. */
export function textItem(text: string, beside: readonly string[]): ClassifiedItem {
  const codes = [...text.matchAll(CODE_IN_TEXT)].map(([, code]) => code as string);
  const code = codes.find((word) => classOfError(word, '') !== 'NOT_CAPACITY');
  const found = code === undefined ? (classOfText(text) ?? 'NOT_CAPACITY') : classOfError(code, text);
  const told = subnetIdsIn(text);
  return {
    class: found === 'undecided' ? 'PREFIX_OR_IP_CAPACITY' : found,
    ...(code === undefined ? {} : { code: plainCode(code) }),
    message: cleanMessage(text),
    subnetIds: told.length > 0 ? told : beside,
    anyOf: told.length === 0 && beside.length > 1,
    eniIds: told.length > 0 || beside.length > 0 ? [] : eniIdsIn(text),
    asked: NOT_KNOWN,
  };
}
