/**
 * react: from the failures that AWS reports to one finding for each subnet, within seconds, however many nodes repeat them.
 *
 * A batch costs at most one read of the newest snapshot (none where no failure speaks of a subnet), one lookup of interfaces it does not know, and one note
 * for each finding. Doing a batch again changes nothing, so whatever could not be finished is given back to the queue.
 */
import type { EventClass } from '../../contract/event-class.ts';
import { eventFinding } from '../../core/react/event-findings.ts';
import { type Fold, fold } from '../../core/react/fold.ts';
import { enisToResolve, isAboutSubnets, type ResolvedEvent, resolve } from '../../core/react/resolve.ts';
import { type Rooms, roomsOf } from '../../core/react/rooms.ts';
import type { KnownRegion, ReactWorld, Reread, Sighting } from '../../ports/reacting.ts';
import { type QueueMessage, type ReceivedEvent, receive } from './messages.ts';

export interface ReactOutcome {
  /** Messages to be delivered again. */
  readonly failed: readonly string[];
  readonly events: number;
  /** Findings that were noted. */
  readonly findings: number;
}

/** Never throws for what a message holds; a world that fails makes the messages that needed it fail. */
export async function react(world: ReactWorld, messages: readonly QueueMessage[]): Promise<ReactOutcome> {
  const { events, unreadable } = receive(messages);
  const failed = new Set<string>();
  const { rooms, lookupFailed } = await know(world, events);
  const resolved = events.map(({ messageId, event }) => ({ messageId, event: resolve(event, rooms) }));
  for (const { messageId, event } of resolved) if (lookupFailed && lacksSubnet(event)) failed.add(messageId);
  const folds = fold(
    resolved.map(({ event }) => event),
    rooms,
  );
  const refused = await note(world, folds);
  const open = await askAgain(world, resolved, folds, rooms);
  for (const id of [...messagesOf(resolved, refused), ...open]) failed.add(id);
  await publishLag(world, events);
  tell(
    world,
    resolved.map(({ event }) => event),
    unreadable,
  );
  return { failed: [...failed], events: events.length, findings: folds.length - refused.length };
}

interface Known {
  readonly rooms: Rooms;
  /** Interfaces could not be looked up: what names none but these has to come again. */
  readonly lookupFailed: boolean;
}

async function know(world: ReactWorld, received: readonly ReceivedEvent[]): Promise<Known> {
  const events = received.map(({ event }) => event);
  const needed = events.some(({ items }) =>
    items.some((item) => isAboutSubnets(item.class) || item.class === 'CONFIG'),
  );
  const region = needed ? await readSnapshot(world) : undefined;
  const enis = new Map(region?.enis);
  const unknown = enisToResolve(events).filter((id) => !enis.has(id));
  let lookupFailed = false;
  if (unknown.length > 0) {
    try {
      for (const [eniId, subnetId] of await world.interfaces.subnetsOf(unknown)) enis.set(eniId, subnetId);
    } catch (error) {
      lookupFailed = true;
      world.log('error', 'interfaces could not be looked up', { interfaces: unknown.length, error: String(error) });
    }
  }
  return { rooms: roomsOf(region?.rooms ?? [], enis), lookupFailed };
}

/** Without a snapshot the events still say most of it; that is better than to wait for one. */
async function readSnapshot(world: ReactWorld): Promise<KnownRegion | undefined> {
  try {
    return await world.snapshot.read();
  } catch (error) {
    world.log('error', 'the newest snapshot could not be read', { error: String(error) });
    return undefined;
  }
}

function lacksSubnet({ items }: ResolvedEvent): boolean {
  return items.some((item) => isAboutSubnets(item.class) && item.subnets.length === 0 && item.eniIds.length > 0);
}

