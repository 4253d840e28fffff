/** Tells what was held, once its time has come. */
import type { DetailType } from '../../contract/event-names.ts';
import type { HeldItem, HoldReason, ToldItem } from '../../contract/notify-items.ts';
import { isUrgent } from '../../core/notify/decide.ts';
import type { NotifyEvent } from '../../core/notify/incoming.ts';
import { type HeldEvent, release } from '../../core/notify/release.ts';
import type { NotifyWorld } from '../../ports/notifying.ts';
import { type Delivery, deliver } from './deliver.ts';
import { listHeld, type Read, readMessage, readMute, readTold } from './items.ts';
import { messageOf, type NotifySettings } from './settings.ts';

const REASONS: readonly HoldReason[] = ['first-scan', 'quiet-hours', 'muted'];

/** @returns whether everything whose time has come is told. */
export async function letGo(world: NotifyWorld, settings: NotifySettings): Promise<boolean> {
  const now = world.clock.now();
  const held = await listHeld(world.state);
  const told = await toldOf(world, held);
  const ready = await due(world, settings, held, told, now);
  let all = true;
  for (const reason of REASONS) {
    const events = ready.filter((event) => event.held.reason === reason);
    if (events.length === 0) continue;
    const { tell, drop } = release(events, reason, told);
    for (const id of drop) await remove(world, id, held);
    const deliveries: Delivery[] = [];
    for (const { id, held: item, change } of tell) {
      const message = await readMessage(world.state, id);
      // The decision was not written when the run that held it ended: the event comes again by the queue.
      if (message === undefined) continue;
      deliveries.push({ id, message: messageOf(eventOf(item), settings, change, beforeOf(item)), item: message });
    }
    const done = await deliver(world, deliveries, reason);
    for (const id of done) await remove(world, id, held);
    all &&= deliveries.every(({ id }) => done.has(id));
  }
  return all;
}

async function toldOf(world: NotifyWorld, held: ReadonlyMap<string, Read<HeldItem>>) {
  const told = new Map<string, ToldItem>();
  for (const { value } of held.values()) {
    const id = subjectOf(value);
    const item = told.has(id) ? undefined : await readTold(world.state, id);
    if (item !== undefined) told.set(id, item.value);
  }
  return told;
}

/** Those whose time has come; one that is muted meanwhile, or would break into quiet hours, waits on. */
async function due(
  world: NotifyWorld,
  settings: NotifySettings,
  held: ReadonlyMap<string, Read<HeldItem>>,
  told: ReadonlyMap<string, ToldItem>,
  now: number,
): Promise<readonly HeldEvent[]> {
  const quietUntil = settings.quietUntil(now);
  const ready: HeldEvent[] = [];
  for (const [id, { value, version }] of held) {
    if (value.due > now) continue;
    const mute = await readMute(world.state, subjectOf(value));
    if (mute !== undefined && mute.until > now) {
      await postpone(world, id, { ...value, reason: 'muted', due: mute.until }, version);
    } else {
      ready.push({ id, held: value });
    }
  }
  const urgent = ready.some(({ held: item }) => isUrgent(eventOf(item), told.get(subjectOf(item))));
  if (quietUntil === undefined || urgent) return ready;
  for (const { id, held: item } of ready) {
    await postpone(world, id, { ...item, due: quietUntil }, held.get(id)?.version ?? 0);
  }
  return [];
}

async function postpone(world: NotifyWorld, id: string, value: HeldItem, expected: number): Promise<void> {
  // Where another run was faster, it has done the same.
  await world.state.put('held', id, value, { expected });
}

async function remove(world: NotifyWorld, id: string, held: ReadonlyMap<string, Read<HeldItem>>): Promise<void> {
  const version = held.get(id)?.version;
  if (version !== undefined) await world.state.remove('held', id, version);
}

function subjectOf({ event }: HeldItem): string {
  return event.kind === 'finding' ? event.detail.finding.id : event.detail.findingId;
}

function eventOf({ event }: HeldItem): NotifyEvent {
  // Types are those that admit wrote.
  const type = event.type as DetailType;
  return { ...event, type } as NotifyEvent;
}

function beforeOf({ event }: HeldItem): string | undefined {
  return event.kind === 'finding' ? event.before : undefined;
}
