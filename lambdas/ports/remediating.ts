/** What remediate needs of the world beside its memory. */
import type { EniRecord, Tags } from '../core/subnet/snapshot.ts';
import type { BusEvent, Clock, EventBus, InsideSource, Log } from './observing.ts';
import type { RegionSource } from './region-source.ts';
import type { StateTable } from './state-table.ts';

/** Calls that change EC2. Each is made once: an answer that does not come is settled by reading, never by asking again. */
export interface NetworkWriter {
  setTags(resourceIds: readonly string[], tags: { readonly [key: string]: string }): Promise<void>;
  /** Takes each tag away where it has this value, and only there. */
  removeTags(resourceIds: readonly string[], tags: { readonly [key: string]: string }): Promise<void>;
  /** @returns the reservation's id. */
  createReservation(subnetId: string, cidr: string): Promise<string>;
  /** IAM cannot limit this call to a subnet: the caller has to know that the reservation is Headroom's own. */
  deleteReservation(reservationId: string): Promise<void>;
  deleteInterface(eniId: string): Promise<void>;
}

/** Narrow reads just before and after a write. */
export interface NetworkReader {
  /** Tags by subnet id; a subnet that is gone is not in it. */
  subnetTags(subnetIds: readonly string[]): Promise<ReadonlyMap<string, Tags>>;
  /** By id; interfaces that are gone are not in it. */
  interfaces(eniIds: readonly string[]): Promise<ReadonlyMap<string, EniRecord>>;
  /** Prefix reservations of a subnet: id by CIDR. */
  reservations(subnetId: string): Promise<ReadonlyMap<string, string>>;
}

export interface StopSwitch {
  /** Value of the stop parameter; `undefined` where there is none. Rejects where it cannot be read: then nothing is done. */
  value(): Promise<string | undefined>;
}

/** Everything that remediate touches. */
export interface RemediateWorld {
  /** A fresh reading of one VPC. */
  readonly open: (vpcId: string, now: number) => RegionSource;
  readonly inside: InsideSource;
  readonly state: StateTable;
  readonly writer: NetworkWriter;
  readonly reader: NetworkReader;
  readonly bus: EventBus<BusEvent>;
  readonly stop: StopSwitch;
  readonly clock: Clock;
  readonly log: Log;
}

/** What approve needs: it can change nothing in EC2. */
export interface ApproveWorld {
  readonly state: StateTable;
  readonly bus: EventBus<BusEvent>;
  /** Wakes remediate for a VPC. What is to be done stands in the table; the message carries none of it. */
  readonly wake: (vpcId: string) => Promise<void>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}
