import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openFolder } from '../../lambdas/adapters/files/folder-source.ts';
import type { EniRecord, RegionFacts } from '../../lambdas/core/subnet/snapshot.ts';
import type { RegionSource } from '../../lambdas/ports/region-source.ts';
import { loadWorld } from '../../simulator/index.ts';
import { liveRegion } from '../support/live.ts';
import { serve } from './clients.ts';

const CASES = join(import.meta.dirname, '../cases');
const FOLDERS = readdirSync(CASES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

/** What a live account cannot say as a folder can, and why. */
const DIFFERS: Readonly<Record<string, readonly string[]>> = {
  // The folder has a node group of a cluster that it does not describe; EKS cannot have that.
  'c09-launchable-but-unusable': ['clusters'],
  // Instances are known from kubectl alone, so nothing in EC2 names the type whose limits the folder has.
  'c21-tiny-27-one-node-fills-it': ['instanceTypes'],
  'c28-prefixes-and-secondaries-on-one-eni': ['instanceTypes'],
};

const PARTS = [
  'reservations',
  'vpcs',
  'routeTables',
  'networkAcls',
  'zones',
  'instances',
  'instanceTypes',
  'clusters',
  'nodegroups',
  'addons',
] as const;

/** The facts that EC2 and EKS have. A live account never says that a file was not there: what is absent counts as empty. */
async function factsOf(source: RegionSource): Promise<Readonly<Record<string, unknown>>> {
  const facts = await source.facts();
  const enis = new Map<string, EniRecord>();
  await source.networkInterfaces(facts, {
    add: (eni) => enis.set(eni.eniId, { ...eni, addresses: [...eni.addresses], prefixes: [...eni.prefixes] }),
  });
  return {
    subnets: facts.subnets,
    enis: [...enis.values()].sort((one, other) => one.eniId.localeCompare(other.eniId)),
    ...Object.fromEntries(PARTS.map((name) => [name, readOf(facts[name])])),
  };
}

function readOf(reading: RegionFacts[(typeof PARTS)[number]]): readonly unknown[] {
  if (reading.state === 'unknown') throw new Error(JSON.stringify(reading.failures));
  return reading.state === 'absent' ? [] : reading.value;
}

test.each(FOLDERS)('%s says the same over HTTP as from its files', async (folder) => {
  const path = join(CASES, folder);
  const simulator = await serve(await loadWorld(path), { pageSize: 5 });
  const live = await factsOf(liveRegion(simulator));
  const files = await factsOf(openFolder(path));
  const differing = DIFFERS[folder] ?? [];
  for (const part of differing) expect(live[part]).not.toEqual(files[part]);
  const rest = (facts: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(facts).filter(([part]) => !differing.includes(part)));
  expect(rest(live)).toEqual(rest(files));
});
