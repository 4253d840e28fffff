/** Answers that are held back: the call has taken effect, and whoever made it waits. */
import type { Parameters } from './wire/query.ts';

export interface HoldSpec {
  readonly action: string;
  /** Which matching call from now is held; 1 (the default) is the next one. */
  readonly at?: number;
  /** Only calls of this kind count, by their wire parameters (`Filter.1.Value.1`). */
  readonly match?: (params: Parameters) => boolean;
}

/** One call's answer, held back once. */
export interface Hold {
  /** Settles when the call was made: it has taken effect, and its answer is held. */
  readonly reached: Promise<void>;
  /** Lets the answer go, now or as soon as it is there. */
  release(): void;
}

interface Armed {
  readonly spec: HoldSpec;
  readonly reach: () => void;
  readonly released: Promise<void>;
  readonly release: () => void;
  seen: number;
}

export class Holds {
  readonly #armed = new Set<Armed>();

  arm(spec: HoldSpec): Hold {
    const reached = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const armed: Armed = {
      spec,
      reach: reached.resolve,
      released: released.promise,
      release: released.resolve,
      seen: 0,
    };
    this.#armed.add(armed);
    return { reached: reached.promise, release: released.resolve };
  }

  /** Waits as long as the answer of this call is to be held. */
  async wait(action: string, params: Parameters): Promise<void> {
    for (const armed of this.#armed) {
      const { action: wanted, at = 1, match } = armed.spec;
      if (wanted !== action || match?.(params) === false) continue;
      armed.seen++;
      if (armed.seen !== at) continue;
      armed.reach();
      await armed.released;
      this.#armed.delete(armed);
    }
  }

  /** Lets every answer go. */
  releaseAll(): void {
    for (const { release } of this.#armed) release();
  }
}
