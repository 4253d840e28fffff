/** The `events` of a document. */
import type { HeadroomDocument } from '../../contract/document.ts';
import { eventMessage } from '../react/event-words.ts';
import type { ResolvedEvent, ResolvedItem } from '../react/resolve.ts';

export type DocumentEvent = NonNullable<HeadroomDocument['events']>[number];

/** @param file where the event stands, as it was named. @param index of the event in it, from 0. */
export function documentEvent(file: string, index: number, event: ResolvedEvent): DocumentEvent {
  const { items } = event;
  const ignored = items.filter((item) => item.class === 'NOT_CAPACITY' && item.code !== undefined);
  const inAnswer = items.length > 1 || event.launched;
  return {
    ...{ file, index, eventId: event.eventId, eventName: event.eventName },
    class: event.class,
    subnets: [...event.subnets],
    message: eventMessage(event),
    ...(event.time === undefined ? {} : { time: new Date(event.time).toISOString() }),
    ...(items.length === 0 ? {} : { items: items.map(documentItem) }),
    ...(inAnswer ? { partial: event.launched } : {}),
    ...(inAnswer && ignored.length > 0 ? { ignored: ignored.map(({ code }) => code as string) } : {}),
    ...(items.some(({ eniIds }) => eniIds.length > 0) && event.subnets.length > 0 ? { needsEniLookup: true } : {}),
    ...(event.omitted ? { omitted: true } : {}),
    ...(event.understood ? {} : { understood: false }),
  };
}

function documentItem(item: ResolvedItem): NonNullable<DocumentEvent['items']>[number] {
  return {
    class: item.class,
    ...(item.code === undefined ? {} : { code: item.code }),
    subnets: [...item.subnets],
    ...(item.eniIds.length === 0 ? {} : { eniIds: [...item.eniIds] }),
    ...(item.suspects.length === 0 ? {} : { suspects: [...item.suspects] }),
    message: item.message,
  };
}
