/** observe and assess: from where a region's facts come to what is true of it and what is wrong. The CLI and the Lambdas call the same. */
import { assess } from '../core/assess/assess.ts';
import type { CapacityReport } from '../core/assess/report.ts';
import type { AssessSettings } from '../core/assess/settings.ts';
import type { StoredSnapshot } from '../core/stored/stored-region.ts';
import { failuresOf } from '../core/subnet/inputs.ts';
import { OccupancyBuilder, type OccupancyOptions, type RegionOccupancy } from '../core/subnet/occupancy.ts';
import type { EniReading, ReadFailure, RegionFacts } from '../core/subnet/snapshot.ts';
import type { RegionSource } from '../ports/region-source.ts';

export interface Measurement {
  readonly facts: RegionFacts;
  readonly enis: EniReading;
  readonly occupancy: RegionOccupancy;
  readonly report: CapacityReport;
  /** Every read that failed, in call order; empty where nothing asked for is unknown. */
  readonly missing: readonly ReadFailure[];
}

/** Reads a source once and assesses it. Rejects as the source does: `ReadError`, `InputError`. */
export async function measure(
  source: RegionSource,
  settings: AssessSettings = {},
  options: OccupancyOptions = {},
): Promise<Measurement> {
  const facts = await source.facts();
  const builder = new OccupancyBuilder(facts, options);
  const enis = await source.networkInterfaces(facts, builder);
  return measureStored({ facts, enis, occupancy: builder.finish() }, settings);
}

/** Assesses what was read before. */
export function measureStored({ facts, enis, occupancy }: StoredSnapshot, settings: AssessSettings = {}): Measurement {
  const report = assess(facts, enis, occupancy, settings);
  return { facts, enis, occupancy, report, missing: failuresOf(facts, enis) };
}
