/** Tells people what was found and done: once for each fact and change, on every channel (docs/adr/0080). */
import { type NotifyEvent, NotUnderstood, readIncoming } from '../../core/notify/incoming.ts';
import type { NotifyWorld } from '../../ports/notifying.ts';
import { admit, inOrder } from './admit.ts';
import { type Delivery, deliver } from './deliver.ts';
import { HeldElsewhere } from './items.ts';
import { letGo } from './let-go.ts';
import { messageOf, type NotifySettings } from './settings.ts';

/** A message of the queue. */
export interface QueueRecord {
  readonly messageId: string;
  readonly body: string;
}

interface Taken {
  readonly messageId: string;
  readonly event: NotifyEvent;
}

/**
 * Works off a batch.
 *
 * @returns the ids of the records that are not done: the queue hands them out again, and after some tries puts them among the dead letters, which
 *   are alarmed.
 */
export async function notify(
  world: NotifyWorld,
  settings: NotifySettings,
  records: readonly QueueRecord[],
): Promise<readonly string[]> {
  const undone = new Set<string>();
  const { events, ticks } = sortedOut(world, records, undone);
  const deliveries = new Map<string, Delivery>();
  const recordsOf = new Map<string, string[]>();
  for (const { messageId, event } of events) {
    try {
      const { item } = await admit(world.state, event, world.clock.now(), settings);
      if (item.value.decision !== 'tell') continue;
      const { id } = event.detail;
      const { change, before } = item.value;
      deliveries.set(id, { id, message: messageOf(event, settings, change, before), item });
      recordsOf.set(id, [...(recordsOf.get(id) ?? []), messageId]);
    } catch (error) {
      // One event that cannot be taken up must not keep the others.
      world.log(error instanceof HeldElsewhere ? 'info' : 'error', 'an event could not be taken up', {
        messageId,
        error,
      });
      undone.add(messageId);
    }
  }
  const done = await deliver(world, [...deliveries.values()]);
  for (const id of deliveries.keys())
    if (!done.has(id)) for (const record of recordsOf.get(id) ?? []) undone.add(record);
  if (ticks.length > 0 && !(await letGo(world, settings))) for (const record of ticks) undone.add(record);
  return records.map(({ messageId }) => messageId).filter((messageId) => undone.has(messageId));
}

function sortedOut({ log }: NotifyWorld, records: readonly QueueRecord[], undone: Set<string>) {
  const events: Taken[] = [];
  const ticks: string[] = [];
  for (const { messageId, body } of records) {
    try {
      const incoming = readIncoming(body);
      if (incoming.kind === 'tick') ticks.push(messageId);
      else events.push({ messageId, event: incoming });
    } catch (error) {
      if (!(error instanceof NotUnderstood)) throw error;
      log('error', 'a message of the queue is none of ours', { messageId, reason: error.message });
      undone.add(messageId);
    }
  }
  return { events: inOrder(events), ticks };
}
