/** Reads what a report is made of: one live region, or folders, the oldest first. */
import type { AssessSettings } from '../../lambdas/core/assess/settings.ts';
import { documentOf } from '../../lambdas/core/report/document.ts';
import type { ReportInput } from '../../lambdas/core/report/html/render.ts';
import type { Scope, SourceArgs } from '../source.ts';
import { openSource } from '../source.ts';
import type { Terminal } from '../terminal.ts';
import { type Reader, timeLapse } from './time-lapse.ts';

export interface FramesArgs extends Omit<SourceArgs, 'from'> {
  /** Empty: a live region. */
  readonly folders: readonly string[];
}

/** @param generatedAt epoch milliseconds. */
export async function readFrames(
  { folders, ...live }: FramesArgs,
  scope: Scope,
  settings: AssessSettings,
  terminal: Terminal,
  generatedAt: number,
): Promise<ReportInput> {
  const { measure } = await import('../../lambdas/app/measure.ts');
  const reader =
    (args: SourceArgs): Reader =>
    async (whole) => {
      const source = await openSource(args, scope, terminal.progress);
      const measured = await measure(source, settings, whole ? { keep: 'all' } : {});
      return { measured, document: documentOf({ ...measured, description: source.description, generatedAt }) };
    };
  const ordered = folders.length < 2 ? folders : await inTime(folders, live.now, scope, terminal);
  const readers = ordered.map((from) => reader({ from, now: live.now }));
  const input = await timeLapse(readers.length === 0 ? [reader(live)] : readers, generatedAt);
  if (input === undefined) throw new RangeError('nothing was read');
  return input;
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
