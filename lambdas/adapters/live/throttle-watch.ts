import { awsCode, THROTTLED } from '../aws-error.ts';

/** As much of an SDK client as a watch needs. */
interface Watchable {
  readonly middlewareStack: {
    add(
      middleware: (next: (args: never) => Promise<unknown>) => (args: never) => Promise<unknown>,
      options: { readonly step: 'finalizeRequest'; readonly priority: 'low'; readonly name: string },
    ): void;
  };
}

/** Tells of every attempt that AWS throttled, those that the SDK then tries again among them: it stands inside the SDK's own retries. */
export function watched<C extends object>(
  client: C,
  { onThrottled }: { readonly onThrottled: (() => void) | undefined },
): C {
  if (onThrottled === undefined) return client;
  (client as Watchable).middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        if (THROTTLED.has(awsCode(error))) onThrottled();
        throw error;
      }
    },
    { step: 'finalizeRequest', priority: 'low', name: 'headroomThrottleWatch' },
  );
  return client;
}
