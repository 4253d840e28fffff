/** From what an event says by itself to its class and subnets, with the last snapshot at hand. */
import { EVENT_CLASSES, type EventClass, SUBNET_CLASSES } from '../../contract/event-class.ts';
import type { ClassifiedEvent, ClassifiedItem } from './classified.ts';
import { decide } from './decide.ts';
import type { Rooms } from './rooms.ts';

export interface ResolvedItem extends Omit<ClassifiedItem, 'subnetIds' | 'anyOf'> {
  /** Subnets that this failure speaks of, sorted; empty for a class that names none. */
  readonly subnets: readonly string[];
  /** Subnets of which one is meant, none known for sure: to be read again. */
  readonly suspects: readonly string[];
}

export interface ResolvedEvent extends Omit<ClassifiedEvent, 'items'> {
  /** The first in the order of {@link EVENT_CLASSES} of its items; `NONE` where nothing failed. */
  readonly class: EventClass;
  /** Subnets of the items of that class, sorted. */
  readonly subnets: readonly string[];
  readonly items: readonly ResolvedItem[];
}

const ABOUT_SUBNETS: ReadonlySet<EventClass> = new Set<EventClass>(SUBNET_CLASSES);

export function isAboutSubnets(found: EventClass): boolean {
  return ABOUT_SUBNETS.has(found);
}

/** Interfaces that must be looked up before {@link resolve} can name a subnet, each once. Only failures that speak of subnets cost a lookup. */
export function enisToResolve(events: readonly ClassifiedEvent[]): readonly string[] {
  const ids = events.flatMap(({ items }) =>
    items.filter((item) => ABOUT_SUBNETS.has(item.class) || item.class === 'CONFIG').flatMap(({ eniIds }) => eniIds),
  );
  return [...new Set(ids)];
}

export function resolve(event: ClassifiedEvent, rooms: Rooms): ResolvedEvent {
  const items = event.items.flatMap((item) => resolveItem(item, rooms));
  const found = items.map((item) => item.class);
  const first = EVENT_CLASSES.find((name) => found.includes(name)) ?? 'NONE';
  const subnets = items.filter((item) => item.class === first).flatMap((item) => item.subnets);
  return { ...event, class: first, subnets: sorted(subnets), items };
}

/** One item, or one for each class where its subnets differ in theirs. */
function resolveItem({ subnetIds, anyOf, ...item }: ClassifiedItem, rooms: Rooms): readonly ResolvedItem[] {
  const looked = item.eniIds.map((id) => rooms.subnetOf(id)).filter((id) => id !== undefined);
  const places = sorted([...subnetIds, ...looked]);
  if (places.length === 0) return [{ ...item, subnets: [], suspects: [] }];
  if (anyOf && ABOUT_SUBNETS.has(item.class)) return [fromSeveral(item, places, rooms)];
  const byClass = new Map<EventClass, string[]>();
  for (const place of places) {
    // A wrong request that names several subnets does not say which of them it was wrong about.
    const decided = item.class === 'CONFIG' && places.length > 1 ? item.class : decide(item, rooms.room(place));
    byClass.set(decided, [...(byClass.get(decided) ?? []), place]);
  }
  return [...byClass].map(([found, subnets]) => ({
    ...item,
    class: found,
    subnets: ABOUT_SUBNETS.has(found) ? subnets : [],
    suspects: [],
  }));
}

type OpenItem = Omit<ClassifiedItem, 'subnetIds' | 'anyOf'>;

/** The error names none of the several subnets that were asked: only those count that have no address left; where none is so, all are suspects. */
function fromSeveral(item: OpenItem, places: readonly string[], rooms: Rooms): ResolvedItem {
  const full = places.filter((id) => isShort(item.class, rooms, id));
  return full.length > 0
    ? { ...item, class: closed(item.class), subnets: full, suspects: [] }
    : { ...item, subnets: [], suspects: places };
}

function isShort(found: EventClass, rooms: Rooms, subnetId: string): boolean {
  const room = rooms.room(subnetId);
  if (room === undefined || room.availableIps === null) return false;
  return found === 'PREFIX_EXHAUSTED' ? room.freePrefixes?.max === 0 : room.availableIps === 0;
}

/** No address is available in the subnets that are kept. */
function closed(found: EventClass): EventClass {
  return found === 'PREFIX_OR_IP_CAPACITY' ? 'IP_EXHAUSTED' : found;
}

function sorted(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)].sort();
}
