import type { Config } from '../../contract/config.ts';
import type { Need } from '../../core/observe/scan-lock.ts';
import type { ObserveWorld } from '../../ports/observing.ts';

/** What the reads of one scan have in common. */
export interface ReadContext {
  readonly world: ObserveWorld;
  readonly config: Config;
  /** Epoch milliseconds at which the scan began. */
  readonly began: number;
  readonly needs: readonly Need[];
  readonly signal: AbortSignal;
  readonly account: string;
}
