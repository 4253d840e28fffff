/** What goes wrong on purpose: throttling, and failures at a chosen call. */
import { Refusal } from './refusal.ts';
import type { Input, Parameters } from './wire/query.ts';

/** A token bucket for each action (docs/simulator.md R8): `bucket` calls at once, then `refillPerSecond`. */
export interface Throttle {
  readonly bucket: number;
  readonly refillPerSecond: number;
}

/** `before`: the call has no effect. `after`: it takes effect, and the answer is the error all the same, as in a crash or a lost reply. */
export type Phase = 'before' | 'after';

export interface FailureSpec {
  /** `DescribeSubnets`, `ListClusters`, ...; `*` for every action. */
  readonly action: string;
  /** Which matching call from now fails first; 1 (the default) is the next one. */
  readonly at?: number;
  /** How many matching calls fail from there on; 1 by default, `Infinity` for all. */
  readonly times?: number;
  readonly code: string;
  readonly message?: string;
  /** 400 by default. */
  readonly httpStatus?: number;
  readonly phase?: Phase;
  /** Drops the connection instead of answering. */
  readonly reset?: boolean;
  /** Only calls of this kind count: the wire parameters (`Filter.1.Value.1`) and the same in SDK form. */
  readonly match?: (params: Parameters, input: Input) => boolean;
}

/** A failure that closes the connection without an answer. */
export class ConnectionReset extends Refusal {}

interface Armed {
  readonly spec: FailureSpec;
  seen: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

export class Faults {
  readonly #now: () => number;
  readonly #armed: Armed[] = [];
  readonly #throttles = new Map<string, Throttle>();
  readonly #buckets = new Map<string, Bucket>();

  constructor(now: () => number) {
    this.#now = now;
  }

  arm(spec: FailureSpec): void {
    this.#armed.push({ spec, seen: 0 });
  }

  disarm(): void {
    this.#armed.length = 0;
  }

  /** Sets the throttle of one action, or of all that have none of their own (`*`); `undefined` takes it off. */
  throttle(throttle: Throttle | undefined, action = '*'): void {
    if (throttle === undefined) this.#throttles.delete(action);
    else this.#throttles.set(action, throttle);
    this.#buckets.clear();
  }

  /** @throws Refusal `RequestLimitExceeded`: the action's bucket is empty. */
  checkRate(action: string): void {
    const throttle = this.#throttles.get(action) ?? this.#throttles.get('*');
    if (throttle === undefined) return;
    const now = this.#now();
    const bucket = this.#buckets.get(action) ?? { tokens: throttle.bucket, at: now };
    const refilled = bucket.tokens + ((now - bucket.at) / 1000) * throttle.refillPerSecond;
    bucket.tokens = Math.min(throttle.bucket, refilled);
    bucket.at = now;
    this.#buckets.set(action, bucket);
    if (bucket.tokens < 1) throw new Refusal('RequestLimitExceeded', 'Request limit exceeded.', 503);
    bucket.tokens -= 1;
  }

  /** The failure that this call shall have, counted by each spec that matches it. The first armed wins. */
  next(
    action: string,
    params: Parameters,
    input: Input,
  ): { readonly phase: Phase; readonly refusal: Refusal } | undefined {
    let found: FailureSpec | undefined;
    for (const armed of this.#armed) {
      const { spec } = armed;
      if (spec.action !== '*' && spec.action !== action) continue;
      if (spec.match !== undefined && !spec.match(params, input)) continue;
      armed.seen++;
      const first = spec.at ?? 1;
      if (armed.seen >= first && armed.seen < first + (spec.times ?? 1)) found ??= spec;
    }
    if (found === undefined) return undefined;
    const { code, message = `injected ${code}`, httpStatus = 400, phase = 'before' } = found;
    const refusal = found.reset === true ? new ConnectionReset(code, message) : new Refusal(code, message, httpStatus);
    return { phase, refusal };
  }
}
