/** Reads what a report is made of from the snapshots that the deployed service kept. */
import { openArchive, type SnapshotArchive } from '../../lambdas/adapters/snapshots/stored-snapshots.ts';
import { measureStored } from '../../lambdas/app/measure.ts';
import type { AssessSettings } from '../../lambdas/core/assess/settings.ts';
import { documentOf } from '../../lambdas/core/report/document.ts';
import type { ReportInput } from '../../lambdas/core/report/html/render.ts';
import { count, counted } from '../../lambdas/core/report/layout.ts';
import { StoredError, type StoredSnapshot } from '../../lambdas/core/stored/stored-region.ts';
import { ReadError } from '../../lambdas/ports/read-error.ts';
import type { ServiceArgs } from '../service.ts';
import type { Terminal } from '../terminal.ts';
import { type Read, type Reader, timeLapse } from './time-lapse.ts';

/** Readings of one report: the slider of a page stays smooth over so many. */
export const MOST_READINGS = 50;

/** Epoch milliseconds; both ends count. */
export interface Span {
  readonly since: number;
  readonly until: number;
}

/** @throws ReadError there is no service, or it has no snapshot of that time. StoredError another version wrote it. */
export async function readStoredAt(
  service: ServiceArgs,
  at: number,
  settings: AssessSettings,
  generatedAt: number,
): Promise<ReportInput> {
  const { snapshot, key } = await (await openArchive(optionsOf(service))).nearestBefore(at);
  return only(await timeLapse([async () => readingOf(snapshot, key, settings, generatedAt)], generatedAt));
}

/** At most {@link MOST_READINGS} of the span's snapshots, evenly, the latest among them. @throws as {@link readStoredAt} does. */
export async function readStoredSpan(
  service: ServiceArgs,
  { since, until }: Span,
  settings: AssessSettings,
  terminal: Terminal,
  generatedAt: number,
): Promise<ReportInput> {
  const archive = await openArchive(optionsOf(service));
  const all = await archive.keysBetween(since, until);
  const keys = everyNth(all, MOST_READINGS);
  let other: StoredError | undefined;
  let left = 0;
  const readers = keys.map(
    (key, at): Reader =>
      async () => {
        terminal.progress.say(`snapshots: ${count(at + 1)} of ${count(keys.length)}`);
        try {
          const snapshot = await archive.read(key);
          return snapshot === undefined ? undefined : readingOf(snapshot, key, settings, generatedAt);
        } catch (error) {
          if (!(error instanceof StoredError)) throw error;
          other = error;
          left++;
          return undefined;
        }
      },
  );
  const input = await timeLapse(readers, generatedAt);
  if (input === undefined) throw other ?? none(archive, { since, until });
  if (left > 0) terminal.remark(`headroom: ${counted(left, 'snapshot')} of another version left out`);
  if (keys.length < all.length) {
    terminal.remark(`headroom: ${count(keys.length)} of ${counted(all.length, 'snapshot')} read, evenly over the time`);
  }
  return input;
}

/** Every nth, counted from the last one back, so that the latest is always among them. */
export function everyNth<T>(all: readonly T[], most: number): readonly T[] {
  const step = Math.max(1, Math.ceil(all.length / most));
  return all.filter((_, at) => (all.length - 1 - at) % step === 0);
}

function optionsOf({ region, profile }: ServiceArgs) {
  return { ...(region === undefined ? {} : { region }), ...(profile === undefined ? {} : { profile }) };
}

function readingOf(snapshot: StoredSnapshot, key: string, settings: AssessSettings, generatedAt: number): Read {
  const measured = measureStored(snapshot, settings);
  return { measured, document: documentOf({ ...measured, description: { kind: 'snapshot', name: key }, generatedAt }) };
}

function only(input: ReportInput | undefined): ReportInput {
  if (input === undefined) throw new RangeError('nothing was read');
  return input;
}

function none({ region }: SnapshotArchive, { since, until }: Span): ReadError {
  const iso = (at: number) => new Date(at).toISOString();
  return new ReadError('NOT_FOUND', `The service in ${region} has no snapshot from ${iso(since)} to ${iso(until)}.`, {
    remedy: 'Give another span; snapshots are kept for as long as deployment.snapshotRetention says.',
  });
}
