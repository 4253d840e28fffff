/**
 * Every case as a live region: what is read of it over HTTP is what its files say, and what `observe --out` keeps of it says the same again.
 *
 * Files from inside a cluster are left out on the side of the folder, since AWS's calls do not tell them.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { commitReading } from '../lambdas/adapters/files/commit-reading.ts';
import { openFolder } from '../lambdas/adapters/files/folder-source.ts';
import { openSnapshotWriter } from '../lambdas/adapters/files/snapshot-writer.ts';
import { type Measurement, measure } from '../lambdas/app/measure.ts';
import { INPUT_NAMES, type InputName, type RegionFacts } from '../lambdas/core/subnet/snapshot.ts';
import type { RegionSource } from '../lambdas/ports/region-source.ts';
import { loadWorld } from '../simulator/index.ts';
import { NOON, serve } from './simulator/clients.ts';
import { liveRegion } from './support/live.ts';
import { withFolder } from './support/temp-folder.ts';

const CASES = join(import.meta.dirname, 'cases');
const FOLDERS = readdirSync(CASES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .concat('c12-untag-causes-drift/after');

/** A source that says something else of its facts. */
function changed(source: RegionSource, change: (facts: RegionFacts) => RegionFacts): RegionSource {
  return {
    description: source.description,
    facts: async () => change(await source.facts()),
    networkInterfaces: (facts, sink) => source.networkInterfaces(facts, sink),
  };
}

const IN_CLUSTER: ReadonlySet<InputName> = new Set([
  'nodes',
  'pods',
  'nodeclasses',
  'nodepools',
  'eniconfigs',
  'daemonset',
]);

/** The inputs that a folder has, less those from inside a cluster. */
function inputsOf(folder: string): ReadonlySet<InputName> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return new Set(INPUT_NAMES.filter((input) => !IN_CLUSTER.has(input) && files.some((file) => file.startsWith(input))));
}

/** The clock is the caller's, not the region's: without a `now.json` ages are unknown to both. */
function sameTime(source: RegionSource, now: number | undefined): RegionSource {
  return changed(source, ({ now: _, ...facts }) => (now === undefined ? facts : { ...facts, now }));
}

/** All that is said of the region. */
function said({ report, missing }: Measurement) {
  return { ...report, missing };
}

/** What AWS's calls would tell of the folder, asked as we ask. */
function asAwsTells(folder: string): RegionSource {
  const source = changed(openFolder(folder), (facts) => ({ ...facts, kubernetes: [] }));
  return {
    ...source,
    networkInterfaces: async (facts, sink) => {
      const read = await source.networkInterfaces(facts, sink);
      return read.state === 'read' ? { ...read, managedResourcesIncluded: true } : read;
    },
  };
}

describe.each(FOLDERS)('%s', (name) => {
  const folder = join(CASES, name);

  test('read over HTTP, five items a page, the region says what the files say', async () => {
    const simulator = await serve(await loadWorld(folder), { pageSize: 5 });
    const { now } = await openFolder(folder).facts();
    const live = liveRegion(simulator, { inputs: inputsOf(folder) });
    expect(said(await measure(sameTime(live, now)))).toEqual(said(await measure(asAwsTells(folder))));
  });

  test('observe --out, then assess --from, says the same again', async () => {
    const simulator = await serve(await loadWorld(folder), { pageSize: 5 });
    const { now = NOON } = await openFolder(folder).facts();
    await withFolder({}, async (empty) => {
      const out = join(empty, 'snapshot');
      const writer = await openSnapshotWriter(out);
      const live = await measure(liveRegion(simulator, { now, raw: writer }));
      await commitReading(writer, live.facts, live.enis);
      const again = await measure(openFolder(out));
      expect(said(again)).toEqual(said(live));
      expect(again.facts).toEqual(live.facts);
    });
  });
});

/** A folder without interfaces does not say that there are none; a region does, and so has another ledger. */
const WITH_INTERFACES = FOLDERS.filter((name) => inputsOf(join(CASES, name)).has('network-interfaces'));

test.each(WITH_INTERFACES)('%s: with everything read that AWS can tell, the ledgers are the same', async (name) => {
  const folder = join(CASES, name);
  const { report, missing } = await measure(liveRegion(await serve(await loadWorld(folder))));
  const fromFiles = await measure(asAwsTells(folder));
  expect(missing).toEqual([]);
  expect(report.subnets.map(({ ledger }) => ledger)).toEqual(fromFiles.report.subnets.map(({ ledger }) => ledger));
});
