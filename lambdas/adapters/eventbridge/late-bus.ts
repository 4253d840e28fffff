import type { BusEvent, EventBus } from '../../ports/observing.ts';

/** A bus for a function whose runs seldom have something to tell: it is opened for the first event, once. */
export function lateBus(open: () => Promise<EventBus<BusEvent>>): EventBus<BusEvent> {
  let opened: Promise<EventBus<BusEvent>> | undefined;
  return {
    async send(events) {
      if (events.length === 0) return { taken: new Set(), errors: [] };
      opened ??= open();
      return (await opened).send(events);
    },
  };
}
