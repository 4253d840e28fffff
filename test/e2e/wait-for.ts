import { setTimeout as pause } from 'node:timers/promises';

/** How long and how often to look, and what is waited for, in words for the failure. */
export interface WaitOptions {
  readonly what: string;
  readonly timeoutMs: number;
  /** Milliseconds between two looks; 200 if left out. */
  readonly everyMs?: number;
}

/**
 * Looks until `look` gives something other than undefined or false, and gives that.
 * Throws after `timeoutMs` with `what` and the last error of `look`: an error of `look` counts as "not yet".
 */
export const waitFor = async <T>(
  look: () => T | undefined | false | Promise<T | undefined | false>,
  options: WaitOptions,
): Promise<T> => {
  const deadline = performance.now() + options.timeoutMs;
  let lastError: unknown;
  for (;;) {
    try {
      const seen = await look();
      if (seen !== undefined && seen !== false) return seen;
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    if (performance.now() >= deadline) {
      throw new Error(`waited ${options.timeoutMs} ms in vain for: ${options.what}`, { cause: lastError });
    }
    await pause(options.everyMs ?? 200);
  }
};
