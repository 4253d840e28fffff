import { expect, test } from '@jest/globals';
import { showWidget } from '../../lambdas/app/widget.ts';
import { snapshotFromText, snapshotToText } from '../../lambdas/core/stored/stored-region.ts';
import { OccupancyBuilder } from '../../lambdas/core/subnet/occupancy.ts';
import { eni, region, subnet } from '../support/builders.ts';

const ID = 'subnet-00000000000000001';
const facts = region([subnet('10.0.0.0/26', { availableIps: 0, tags: { Name: 'pods-a' } })], { now: 0 });

/** As observe stores it and as it is read back. */
function stored() {
  const builder = new OccupancyBuilder(facts);
  builder.add(eni({ addresses: ['10.0.0.20'] }));
  const enis = { state: 'read', managedResourcesIncluded: true, failures: [] } as const;
  return snapshotFromText(snapshotToText({ facts, enis, occupancy: builder.finish() }));
}

const world = (read: () => Promise<ReturnType<typeof stored> | undefined>) => ({
  latest: { read },
  settings: {},
  endpoint: 'arn:aws:lambda:eu-west-1:1:function:w',
  now: 60_000,
});

test('an overview of what observe stored', async () => {
  const html = await showWidget(
    { widgetContext: { theme: 'dark' } },
    world(async () => stored()),
  );
  expect(html).toContain('pods-a');
  expect(html).toContain('Snapshot 1 minute old.');
});

test('one subnet, where a button asks for it', async () => {
  expect(
    await showWidget(
      { subnetId: ID },
      world(async () => stored()),
    ),
  ).toContain('Held by');
});

test('before the first snapshot it says so', async () => {
  expect(
    await showWidget(
      {},
      world(async () => undefined),
    ),
  ).toContain('No snapshot yet');
});

test('a snapshot that cannot be read is an error, never an empty picture', async () => {
  const broken = world(async () => {
    throw new Error('denied');
  });
  await expect(showWidget({}, broken)).rejects.toThrow('denied');
});

test('asked what it is, it answers without reading', async () => {
  const untouched = world(async () => {
    throw new Error('must not be read');
  });
  expect(await showWidget({ describe: true }, untouched)).toMatch(/^## Headroom/);
});
