/** Headroom's own bus. */
import { type EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { EVENT_SOURCE } from '../../contract/event-names.ts';
import type { BusEvent, EventBus } from '../../ports/observing.ts';

/** Entries of one request at most (PutEvents, EventBridge API reference). */
const ENTRIES = 10;
/** Bytes of all entries of one request at most: 256 KB, less what the names around the details take. */
const BYTES = 240_000;
/** Tries for an entry that the bus refuses while it takes others: it does so under load. */
const TRIES = 3;

export function eventBus(client: EventBridgeClient, bus: string): EventBus<BusEvent> {
  return {
    async send(events) {
      const taken = new Set<string>();
      const errors: unknown[] = [];
      for (const batch of batches(events)) {
        let left = batch;
        for (let attempt = 1; left.length > 0; attempt++) {
          try {
            const { Entries = [] } = await client.send(
              new PutEventsCommand({ Entries: left.map((event) => entry(event, bus)) }),
            );
            const refused = left.filter((_, at) => Entries[at]?.ErrorCode !== undefined);
            for (const event of left) if (!refused.includes(event)) taken.add(event.detail.id);
            if (refused.length > 0 && attempt >= TRIES) {
              const first = Entries.find(({ ErrorCode }) => ErrorCode !== undefined);
              errors.push(new Error(`the bus refused ${refused.length} events: ${first?.ErrorCode}`));
              break;
            }
            left = refused;
          } catch (error) {
            errors.push(error);
            break;
          }
        }
      }
      return { taken, errors };
    },
  };
}

function batches(events: readonly BusEvent[]): readonly (readonly BusEvent[])[] {
  const all: BusEvent[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const event of events) {
    const size = Buffer.byteLength(JSON.stringify(event.detail));
    const last = all.at(-1);
    if (last === undefined || last.length >= ENTRIES || bytes + size > BYTES) {
      all.push([event]);
      bytes = size;
    } else {
      last.push(event);
      bytes += size;
    }
  }
  return all;
}

function entry({ type, at, detail }: BusEvent, bus: string): PutEventsRequestEntry {
  return {
    EventBusName: bus,
    Source: EVENT_SOURCE,
    DetailType: type,
    Time: new Date(at),
    Resources: [],
    Detail: JSON.stringify(detail),
  };
}
