/** Reads what a report is made of: one live region, or folders, the oldest first. */
import type { Measurement } from '../../lambdas/app/measure.ts';
import type { HeadroomDocument } from '../../lambdas/contract/document.ts';
import type { AssessSettings } from '../../lambdas/core/assess/settings.ts';
import { diffOf } from '../../lambdas/core/report/diff/diff.ts';
import { regionCells, type Side, sideOf } from '../../lambdas/core/report/diff/sides.ts';
import { documentOf } from '../../lambdas/core/report/document.ts';
import type { ReportFrame } from '../../lambdas/core/report/html/page-data-of.ts';
import type { ReportInput } from '../../lambdas/core/report/html/render.ts';
import type { Scope, SourceArgs } from '../source.ts';
import { openSource } from '../source.ts';
import type { Terminal } from '../terminal.ts';

export interface FramesArgs extends Omit<SourceArgs, 'from'> {
  /** Empty: a live region. */
  readonly folders: readonly string[];
}

interface Read {
  readonly document: HeadroomDocument;
  readonly measured: Measurement;
}

/**
 * Of several folders only the first and the last are held whole; of those between, the maps.
 *
 * @param generatedAt epoch milliseconds.
 */
export async function readFrames(
  { folders, ...live }: FramesArgs,
  scope: Scope,
  settings: AssessSettings,
  terminal: Terminal,
  generatedAt: number,
): Promise<ReportInput> {
  const { measure } = await import('../../lambdas/app/measure.ts');
  const read = async (from: string | undefined, whole: boolean): Promise<Read> => {
    const args = from === undefined ? live : { from, now: live.now };
    const source = await openSource(args, scope, terminal.progress);
    const measured = await measure(source, settings, whole ? { keep: 'all' } : {});
    return { measured, document: documentOf({ ...measured, description: source.description, generatedAt }) };
  };
  if (folders.length < 2) {
    const { measured, document } = await read(folders[0], true);
    return { frames: [frameOf({ measured, document })], latest: measured };
  }
  const ordered = await inTime(folders, live.now, scope, terminal);
  const frames: ReportFrame[] = [];
  let first: Side | undefined;
  for (const [at, folder] of ordered.entries()) {
    const last = at === ordered.length - 1;
    const { measured, document } = await read(folder, at === 0 || last);
    frames.push(frameOf({ measured, document }));
    if (at === 0) first = sideOf(document, measured.facts, measured.occupancy);
    if (!last || first === undefined) continue;
    const diff = diffOf(first, sideOf(document, measured.facts, measured.occupancy), generatedAt);
    return { frames, latest: measured, diff };
  }
  throw new RangeError('several folders were given and none was read');
}

function frameOf({ document, measured }: Read): ReportFrame {
  return { document, cells: regionCells(document, measured.facts, measured.occupancy) };
}

/** By the time that each folder tells; where one of them tells none, as they were given. */
async function inTime(
  folders: readonly string[],
  now: number | undefined,
  scope: Scope,
  { progress }: Terminal,
): Promise<readonly string[]> {
  if (now !== undefined) return folders;
  const timed: { readonly folder: string; readonly at: number }[] = [];
  for (const folder of folders) {
    const source = await openSource({ from: folder }, scope, progress);
    const { now: at } = await source.facts();
    if (at === undefined) return folders;
    timed.push({ folder, at });
  }
  return timed.sort((a, b) => a.at - b.at).map(({ folder }) => folder);
}
