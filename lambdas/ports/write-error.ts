/** Why a call that changes EC2 did not do so, or may not have. */
import { HeadroomError } from '../contract/headroom-error.ts';
export class WriteError extends HeadroomError {
  override readonly name = 'WriteError';
  /** AWS's own code, `UnauthorizedOperation`, or Node's for a connection that broke. */
  readonly code: string;
  /** EC2 gave no answer: whether the call took effect shows only in a later read. */
  readonly unanswered: boolean;

  constructor(code: string, message: string, options: { readonly unanswered: boolean; readonly cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.unanswered = options.unanswered;
  }

  get retryable(): boolean {
    return this.unanswered;
  }
}
