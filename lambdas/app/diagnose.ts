/** diagnose: what events mean that somebody pasted, with the subnets of a snapshot or of a live region to decide by. */
import { DOCUMENT_SCHEMA_VERSION, type HeadroomDocument } from '../contract/document.ts';
import type { AssessSettings } from '../core/assess/settings.ts';
import { InputError } from '../core/input/input-error.ts';
import { Place } from '../core/input/place.ts';
import type { ClassifiedEvent } from '../core/react/classified.ts';
import { classify } from '../core/react/classify.ts';
import { eventFindings } from '../core/react/event-findings.ts';
import { fold } from '../core/react/fold.ts';
import { enisToResolve, isAboutSubnets, type ResolvedEvent, resolve } from '../core/react/resolve.ts';
import { type Rooms, roomOf, roomsOf } from '../core/react/rooms.ts';
import { documentOf } from '../core/report/document.ts';
import { documentEvent } from '../core/report/event-document.ts';
import type { EniSink } from '../core/subnet/snapshot.ts';
import type { RegionSource } from '../ports/region-source.ts';
import { type Measurement, measure } from './measure.ts';

/** One file, as JSON. */
export interface EventFile {
  readonly name: string;
  readonly document: unknown;
}

export interface DiagnoseInput {
  readonly files: readonly EventFile[];
  /** Opens where subnets are looked up; called only where an event speaks of one. */
  readonly source?: () => Promise<RegionSource>;
  /** Read {@link source} whatever the events say: a folder that was named must be readable. */
  readonly always?: boolean;
  readonly settings?: AssessSettings;
  /** Epoch milliseconds of the real clock. */
  readonly generatedAt: number;
}

/** @throws InputError a file holds no event. Rejects as the source does. */
export async function diagnose(input: DiagnoseInput): Promise<HeadroomDocument> {
  const files = input.files.map(({ name, document }) => ({ name, events: eventsOf(name, document) }));
  const all = files.flatMap(({ events }) => events);
  const needed = input.always === true || all.some(speaksOfRoom);
  const looked =
    needed && input.source !== undefined ? await lookUp(await input.source(), all, input.settings) : undefined;
  const rooms = looked?.rooms ?? roomsOf([], new Map());
  const resolved = files.map(({ name, events }) => ({ name, events: events.map((event) => resolve(event, rooms)) }));
  const named = new Set(resolved.flatMap(({ events }) => events.flatMap((e) => e.items.flatMap((i) => i.subnets))));
  const head: HeadroomDocument =
    looked === undefined
      ? headWithout(
          input,
          resolved.some(({ events }) => events.some(isOpen)),
        )
      : documentOf({ ...looked, only: named, generatedAt: input.generatedAt });
  return {
    ...head,
    findings: [
      ...eventFindings(
        fold(
          resolved.flatMap(({ events }) => events),
          rooms,
        ),
      ),
    ] as HeadroomDocument['findings'] & object,
    events: resolved.flatMap(({ name, events }) => events.map((event, index) => documentEvent(name, index, event))),
  };
}

function eventsOf(name: string, document: unknown): readonly ClassifiedEvent[] {
  const events = classify(document);
  const expected = 'an event of EventBridge, a record of CloudTrail, or a list of them';
  if (events.length === 0) throw new InputError('EMPTY', Place.of(name), { found: 'holds no event', expected });
  // Unknown shapes among known ones are told of one by one; a file of nothing else is the wrong file.
  if (events.every(({ understood, eventName, items }) => !understood && eventName === null && items.length === 0)) {
    throw new InputError('WRONG_DOCUMENT', Place.of(name), {
      found: 'holds nothing that looks like an event',
      expected,
    });
  }
  return events;
}

function speaksOfRoom({ items }: ClassifiedEvent): boolean {
  return items.some(({ subnetIds, eniIds }) => subnetIds.length > 0 || eniIds.length > 0);
}

interface LookedUp extends Measurement {
  readonly description: RegionSource['description'];
  readonly rooms: Rooms;
}

/** Reads the source as an assessment does, and remembers the subnets of the interfaces that the events name. */
async function lookUp(
  source: RegionSource,
  events: readonly ClassifiedEvent[],
  settings: AssessSettings | undefined,
): Promise<LookedUp> {
  const wanted = new Set(enisToResolve(events));
  const found = new Map<string, string>();
  const watched: RegionSource = {
    description: source.description,
    facts: () => source.facts(),
    networkInterfaces: (facts, sink) => source.networkInterfaces(facts, watching(sink, wanted, found)),
  };
  const measured = await measure(watched, settings);
  return { ...measured, description: source.description, rooms: roomsOf(measured.report.subnets.map(roomOf), found) };
}

function watching(sink: EniSink, wanted: ReadonlySet<string>, found: Map<string, string>): EniSink {
  return {
    add(eni) {
      if (wanted.has(eni.eniId)) found.set(eni.eniId, eni.subnetId);
      sink.add(eni);
    },
  };
}

/** Whether a lookup would have said more. */
function isOpen({ items }: ResolvedEvent): boolean {
  return items.some(
    (item) =>
      item.class === 'PREFIX_OR_IP_CAPACITY' ||
      item.suspects.length > 0 ||
      (item.eniIds.length > 0 && item.subnets.length === 0 && isAboutSubnets(item.class)),
  );
}

/** The head of a document that rests on the events alone. What would have helped to decide counts as absent. */
function headWithout({ generatedAt }: DiagnoseInput, open: boolean): HeadroomDocument {
  const absent = open ? ['subnets', 'network-interfaces'] : [];
  return {
    schemaVersion: DOCUMENT_SCHEMA_VERSION,
    generatedAt: new Date(generatedAt).toISOString(),
    source: { kind: 'none', now: null, absent, unknown: [] },
    subnets: [],
  };
}
