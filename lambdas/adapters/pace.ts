/** How fast AWS is asked: so many calls in flight, and no more than a share of the account's own rate for each action. */
import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { ReadCallName } from '../contract/read-calls.ts';
import { ReadError } from '../ports/read-error.ts';

/** Calls in flight at once. More than 8 gains nothing: parsing, not the network, is what then waits (docs/performance.md). */
export const MAX_IN_FLIGHT = 8;

/**
 * The bucket that EC2 documents for an action that changes nothing: 100 calls at once, 20 a second after that, for each account, region and action ("Request throttling
 * for the Amazon EC2 API"). It is shared with the VPC CNI, Karpenter and everybody else.
 */
export const ACCOUNT_BUCKET = { calls: 100, refillPerSecond: 20 } as const;

/** A quarter leaves the rest to those whom a throttled call would keep from starting pods. */
export const DEFAULT_API_SHARE = 0.25;

/** Calls that no controller makes, so that there is nobody to leave a share to. */
const UNSHARED: ReadonlySet<ReadCallName> = new Set(['ec2:GetSubnetCidrReservations']);

export interface PaceOptions {
  /** 1 to {@link MAX_IN_FLIGHT}. */
  readonly inFlight?: number;
  /** Share of the account's rate, above 0 and at most 1. */
  readonly apiShare?: number;
  /** Ends the reading: calls that wait are not made, calls in flight are broken off. */
  readonly signal?: AbortSignal;
  /** Told of each attempt that AWS throttled, retried ones too. */
  readonly onThrottled?: () => void;
  /** Milliseconds on a clock that never goes back. */
  readonly clock?: () => number;
  /** Resolves after so many milliseconds; rejects when the signal aborts. */
  readonly wait?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** A token bucket that lends: a caller learns how long to wait for the token it has just taken. */
export class TokenBucket {
  private readonly size: number;
  private readonly perMillisecond: number;
  private tokens: number;
  private at: number;

  constructor(size: number, refillPerSecond: number, now: number) {
    this.size = size;
    this.perMillisecond = refillPerSecond / 1000;
    this.tokens = size;
    this.at = now;
  }

  /** @returns milliseconds until the token may be used. */
  take(now: number): number {
    this.tokens = Math.min(this.size, this.tokens + (now - this.at) * this.perMillisecond);
    this.at = now;
    this.tokens -= 1;
    return this.tokens >= 0 ? 0 : -this.tokens / this.perMillisecond;
  }
}

const waitOnTimer = async (milliseconds: number, signal: AbortSignal | undefined): Promise<void> => {
  await wait(milliseconds, undefined, signal === undefined ? {} : { signal });
};

/** Lets calls through in order of asking, at the pace of its options. */
export class Pace {
  readonly signal: AbortSignal | undefined;
  readonly onThrottled: (() => void) | undefined;
  private readonly apiShare: number;
  private readonly clock: () => number;
  private readonly wait: NonNullable<PaceOptions['wait']>;
  private readonly buckets = new Map<ReadCallName, TokenBucket>();
  private readonly waiting: (() => void)[] = [];
  private free: number;

  constructor(options: PaceOptions = {}) {
    const inFlight = options.inFlight ?? MAX_IN_FLIGHT;
    if (!Number.isInteger(inFlight) || inFlight < 1 || inFlight > MAX_IN_FLIGHT) {
      throw new ReadError('BAD_OPTION', `Calls in flight: ${inFlight} is no whole number from 1 to ${MAX_IN_FLIGHT}.`);
    }
    this.apiShare = options.apiShare ?? DEFAULT_API_SHARE;
    if (!(this.apiShare > 0 && this.apiShare <= 1)) {
      throw new ReadError('BAD_OPTION', `API share: ${this.apiShare} is not above 0 and at most 1.`);
    }
    this.free = inFlight;
    this.signal = options.signal;
    this.onThrottled = options.onThrottled;
    this.clock = options.clock ?? (() => performance.now());
    this.wait = options.wait ?? waitOnTimer;
    // Each call in flight listens; that is no leak.
    if (this.signal !== undefined) setMaxListeners(0, this.signal);
  }

  /** Makes the call when its turn has come. Rejects with `CANCELLED`, without calling, once the signal has aborted. */
  async run<T>(call: ReadCallName, ask: () => Promise<T>): Promise<T> {
    this.throwIfCancelled(call);
    const delay = this.bucket(call).take(this.clock());
    try {
      if (delay > 0) await this.wait(delay, this.signal);
      await this.enter();
      try {
        this.throwIfCancelled(call);
        return await ask();
      } finally {
        this.leave();
      }
    } catch (error) {
      this.throwIfCancelled(call, error);
      throw error;
    }
  }

  private throwIfCancelled(call: ReadCallName, cause?: unknown): void {
    if (this.signal?.aborted !== true || cause instanceof ReadError) return;
    throw new ReadError('CANCELLED', `Reading was stopped before ${call} had its answer.`, {
      cause: cause ?? this.signal.reason,
    });
  }

  private bucket(call: ReadCallName): TokenBucket {
    let bucket = this.buckets.get(call);
    if (bucket === undefined) {
      const share = UNSHARED.has(call) ? 1 : this.apiShare;
      // A share so small that it holds no whole call would never let one through at once.
      const size = Math.max(1, ACCOUNT_BUCKET.calls * share);
      bucket = new TokenBucket(size, ACCOUNT_BUCKET.refillPerSecond * share, this.clock());
      this.buckets.set(call, bucket);
    }
    return bucket;
  }

  private async enter(): Promise<void> {
    if (this.free > 0) {
      this.free--;
      return;
    }
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** Hands the place to the next who waits, so that nobody who comes later can take it. */
  private leave(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.free++;
    else next();
  }
}

/** Works on the items with so many workers at once, in order of the list; rejects with the first error, after the others have stopped. */
export async function eachOf<T>(
  items: readonly T[],
  workers: number,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  let failed: { readonly error: unknown } | undefined;
  const worker = async () => {
    while (next < items.length && failed === undefined) {
      const index = next++;
      try {
        await work(items[index] as T, index);
      } catch (error) {
        failed ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(workers, items.length) }, worker));
  if (failed !== undefined) throw failed.error;
}

/** Cuts a list into pieces of at most `size`, all but the last full. */
export function chunks<T>(items: readonly T[], size: number): T[][] {
  const pieces: T[][] = [];
  for (let at = 0; at < items.length; at += size) pieces.push(items.slice(at, at + size));
  return pieces;
}
