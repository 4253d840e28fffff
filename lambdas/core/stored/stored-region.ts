/** What is kept of a region: between scans, piece by piece, and for good, as a snapshot. */
import { HeadroomError } from '../../contract/headroom-error.ts';
import type { LastRead } from '../observe/change-gate.ts';
import type { RegionOccupancy, SubnetOccupancy } from '../subnet/occupancy.ts';
import type { EniReading, RegionFacts, Reservation } from '../subnet/snapshot.ts';
import { restoreOccupancy, type StoredOccupancy, storeOccupancy } from './stored-occupancy.ts';
import { fromText, toText } from './text.ts';

/** Grows whenever an older version could be misread. What has another version is read anew; a snapshot of another version is an error. */
export const STORED_SCHEMA_VERSION = 1;

/** A VPC's last whole read. */
export interface StoredVpc extends LastRead {
  readonly vpcId: string;
  readonly managedResourcesIncluded: boolean;
  /** Reads in a row whose numbers did not add up. */
  readonly oddReads: number;
  readonly subnets: readonly StoredOccupancy[];
}

/** The slow reads that are done again only after their time, or when an event asks for it. */
export const SLOW_GROUPS = ['clusters', 'instances', 'network'] as const;
export type SlowGroup = (typeof SLOW_GROUPS)[number];

export interface StoredReservations {
  /** Epoch milliseconds. */
  readonly readAt: number;
  readonly items: readonly Reservation[];
}

export interface StoredRegion {
  /** The facts of each group as they were last read whole; other fields are those of an older scan and count for nothing. */
  readonly facts: RegionFacts;
  /** When each group was last read whole, epoch milliseconds. */
  readonly readAt: Partial<Record<SlowGroup, number>>;
  /** By subnet id. */
  readonly reservations: ReadonlyMap<string, StoredReservations>;
  /** When a VPC was first met, so that one that cannot be read has an age too. */
  readonly firstMet: ReadonlyMap<string, number>;
}

/** A whole scan, as it is kept in the bucket: enough to assess it again, to draw its maps and to compare it with another. */
export interface StoredSnapshot {
  readonly facts: RegionFacts;
  readonly enis: EniReading;
  readonly occupancy: RegionOccupancy;
}

export function vpcToText(vpc: StoredVpc): string {
  return toText({ schemaVersion: STORED_SCHEMA_VERSION, kind: 'vpc', ...vpc });
}

export function regionToText(region: StoredRegion): string {
  return toText({ schemaVersion: STORED_SCHEMA_VERSION, kind: 'region', ...region });
}

export function snapshotToText({ facts, enis, occupancy }: StoredSnapshot): string {
  const subnets = [...occupancy.subnets.values()].map(storeOccupancy);
  const { enis: count, enisOutsideScope } = occupancy;
  return toText({
    schemaVersion: STORED_SCHEMA_VERSION,
    kind: 'snapshot',
    facts,
    enis,
    subnets,
    counts: { enis: count, enisOutsideScope },
  });
}

/** Thrown for text that is none of ours, or of another version. */
export class StoredError extends HeadroomError {
  override readonly name = 'StoredError';
  readonly code = 'STORED_UNREADABLE';
  readonly retryable = false;
}

/** @throws {@link StoredError} */
export function vpcFromText(text: string): StoredVpc {
  return read(text, 'vpc') as unknown as StoredVpc;
}

/** @throws {@link StoredError} */
export function regionFromText(text: string): StoredRegion {
  return read(text, 'region') as unknown as StoredRegion;
}

/** @throws {@link StoredError} */
export function snapshotFromText(text: string): StoredSnapshot {
  const { facts, enis, subnets, counts } = read(text, 'snapshot') as unknown as {
    readonly facts: RegionFacts;
    readonly enis: EniReading;
    readonly subnets: readonly StoredOccupancy[];
    readonly counts: { readonly enis: number; readonly enisOutsideScope: number };
  };
  return { facts, enis, occupancy: { subnets: restoreAll(subnets, facts), ...counts } };
}

/** The maps of the subnets that are still the ones that were stored. */
export function restoreAll(
  stored: readonly StoredOccupancy[],
  facts: Pick<RegionFacts, 'subnets'>,
): ReadonlyMap<string, SubnetOccupancy> {
  const byId = new Map(facts.subnets.map((subnet) => [subnet.subnetId, subnet]));
  const restored = new Map<string, SubnetOccupancy>();
  for (const one of stored) {
    const subnet = byId.get(one.subnetId);
    const occupancy = subnet === undefined ? undefined : restoreOccupancy(one, subnet);
    if (occupancy !== undefined) restored.set(one.subnetId, occupancy);
  }
  return restored;
}

function read(text: string, kind: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = fromText(text);
  } catch (cause) {
    throw new StoredError(`a stored ${kind} is no JSON`, { cause });
  }
  const document = (typeof value === 'object' && value !== null ? value : {}) as Readonly<Record<string, unknown>>;
  if (document.kind !== kind) throw new StoredError(`a stored ${kind} was expected, not ${String(document.kind)}`);
  if (document.schemaVersion !== STORED_SCHEMA_VERSION) {
    throw new StoredError(
      `a stored ${kind} of version ${String(document.schemaVersion)} cannot be read; this Headroom reads version ${STORED_SCHEMA_VERSION}`,
    );
  }
  return document;
}
