/** Readings of a region, the oldest first, as frames of a report. */
import type { Measurement } from '../../lambdas/app/measure.ts';
import type { HeadroomDocument } from '../../lambdas/contract/document.ts';
import { diffOf } from '../../lambdas/core/report/diff/diff.ts';
import { regionCells, type Side, sideOf } from '../../lambdas/core/report/diff/sides.ts';
import type { ReportInput } from '../../lambdas/core/report/html/render.ts';

export interface Read {
  readonly document: HeadroomDocument;
  readonly measured: Pick<Measurement, 'facts' | 'occupancy'>;
}

/** Reads one; with `whole`, the records of every subnet are kept where the source has them. `undefined`: it is not there any more. */
export type Reader = (whole: boolean) => Promise<Read | undefined>;

/**
 * Of several readings only the first and the last are held whole; of those between, the maps.
 *
 * @param generatedAt epoch milliseconds.
 * @returns `undefined` where no reader gave anything.
 */
export async function timeLapse(readers: readonly Reader[], generatedAt: number): Promise<ReportInput | undefined> {
  const frames: ReportInput['frames'][number][] = [];
  let first: Side | undefined;
  let last: Read | undefined;
  for (const [at, reader] of readers.entries()) {
    const read = await reader(at === 0 || at === readers.length - 1);
    if (read === undefined) continue;
    const { document, measured } = read;
    frames.push({ document, cells: regionCells(document, measured.facts, measured.occupancy) });
    first ??= sideOf(document, measured.facts, measured.occupancy);
    last = read;
  }
  if (first === undefined || last === undefined) return undefined;
  const { document, measured } = last;
  if (frames.length === 1) return { frames, latest: measured };
  const diff = diffOf(first, sideOf(document, measured.facts, measured.occupancy), generatedAt);
  return { frames, latest: measured, diff };
}
