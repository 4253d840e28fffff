import { HeadroomError } from '../lambdas/contract/headroom-error.ts';

/** The command was not typed as it should be: the message names the option or word. */
export class UsageError extends HeadroomError {
  override readonly name = 'UsageError';
  readonly code = 'USAGE';
  readonly retryable = false;
}
