/** The events in a batch of queue messages, with the message that each came in. */
import type { ClassifiedEvent } from '../../core/react/classified.ts';
import { classify } from '../../core/react/classify.ts';

/** A message of the queue. */
export interface QueueMessage {
  readonly id: string;
  /** What EventBridge put there: one event as JSON. */
  readonly body: string;
}

export interface ReceivedEvent {
  readonly messageId: string;
  readonly event: ClassifiedEvent & { readonly eventId: string };
}

export interface Received {
  /** Each event once, however often it was delivered. */
  readonly events: readonly ReceivedEvent[];
  /** Messages that were no JSON, or held nothing. */
  readonly unreadable: readonly string[];
}

export function receive(messages: readonly QueueMessage[]): Received {
  const events = new Map<string, ReceivedEvent>();
  const unreadable: string[] = [];
  for (const { id, body } of messages) {
    const found = eventsIn(body);
    if (found.length === 0) unreadable.push(id);
    for (const [index, event] of found.entries()) {
      // An event without an id of its own is known by the message, which keeps its id when it is delivered again.
      const eventId = event.eventId ?? `${id}/${index}`;
      if (!events.has(eventId)) events.set(eventId, { messageId: id, event: { ...event, eventId } });
    }
  }
  return { events: [...events.values()], unreadable };
}

function eventsIn(body: string): readonly ClassifiedEvent[] {
  try {
    return classify(JSON.parse(body));
  } catch {
    // Only JSON.parse throws: told of by the caller.
    return [];
  }
}
