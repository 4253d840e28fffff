/** What the benchmarks leave behind, in test/bench/results.json. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BundleResult } from './bundles/bench.ts';
import type { Compared } from './measure.ts';
import type { OfflineResult } from './offline/bench.ts';
import type { ReadingResults } from './reading/bench.ts';
import type { benchScale } from './scale/bench.ts';

export interface Run<T> {
  readonly when: string;
  readonly node: string;
  readonly cores: number;
  readonly rounds: number;
  readonly results: T;
}

export interface Results {
  readonly kernel: Run<Readonly<Record<string, readonly Compared[]>>>;
  readonly reading: Run<ReadingResults>;
  readonly offline: Run<readonly OfflineResult[]>;
  readonly bundles: Run<readonly BundleResult[]>;
  readonly scale: Run<Awaited<ReturnType<typeof benchScale>>>;
}

export const RESULTS_FILE = join(import.meta.dirname, 'results.json');

export function readResults(): Results {
  return JSON.parse(readFileSync(RESULTS_FILE, 'utf8')) as Results;
}
