import type { Log } from '../../ports/observing.ts';
import { jsonLog } from './json-log.ts';

/** What a middleware is told of a run that failed. */
interface FailedRun {
  readonly error: unknown;
  readonly context: { readonly awsRequestId: string };
}

/**
 * A middleware that leaves one JSON line about a run that failed, with the code and whether trying again may help, before the error goes on to Lambda: its own report has neither.
 *
 * @param write - takes the line.
 */
export function logFailure(stage: Parameters<Log>[1], write: (line: string) => void) {
  return {
    onError: ({ error, context }: FailedRun): void => {
      const told = error instanceof Error ? error : new Error(String(error));
      const { code, retryable } = told as { readonly code?: unknown; readonly retryable?: unknown };
      const fields = {
        error: told.name,
        ...(typeof code === 'string' ? { code } : {}),
        ...(typeof retryable === 'boolean' ? { retryable } : {}),
      };
      jsonLog(write, { requestId: context.awsRequestId })('error', stage, told.message, fields);
    },
  };
}
