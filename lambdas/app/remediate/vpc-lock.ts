/** One run at a time for a VPC, with a lease longer than the function can run, and a mark for whoever found the lock held. */
import { HeadroomError } from '../../contract/headroom-error.ts';
import type { RemediateWorld } from '../../ports/remediating.ts';
import { itemOf, update } from '../observe/items.ts';

/** Longer than the function's timeout (600 s): who holds a lease that is over is dead. */
export const LEASE_MS = 660_000;
/** A write that begins must come to its end within the lease: EC2 answers in seconds. */
const LEAST_LEFT_MS = 30_000;

interface LockItem {
  readonly holder?: string;
  /** Epoch milliseconds. */
  readonly leaseUntil: number;
  /** Somebody wanted to look while the lock was held: the holder looks once more. */
  readonly again: boolean;
}

/** Thrown before a write where the lease is over or somebody else's: the run ends, and nothing is written. */
export class LeaseLost extends HeadroomError {
  override readonly name = 'LeaseLost';
  readonly code = 'LEASE_LOST';
  readonly retryable = true;
}

export interface VpcLock {
  /** Reads the lease again. @throws LeaseLost */
  check(): Promise<void>;
  /** Gives the lock back, unless somebody asked for another look. @returns whether it was given back. */
  release(): Promise<boolean>;
}

const subject = (vpcId: string) => `remediate/${vpcId}`;

/** @returns `undefined` where another run holds the VPC: that run was told to look again. */
export async function lockVpc(
  { state, clock }: Pick<RemediateWorld, 'state' | 'clock'>,
  vpcId: string,
  holder: string,
): Promise<VpcLock | undefined> {
  const taken = await update<LockItem, boolean>(state, 'vpc', subject(vpcId), (item) => {
    const now = clock.now();
    // The writer's own: the table took it, and the answer was lost.
    if (item?.holder !== undefined && item.holder !== holder && item.leaseUntil > now) {
      return { ...(item.again ? {} : { write: { ...item, again: true } }), answer: false };
    }
    return { write: { holder, leaseUntil: now + LEASE_MS, again: false }, answer: true };
  });
  if (!taken) return undefined;
  return {
    async check() {
      const item = (await itemOf<LockItem>(state, 'vpc', subject(vpcId)))?.value;
      if (item?.holder !== holder || item.leaseUntil < clock.now() + LEAST_LEFT_MS) {
        throw new LeaseLost(`the lease on ${vpcId} is ${item?.holder === holder ? 'nearly over' : 'somebody else’s'}`);
      }
    },
    release: () =>
      update<LockItem, boolean>(state, 'vpc', subject(vpcId), (item) => {
        if (item?.holder !== holder) return { answer: true };
        if (item.again) return { write: { ...item, again: false }, answer: false };
        return { write: { leaseUntil: 0, again: false }, answer: true };
      }),
  };
}
