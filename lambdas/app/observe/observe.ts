/** observe: measures the region on a tick or after changes; however many ask at once, one scans and the others leave it to that one. */
import { SERVICE_ITEMS } from '../../contract/names.ts';
import { type AwsEvent, needsOf } from '../../core/observe/changes.ts';
import {
  abandonScan,
  finishScan,
  NO_SCAN_YET,
  requestScan,
  type ScanDecision,
  type ScanRequest,
  type ScanState,
} from '../../core/observe/scan-lock.ts';
import type { ObserveWorld } from '../../ports/observing.ts';
import { update } from './items.ts';
import { type Deployment, scan } from './scan.ts';

/** A change that AWS told of. */
export interface Change {
  readonly event: AwsEvent;
  /** Epoch milliseconds at which it was put on the queue: what it tells of had happened by then. */
  readonly sentAt: number;
}

export interface ObserveRequest {
  /** Of this run; no two are alike. */
  readonly id: string;
  /** `tick` for the schedule. */
  readonly why: 'tick' | readonly Change[];
}

export interface ObserveOutcome {
  readonly kind: ScanDecision['kind'];
  /** Scans that this run made. */
  readonly scans: number;
}

/** A lease outlives the function by this much: nobody takes a lock over from one that may still run. */
const LEASE_MARGIN_MS = 30_000;
/** A scan of a large region, throttled, and its publishing: with less time left the next tick goes on. */
const ROUND_MS = 90_000;

/**
 * Never throws for being busy. @throws what a scan throws; the lock is given back first, with everything that is still to be covered.
 */
export async function observe(
  world: ObserveWorld,
  deployment: Deployment,
  { id, why }: ObserveRequest,
): Promise<ObserveOutcome> {
  const { clock, state } = world;
  const ask = (): ScanRequest => {
    const now = clock.now();
    const base = { id, now, leaseMs: clock.remaining() + LEASE_MARGIN_MS, needs: [] };
    if (why === 'tick') return base;
    const settle = deployment.config.schedule.settle * 1000;
    // The queue holds a change back for the settle time, so it is up by now, whatever the clocks say.
    const answeredFrom = Math.min(now, Math.max(...why.map(({ sentAt }) => sentAt)) + settle);
    return { ...base, answeredFrom, needs: [...new Set(why.flatMap(({ event }) => needsOf(event)))].sort() };
  };
  const lock = <R>(decide: (current: ScanState) => { readonly write?: ScanState; readonly answer: R }) =>
    update<ScanState, R>(state, 'service', SERVICE_ITEMS.scan, (current) => decide(current ?? NO_SCAN_YET));

  if (why !== 'tick' && why.length === 0) return { kind: 'answered', scans: 0 };
  const decision = await lock<ScanDecision>((current) => {
    const answer = requestScan(current, ask());
    return answer.kind === 'answered' ? { answer } : { write: answer.state, answer };
  });
  if (decision.kind !== 'begin') {
    world.log('info', 'observe', decision.kind, { changes: why === 'tick' ? 0 : why.length });
    return { kind: decision.kind, scans: 0 };
  }
  let current = decision.state;
  for (let scans = 1; ; scans++) {
    const began = current.running?.began ?? clock.now();
    const previous = current.last?.began;
    try {
      await scan(world, deployment, {
        began,
        number: current.count,
        needs: current.needs,
        ...(previous === undefined ? {} : { previous }),
      });
    } catch (error) {
      await lock((now) => ({ write: abandonScan(now, id), answer: undefined }));
      throw error;
    }
    world.log('info', 'observe', 'scanned', { scan: current.count, milliseconds: clock.now() - began });
    const end = await lock((now) => {
      const answer = finishScan(now, ask(), clock.remaining() > ROUND_MS);
      return { write: answer.state, answer };
    });
    if (end.kind === 'released') return { kind: 'begin', scans };
    current = end.state;
  }
}
