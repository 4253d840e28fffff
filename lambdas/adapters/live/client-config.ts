import type { RegionOptions } from './options.ts';

/**
 * Attempts for each call. Throttling is what fails calls that were right, and six attempts ride out about half a minute of it (the SDK doubles a pause that starts at a
 * half second).
 */
const ATTEMPTS = 6;

/** Milliseconds. A connection takes far less, even across the world; without a limit an unreachable address hangs for two minutes. */
const CONNECTION_TIMEOUT_MS = 5_000;

/**
 * Milliseconds without a byte on the line. A page of 1,000 interfaces takes seconds to be put together; and what hangs is tried {@link ATTEMPTS} times, so that a
 * minute here would be six before anybody is told.
 */
const SOCKET_TIMEOUT_MS = 20_000;

/** What every SDK client of a region is made with. Retries are adaptive: a throttled client slows itself down. */
export function clientConfig(options: RegionOptions) {
  return {
    ...(options.region === undefined ? {} : { region: options.region }),
    ...(options.profile === undefined ? {} : { profile: options.profile }),
    ...(options.credentials === undefined ? {} : { credentials: options.credentials }),
    ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint }),
    retryMode: 'adaptive',
    maxAttempts: options.attempts ?? ATTEMPTS,
    requestHandler: { connectionTimeout: CONNECTION_TIMEOUT_MS, socketTimeout: SOCKET_TIMEOUT_MS },
  };
}

export type ClientConfig = ReturnType<typeof clientConfig>;
