/** Leaves nothing behind that costs when the stack is destroyed. */
import { HeadroomError } from '../contract/headroom-error.ts';
import type { Leftovers, Patience } from '../ports/leftovers.ts';

/** A scan that was under way when the schedule stopped may still write; it takes seconds, so two quiet sweeps ten seconds apart say that it is over. */
const SWEEP_PAUSE_MS = 10_000;
const QUIET_SWEEPS = 2;
/** Kept back for the answer to CloudFormation, which else waits an hour for it. */
const ANSWER_RESERVE_MS = 30_000;

export interface Cleaned {
  readonly alarms: number;
  readonly objects: number;
}

/** Thrown where the time ran out with something left: the stack then stays in DELETE_FAILED, visibly, and deleting it again goes on. */
export class CleanupUnfinished extends HeadroomError {
  override readonly name = 'CleanupUnfinished';
  readonly code = 'CLEANUP_UNFINISHED';
  readonly retryable = true;
}

/**
 * Stops the schedule first, then sweeps until two sweeps in a row found nothing.
 *
 * @throws {@link CleanupUnfinished} when the time is nearly out.
 */
export async function cleanUp(leftovers: Leftovers, patience: Patience): Promise<Cleaned> {
  await leftovers.stopObserving();
  let alarms = 0;
  let objects = 0;
  for (let quiet = 0; ; await patience.wait(SWEEP_PAUSE_MS)) {
    const found = { alarms: await leftovers.deleteAlarms(), objects: await leftovers.deleteObjects() };
    alarms += found.alarms;
    objects += found.objects;
    quiet = found.alarms + found.objects === 0 ? quiet + 1 : 0;
    if (quiet === QUIET_SWEEPS) return { alarms, objects };
    if (patience.remaining() < ANSWER_RESERVE_MS + SWEEP_PAUSE_MS) {
      throw new CleanupUnfinished(
        `deleted ${alarms} alarms and ${objects} objects, and more kept coming; delete the stack again`,
      );
    }
  }
}
