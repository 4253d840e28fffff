/** What observe needs of the world beside its memory: reading, publishing, keeping. */

import type { DetailType } from '../contract/event-names.ts';
import type { AlarmChange, ExistingAlarm } from '../core/publish/alarm-changes.ts';
import type { FindingEvent } from '../core/publish/finding-events.ts';
import type { MetricValue } from '../core/publish/metric-values.ts';
import type { TopicFacts, TrailFacts } from '../core/publish/service-findings.ts';
import type { StoredRegion, StoredSnapshot, StoredVpc } from '../core/stored/stored-region.ts';
import type { InputName, KubernetesFacts, ReadFailure } from '../core/subnet/snapshot.ts';
import type { RegionSource } from './region-source.ts';
import type { StateTable } from './state-table.ts';

/** How one reading of the region is opened. */
export interface ReadingOptions {
  /** Inputs beside subnets and interfaces. */
  readonly inputs: ReadonlySet<InputName>;
  /** Only these subnets; default: those of the configuration's scope. */
  readonly subnetIds?: readonly string[];
  readonly now: number;
  /** Ends the reading: what was not read by then is a failure with code `CANCELLED`. */
  readonly signal: AbortSignal;
  /** Told of each answer that says to slow down, retried ones too. */
  readonly onThrottled: () => void;
}

export type OpenReading = (options: ReadingOptions) => RegionSource;

/** Keeps what was read. Texts that cannot be read as what they should be count as absent: they are read anew. */
export interface ScanStore {
  region(): Promise<StoredRegion | undefined>;
  vpc(vpcId: string): Promise<StoredVpc | undefined>;
  saveRegion(region: StoredRegion): Promise<void>;
  saveVpc(vpc: StoredVpc): Promise<void>;
  /** Kept for good under its time, and as the newest. */
  saveSnapshot(snapshot: StoredSnapshot, at: number): Promise<void>;
}

/** Facts from inside the clusters, as people put them into the bucket. */
export interface InsideFacts {
  readonly kubernetes: readonly KubernetesFacts[];
  readonly failures: readonly ReadFailure[];
  /** Changes whenever what was found changes. */
  readonly tag: string;
}

export interface InsideSource {
  /** @param notBefore epoch milliseconds: what was put there earlier is out of date and does not count. */
  read(notBefore: number): Promise<InsideFacts>;
}

/** What came of a publishing that goes on after a part of it was refused. */
export interface Refusals {
  /** One for each request that failed. */
  readonly errors: readonly unknown[];
}

export interface MetricSink {
  /** @param at epoch milliseconds at which the values were measured. */
  put(values: readonly MetricValue[], at: number): Promise<Refusals & { readonly sent: number }>;
}

export interface AlarmControl {
  /** Every alarm that observe made. */
  list(): Promise<readonly ExistingAlarm[]>;
  change(change: AlarmChange): Promise<void>;
}

/** An event of ours, as the bus takes it: a finding's or a plan's. */
export interface BusEvent {
  readonly type: DetailType;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly detail: { readonly id: string };
}

export interface EventBus<E extends BusEvent = FindingEvent> {
  /** @returns the ids that the bus took, and what kept the others from it. */
  send(events: readonly E[]): Promise<Refusals & { readonly taken: ReadonlySet<string> }>;
}

export interface ServiceCheck {
  trails(): Promise<readonly TrailFacts[]>;
  topics(): Promise<readonly TopicFacts[]>;
  /** Whether EKS has a cluster of this name. */
  clusterExists(name: string): Promise<boolean>;
}

/** Time as a function sees it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds left before the function is ended. */
  remaining(): number;
  wait(milliseconds: number): Promise<void>;
}

export type LogLevel = 'info' | 'warn' | 'error';

/** One structured line; `stage` is a word of the pipeline. */
export type Log = (
  level: LogLevel,
  stage: 'observe' | 'assess' | 'publish' | 'react' | 'report' | 'plan' | 'apply' | 'verify',
  message: string,
  fields?: object,
) => void;

/** Everything that observe touches. */
export interface ObserveWorld {
  readonly open: OpenReading;
  readonly inside: InsideSource;
  readonly state: StateTable;
  readonly store: ScanStore;
  readonly metrics: MetricSink;
  readonly alarms: AlarmControl;
  readonly bus: EventBus;
  readonly check: ServiceCheck;
  readonly clock: Clock;
  readonly log: Log;
}
