/** What the shell is told. Public: scripts and gates depend on it. */
import type { Verdict } from '../lambdas/core/report/verdict.ts';

export const EXIT = {
  /** Done, nothing critical. */
  done: 0,
  /** A mistake in what was asked, or a failure without which nothing can be said. */
  error: 1,
  /** Done, with critical findings (with `--fail-on warning`: with warnings too). */
  critical: 2,
  /** Done in part, and nothing critical in that part. */
  partial: 3,
  /** Asked first, and the answer was no. */
  declined: 4,
} as const satisfies { readonly [Key in Verdict | 'error' | 'declined']: number };

export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];
