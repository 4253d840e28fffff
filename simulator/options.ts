/** How a simulator is started, and what it offers while it runs. */
import type { FailureSpec, Throttle } from './faults.ts';
import type { Hold, HoldSpec } from './holds.ts';
import type { TrailEvent } from './trail.ts';
import type { Parameters } from './wire/query.ts';
import type { Rules } from './world/rules.ts';
import type { World } from './world/world.ts';

/** A stale read: Describe calls show the world as it was this many milliseconds ago. */
export interface Staleness {
  readonly ms: number;
  /** Only these actions; all Describe and Get calls where absent. */
  readonly actions?: readonly string[];
}

export interface SimulatorOptions {
  /** Restarts the world's luck. */
  readonly seed?: number;
  readonly account?: string;
  readonly region?: string;
  /** Epoch milliseconds; a test's own clock. */
  readonly now?: () => number;
  /** No page holds more items than this, whatever was asked. */
  readonly pageSize?: number;
  /** Every Nth page, N from 2, is empty and has a token all the same. */
  readonly emptyPageEvery?: number;
  /** Each page begins with the last item of the one before. */
  readonly repeatAcrossPages?: boolean;
  readonly throttle?: Throttle;
  /** Each answer waits this long, real milliseconds. */
  readonly latencyMs?: number;
  readonly staleReads?: Staleness;
  readonly rules?: Partial<Rules>;
  /** 0, the default, for any free one. Always on 127.0.0.1. */
  readonly port?: number;
}

/** One call as it came in, and how it was answered. */
export interface CallRecord {
  /** Epoch milliseconds by the simulator's clock. */
  readonly at: number;
  readonly action: string;
  /** The parameters as they came over the wire: `Filter.1.Value.1`. */
  readonly params: Parameters;
  /** HTTP status; 0 where the connection was dropped. */
  readonly status: number;
  readonly errorCode?: string;
}

export interface Simulator {
  readonly url: string;
  readonly port: number;
  readonly world: World;
  readonly calls: readonly CallRecord[];
  /** What CloudTrail and EventBridge would have told of the calls that write, oldest first. */
  readonly trail: readonly TrailEvent[];
  /** Makes a later call fail. Several may be armed at once. */
  fail(spec: FailureSpec): void;
  /** Takes back every failure that is armed. */
  clearFailures(): void;
  /** Holds the answer of a later call back, after its effect, until it is released. */
  hold(spec: HoldSpec): Hold;
  /** Throttles one action, or every action that has no throttle of its own; `undefined` takes it off. */
  setThrottle(throttle: Throttle | undefined, action?: string): void;
  setStale(ms: number, actions?: readonly string[]): void;
  setLatency(ms: number): void;
  /** Forgets calls and trail. */
  clearCalls(): void;
  close(): Promise<void>;
}
