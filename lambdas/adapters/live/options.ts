import type { InputName } from '../../core/subnet/snapshot.ts';
import type { RawAnswers } from '../../ports/raw-answers.ts';
import type { ReadProgress } from '../../ports/region-source.ts';

/** Credentials as the SDK takes them; needed by tests and by whoever assumes a role for another account. */
export interface RegionCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Which subnets are read. Both given: those that are named and lie in a named VPC. Neither, or empty: every subnet of the region. */
export interface RegionScope {
  readonly vpcIds?: readonly string[];
  readonly subnetIds?: readonly string[];
}

/** How a region is read. */
export interface RegionOptions {
  /** Without it: `AWS_REGION`, then the profile's. */
  readonly region?: string;
  readonly profile?: string;
  readonly credentials?: RegionCredentials | (() => Promise<RegionCredentials>);
  /** One endpoint for all services, such as the simulator's. Without it `AWS_ENDPOINT_URL` and `AWS_ENDPOINT_URL_<SERVICE>` count, as in every AWS tool. */
  readonly endpoint?: string;
  readonly scope?: RegionScope;
  /** The time to reason with, epoch milliseconds. */
  readonly now: number;
  /** Share of the account's call rate, above 0 and at most 1; default a quarter. */
  readonly apiShare?: number;
  /** Calls in flight at once, 1 to 8; default 8. */
  readonly concurrency?: number;
  /** Attempts for each call, the first included; default 6. */
  readonly attempts?: number;
  /** Items asked for in a page; default as many as the call allows. Smaller pages are for tests. */
  readonly pageSize?: number;
  /** Ends the reading: what was not read by then is a failure with code `CANCELLED`. `AbortSignal.timeout(ms)` is a time budget. */
  readonly signal?: AbortSignal;
  /** The inputs to read beside the subnets; default all that AWS can tell. Those left out are `absent`. */
  readonly inputs?: ReadonlySet<InputName>;
  /** Is handed every answer as it came. */
  readonly raw?: RawAnswers;
  readonly progress?: ReadProgress;
  /** Told of each attempt that AWS throttled, those that were then tried again among them. */
  readonly onThrottled?: () => void;
}
