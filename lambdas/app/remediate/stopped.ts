import { type Hold, stopHold } from '../../core/remediate/run-guards.ts';
import type { RemediateWorld } from '../../ports/remediating.ts';
import type { Subject } from './subject.ts';

/** What the stop parameter says now; asked before each write, since a run may take minutes. Rejects where it cannot be read: then nothing is done. */
export async function stopped({ stop }: RemediateWorld, { config }: Subject): Promise<Hold | undefined> {
  return stopHold(await stop.value(), config.remediation.stopParameter);
}
