/**
 * Why a region could not be read at all. What could not be read of a part is no error: it is a `ReadFailure` beside what could (core/subnet/snapshot.ts).
 */
import { HeadroomError } from '../contract/headroom-error.ts';

export const READ_ERROR_CODES = [
  /** An option is out of its range. */
  'BAD_OPTION',
  /** No region was given and none is configured. */
  'NO_REGION',
  'NO_CREDENTIALS',
  'CREDENTIALS_EXPIRED',
  /** AWS does not accept the credentials, or not in this region. */
  'CREDENTIALS_REJECTED',
  /** No answer from the endpoint. */
  'UNREACHABLE',
  /** IAM denied a call without which nothing can be said. */
  'DENIED',
  'THROTTLED',
  /** What was asked for by id does not exist. */
  'NOT_FOUND',
  /** The caller gave up, or its time was out. */
  'CANCELLED',
  /** AWS answered with an error that none of the others names. */
  'AWS_FAILED',
] as const;
export type ReadErrorCode = (typeof READ_ERROR_CODES)[number];

/** Trouble that may be gone on the next run, with nothing changed by anyone. */
const RETRYABLE: ReadonlySet<ReadErrorCode> = new Set(['UNREACHABLE', 'THROTTLED', 'CANCELLED', 'AWS_FAILED']);

export interface ReadErrorOptions {
  readonly cause?: unknown;
  /** What to do about it, one sentence. */
  readonly remedy?: string;
}

/** An error that a person is meant to read: the message stands alone, and `remedy` says what to do. */
export class ReadError extends HeadroomError {
  override readonly name = 'ReadError';
  readonly code: ReadErrorCode;
  readonly remedy?: string;

  constructor(code: ReadErrorCode, message: string, options: ReadErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    if (options.remedy !== undefined) this.remedy = options.remedy;
  }

  get retryable(): boolean {
    return RETRYABLE.has(this.code);
  }
}