/** @returns the folds that could not be noted. */
async function note(world: ReactWorld, folds: readonly Fold[]): Promise<readonly Fold[]> {
  if (folds.length === 0) return [];
  const now = world.now();
  const sightings = folds.map((one): Sighting & { readonly fold: Fold } => ({
    fold: one,
    finding: eventFinding(one),
    eventIds: one.eventIds,
    firstTime: one.firstTime ?? now,
    lastTime: one.lastTime ?? now,
  }));
  const errors = await world.book.note(sightings.map(({ fold: _, ...sighting }) => sighting));
  for (const [id, error] of errors)
    world.log('error', 'a finding could not be noted', { finding: id, error: String(error) });
  return sightings.filter(({ finding }) => errors.has(finding.id)).map((sighting) => sighting.fold);
}

type Placed = { readonly messageId: string; readonly event: ResolvedEvent };

function messagesOf(events: readonly Placed[], folds: readonly Fold[]): readonly string[] {
  const ids = new Set(folds.flatMap(({ eventIds }) => eventIds));
  return events
    .filter(({ event }) => event.eventId !== null && ids.has(event.eventId))
    .map(({ messageId }) => messageId);
}

/**
 * Has the subnets measured again that are in trouble, or about which events leave something open: parts left out, a subnet among several, addresses or prefixes.
 * @returns the messages whose subnets could not be asked for.
 */
async function askAgain(
  world: ReactWorld,
  events: readonly Placed[],
  folds: readonly Fold[],
  rooms: Rooms,
): Promise<readonly string[]> {
  const open = events
    .map((placed) => ({ ...placed, subnets: openSubnets(placed.event) }))
    .filter(({ subnets }) => subnets.length > 0);
  const subnetIds = sorted([...open.flatMap(({ subnets }) => subnets), ...folds.map(({ subnetId }) => subnetId)]);
  if (subnetIds.length === 0) return [];
  const vpcIds = sorted(subnetIds.map((id) => rooms.room(id)?.vpcId).filter((id) => id !== undefined));
  const reread: Reread = { subnetIds, vpcIds };
  try {
    await world.reread.ask(reread);
    return [];
  } catch (error) {
    world.log('error', 'subnets could not be marked to be measured again', { subnetIds, error: String(error) });
    return [...open.map(({ messageId }) => messageId), ...messagesOf(events, folds)];
  }
}

function openSubnets(event: ResolvedEvent): readonly string[] {
  const ofItems = event.items.flatMap((item) => [
    ...item.suspects,
    ...(item.class === 'PREFIX_OR_IP_CAPACITY' ? item.subnets : []),
  ]);
  return event.omitted || !event.understood ? [...ofItems, ...event.namedSubnets] : ofItems;
}

/** The lag is worth a number, not a failed batch. */
async function publishLag(world: ReactWorld, events: readonly ReceivedEvent[]): Promise<void> {
  const times = events.map(({ event }) => event.time).filter((time) => time !== undefined);
  if (times.length === 0) return;
  const now = world.now();
  const oldest = times.reduce((a, b) => Math.min(a, b));
  try {
    await world.lag.put(Math.max(0, (now - oldest) / 1000), now);
  } catch (error) {
    world.log('warn', 'the lag could not be published', { error: String(error) });
  }
}

/** One line for the batch, and one for each shape that is not understood: by its names, never by what it holds. */
function tell(world: ReactWorld, events: readonly ResolvedEvent[], unreadable: readonly string[]): void {
  const classes: Partial<Record<EventClass, number>> = {};
  for (const event of events) classes[event.class] = (classes[event.class] ?? 0) + 1;
  const odd = events.filter(({ understood }) => !understood);
  for (const { eventId, eventName } of odd.slice(0, MOST_TOLD)) {
    world.log('warn', 'an event of unknown shape', { eventId, eventName });
  }
  for (const messageId of unreadable.slice(0, MOST_TOLD)) {
    world.log('warn', 'a message that holds no event', { messageId });
  }
  world.log('info', 'events taken up', {
    events: events.length,
    classes,
    unknownShapes: odd.length + unreadable.length,
    omitted: events.filter(({ omitted }) => omitted).length,
  });
}

/** Lines about single events in one batch. */
const MOST_TOLD = 10;

function sorted(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)].sort();
}
