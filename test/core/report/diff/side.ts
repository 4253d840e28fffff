import { assess } from '../../../../lambdas/core/assess/assess.ts';
import { type Side, sideOf } from '../../../../lambdas/core/report/diff/sides.ts';
import { documentOf } from '../../../../lambdas/core/report/document.ts';
import { OccupancyBuilder } from '../../../../lambdas/core/subnet/occupancy.ts';
import type { EniReading, RegionFacts } from '../../../../lambdas/core/subnet/snapshot.ts';
import { type EniFields, eni } from '../../../support/builders.ts';

const READ: EniReading = { state: 'read', managedResourcesIncluded: true, failures: [] };

/** One reading of a region in which these interfaces live; `null`: they could not be read. With `none`, their records are not kept. */
export function side(facts: RegionFacts, enis: readonly EniFields[] | null, keep: 'all' | 'none' = 'all'): Side {
  const builder = new OccupancyBuilder(facts, keep === 'all' ? { keep } : {});
  for (const fields of enis ?? []) builder.add(eni(fields));
  const occupancy = builder.finish();
  const reading = enis === null ? ({ state: 'absent' } as const) : READ;
  const report = assess(facts, reading, occupancy);
  const description = { kind: 'files', name: 'folder' } as const;
  return sideOf(documentOf({ description, facts, enis: reading, report, generatedAt: 0 }), facts, occupancy);
}
