/** What to say of whatever went wrong. */
import { debuglog } from 'node:util';
import { HeadroomError } from '../lambdas/contract/headroom-error.ts';

const debug = debuglog('headroom');

/** What to say, a line for each thing that is wrong; for a mistake of ours, that it is one, and how to see more. */
export function linesOf(error: unknown): readonly string[] {
  debug('%O', error);
  if (error instanceof HeadroomError) {
    const remedy = 'remedy' in error && typeof error.remedy === 'string' ? error.remedy : undefined;
    const told = remedy === undefined ? error.message : `${error.message.replace(/\.$/, '')}. ${remedy}`;
    return told.split('\n');
  }
  if (!(error instanceof Error)) return [`unexpected: ${String(error)}`];
  // A full disk, a limit: the system's own words say what it was.
  if ('syscall' in error) return [`the system refused: ${error.message}`];
  return [`unexpected: ${error.message} (NODE_DEBUG=headroom shows where)`];
}
