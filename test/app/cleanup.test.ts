import { describe, expect, test } from '@jest/globals';
import { CleanupUnfinished, cleanUp } from '../../lambdas/app/cleanup.ts';
import type { Leftovers, Patience } from '../../lambdas/ports/leftovers.ts';

/** Leftovers by sweep: what each sweep finds. The last one repeats. */
function world(sweeps: readonly { alarms: number; objects: number }[], budgetMs: number) {
  const log: string[] = [];
  let sweep = 0;
  let left = budgetMs;
  const found = () => sweeps[Math.min(sweep, sweeps.length - 1)]!;
  const leftovers: Leftovers = {
    stopObserving: async () => void log.push('stop'),
    deleteAlarms: async () => {
      log.push('alarms');
      return found().alarms;
    },
    deleteObjects: async () => {
      log.push('objects');
      const { objects } = found();
      sweep++;
      return objects;
    },
  };
  const patience: Patience = {
    remaining: () => left,
    wait: async (milliseconds) => {
      left -= milliseconds;
    },
  };
  return { log, leftovers, patience };
}

const MINUTES = 60_000;

describe('cleaning up', () => {
  test('stops the schedule before anything is deleted', async () => {
    const { log, leftovers, patience } = world([{ alarms: 0, objects: 0 }], 15 * MINUTES);
    await cleanUp(leftovers, patience);
    expect(log[0]).toBe('stop');
    expect(log.filter((entry) => entry === 'stop')).toHaveLength(1);
  });

  test('sweeps once more after a scan that was still under way wrote again', async () => {
    const { leftovers, patience } = world(
      [
        { alarms: 60, objects: 1200 },
        { alarms: 0, objects: 0 },
        { alarms: 1, objects: 2 },
        { alarms: 0, objects: 0 },
      ],
      15 * MINUTES,
    );
    expect(await cleanUp(leftovers, patience)).toEqual({ alarms: 61, objects: 1202 });
  });

  test('gives up in time to answer, and says what was done', async () => {
    const { leftovers, patience } = world([{ alarms: 1, objects: 1 }], 1 * MINUTES);
    const failure = await cleanUp(leftovers, patience).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CleanupUnfinished);
    expect(String(failure)).toMatch(/deleted \d alarms and \d objects, and more kept coming; delete the stack again/);
    expect(patience.remaining()).toBeGreaterThanOrEqual(30_000);
  });

  test('a refused call fails the whole, since something would be left', async () => {
    const { leftovers, patience } = world([{ alarms: 0, objects: 0 }], 15 * MINUTES);
    const denied = { ...leftovers, deleteAlarms: () => Promise.reject(new Error('AccessDenied')) };
    await expect(cleanUp(denied, patience)).rejects.toThrow('AccessDenied');
  });
});
