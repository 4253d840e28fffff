/** What react needs of the world: what is known of the region, a way to ask for more, and somebody to tell. */
import type { Finding } from '../contract/finding.ts';
import type { SubnetRoom } from '../core/react/rooms.ts';

/** What the last snapshot knows. */
export interface KnownRegion {
  readonly rooms: readonly SubnetRoom[];
  /** Subnet id by interface id, as far as the snapshot has kept interfaces. */
  readonly enis: ReadonlyMap<string, string>;
}

export interface LastSnapshot {
  /** `undefined` before the first scan. */
  read(): Promise<KnownRegion | undefined>;
}

export interface InterfaceLookup {
  /** Subnets of interfaces, in as few calls as the API allows; one that no longer exists is not in the answer. */
  subnetsOf(eniIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** What a batch of events says about one finding. Times are epoch milliseconds. */
export interface Sighting {
  readonly finding: Finding;
  /** Of every event that tells of it, for whoever must count each once. */
  readonly eventIds: readonly string[];
  readonly firstTime: number;
  readonly lastTime: number;
}

/** The findings of the service, which scans keep too: one fact has one entry, whoever sees it. */
export interface FindingBook {
  /** Notes what events saw, and tells the bus of what is new. Repeats of an event change nothing. @returns the error of each finding that could not be noted, by its id. */
  note(sightings: readonly Sighting[]): Promise<ReadonlyMap<string, unknown>>;
}

/** Subnets about which an event leaves something open. */
export interface Reread {
  readonly subnetIds: readonly string[];
  /** VPCs of those whose VPC is known. */
  readonly vpcIds: readonly string[];
}

export interface RereadRequests {
  /** Asks for the subnets to be measured again, soon. */
  ask(reread: Reread): Promise<void>;
}

export interface LagMetric {
  /** @param seconds from the oldest call of a batch to now. */
  put(seconds: number, at: number): Promise<void>;
}

/** One structured line of the log. */
export type ReactLog = (level: 'info' | 'warn' | 'error', message: string, fields: object) => void;

export interface ReactWorld {
  readonly snapshot: LastSnapshot;
  readonly interfaces: InterfaceLookup;
  readonly book: FindingBook;
  readonly reread: RereadRequests;
  readonly lag: LagMetric;
  readonly log: ReactLog;
  /** Epoch milliseconds. */
  readonly now: () => number;
}
