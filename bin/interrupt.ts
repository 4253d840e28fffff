/** What is half done when the user interrupts is taken back before the process ends. */

interface Undoable {
  abort(): Promise<void>;
}

/** Status that a shell shows for a process that a signal ended: 128 and its number. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

/** Does the work; where it fails or a signal comes, what was written so far is taken away. */
export async function undoneOnInterrupt<T>(written: Undoable, work: () => Promise<T>): Promise<T> {
  let interrupted = false;
  const listeners = Object.entries(SIGNALS).map(([signal, status]) => {
    const listener = () => {
      interrupted = true;
      void written.abort().finally(() => process.exit(status));
    };
    process.once(signal, listener);
    return [signal, listener] as const;
  });
  try {
    return await work();
  } catch (error) {
    // What was taken away under the work fails it; the process ends as soon as all is gone, and there is nothing to say of it.
    if (interrupted) return await new Promise<never>(() => undefined);
    await written.abort();
    throw error;
  } finally {
    for (const [signal, listener] of listeners) process.off(signal, listener);
  }
}
