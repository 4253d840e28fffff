import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { BusEvent, EventBus } from '../../ports/observing.ts';
import { eventBus } from './event-bus.ts';

/** Headroom's own bus, with a client of its own. */
export function openBus(name: string): EventBus<BusEvent> {
  return eventBus(new EventBridgeClient(), name);
}
