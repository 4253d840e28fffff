/** What `observe --out` could not read, or read of a part, is known to whoever reads the folder. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { commitReading } from '../../../lambdas/adapters/files/commit-reading.ts';
import { openFolder } from '../../../lambdas/adapters/files/folder-source.ts';
import { openSnapshotWriter } from '../../../lambdas/adapters/files/snapshot-writer.ts';
import type { RegionOptions } from '../../../lambdas/adapters/live/options.ts';
import { Redaction } from '../../../lambdas/adapters/redaction/redaction.ts';
import { type Measurement, measure } from '../../../lambdas/app/measure.ts';
import type { RegionFacts } from '../../../lambdas/core/subnet/snapshot.ts';
import type { RegionSource } from '../../../lambdas/ports/region-source.ts';
import type { Simulator } from '../../../simulator/index.ts';
import { serve } from '../../simulator/clients.ts';
import { liveRegion } from '../../support/live.ts';
import { withFolder } from '../../support/temp-folder.ts';
import { addCluster, fourVpcs } from '../live/ground.ts';
import { DOCUMENTS, eni, subnet } from './documents.ts';

/** Reads the region into a folder, and the folder again. */
async function observed(
  simulator: Simulator,
  options: Partial<RegionOptions> = {},
  {
    redaction,
    wrap = (source) => source,
  }: { redaction?: Redaction; wrap?: (source: RegionSource) => RegionSource } = {},
): Promise<{ live: Measurement; again: Measurement; text: string }> {
  return withFolder({}, async (parent) => {
    const out = join(parent, 'out');
    const writer = await openSnapshotWriter(out, redaction === undefined ? {} : { redaction });
    const live = await measure(wrap(liveRegion(simulator, { raw: writer, ...options })));
    await commitReading(writer, live.facts, live.enis);
    const text = readFileSync(join(out, 'reading.json'), 'utf8');
    return { live, again: await measure(openFolder(out)), text };
  });
}

function said({ report, missing }: Measurement) {
  return { ...report, missing };
}

function denied(simulator: Simulator, action: string) {
  simulator.fail({ action, code: 'UnauthorizedOperation', httpStatus: 403, times: Number.POSITIVE_INFINITY });
}

describe('a reading in part', () => {
  test.each([
    'GetSubnetCidrReservations',
    'DescribeInstances',
    'ListClusters',
    'DescribeNetworkInterfaces',
    'GetCallerIdentity',
  ])('%s denied: the folder says the same, and what is missing', async (action) => {
    const { world, vpcs, subnets } = fourVpcs();
    addCluster(world, 'blue', vpcs[0] as string, subnets.slice(0, 2));
    const simulator = await serve(world);
    denied(simulator, action);
    const { live, again } = await observed(simulator);
    expect(live.missing).toHaveLength(1);
    expect(said(again)).toEqual(said(live));
    expect(again.facts).toEqual(live.facts);
  });

  test('one VPC of four: the others keep their interfaces', async () => {
    const { world, vpcs } = fourVpcs();
    const simulator = await serve(world);
    simulator.fail({
      action: 'DescribeNetworkInterfaces',
      code: 'InternalError',
      httpStatus: 400,
      times: Number.POSITIVE_INFINITY,
      match: (params) => Object.values(params).includes(vpcs[1] as string),
    });
    const { live, again } = await observed(simulator);
    expect(again.report.subnets.map(({ ledger }) => ledger.applicable && ledger.confidence).sort()).toEqual([
      'counts-only',
      'counts-only',
      ...Array.from({ length: 6 }, () => 'exact'),
    ]);
    expect(said(again)).toEqual(said(live));
  });

  test('of single subnets: the folder is no more the whole region than the reading was', async () => {
    const { world, subnets } = fourVpcs();
    const scope = { subnetIds: [subnets[0] as string] };
    const { again } = await observed(await serve(world), { scope });
    expect(again.facts.scope).toEqual({ vpcIds: [], subnetIds: scope.subnetIds });
  });

  test('counts that moved meanwhile: the ledgers come again as they were', async () => {
    const { world, subnets } = fourVpcs();
    const moving = (source: RegionSource): RegionSource => ({
      description: source.description,
      facts: () => source.facts(),
      networkInterfaces: (facts: RegionFacts, sink) => {
        world.addEni({ subnetId: subnets[0] as string, count: 3 });
        return source.networkInterfaces(facts, sink);
      },
    });
    const { live, again } = await observed(await serve(world), {}, { wrap: moving });
    const ledgers = ({ report }: Measurement) => report.subnets.map(({ ledger }) => ledger);
    // Without the later counts the first subnet would be skewed: its interfaces hold more than the earlier count knew.
    expect(ledgers(live)).toEqual(expect.arrayContaining([expect.objectContaining({ confidence: 'exact' })]));
    expect(ledgers(again)).toEqual(ledgers(live));
  });

  test('redacted: what is missing is said, of whom it is not', async () => {
    const { world, subnets, vpcs } = fourVpcs();
    const simulator = await serve(world);
    const message = `User: arn:aws:iam::111111111111:user/alice may not see ${subnets[0]}`;
    simulator.fail({
      action: 'GetSubnetCidrReservations',
      code: 'UnauthorizedOperation',
      httpStatus: 403,
      message,
      times: 1_000,
    });
    const { live, again, text } = await observed(
      simulator,
      { scope: { vpcIds: vpcs } },
      { redaction: new Redaction() },
    );
    const known = ({ missing }: Measurement) =>
      missing.map(({ message: _, subnetIds, ...rest }) => [rest, subnetIds?.length]);
    expect(known(again)).toEqual(known(live));
    expect(again.facts.subnets.map(({ subnetId }) => subnetId)).toEqual(
      expect.arrayContaining([...(again.missing[0]?.subnetIds ?? [])]),
    );
    expect(again.facts.scope?.vpcIds).toHaveLength(vpcs.length);
    for (const theirs of ['alice', '111111111111', ...subnets, ...vpcs]) expect(text).not.toContain(theirs);
  });
});

describe('reading.json', () => {
  const files = { 'subnets.json': DOCUMENTS.subnets, 'network-interfaces.json': { NetworkInterfaces: [eni(1)] } };
  const read = (reading: unknown) =>
    withFolder({ ...files, 'reading.json': reading }, (folder) => measure(openFolder(folder)));

  test('without it nobody knows how the interfaces were asked for', async () => {
    await withFolder(files, async (folder) => {
      const { enis, missing } = await measure(openFolder(folder));
      expect([enis, missing]).toEqual([{ state: 'read', failures: [] }, []]);
    });
  });

  test('an empty scope is none', async () => {
    expect((await read({ scope: { vpcIds: [], subnetIds: [] }, failures: [] })).facts.scope).toBeUndefined();
  });

  test.each<readonly [unknown, string]>([
    [{ Subnets: [subnet(1)] }, 'reading.json: looks like describe-subnets output; expected what observe --out writes'],
    [{ failures: [{ input: 'cats', call: 'c', code: 'd' }] }, 'reading.json: failures[0].input: "cats" is no input'],
    [{ failures: [{ call: 'c', code: 'd' }] }, 'reading.json: failures[0].input: is missing; expected text'],
    [{ failures: [{ input: 'vpcs', code: 'd' }] }, 'reading.json: failures[0].call: is missing'],
    [
      { failures: [], networkInterfaces: { availableIpsAfter: { 'subnet-1': -1 } } },
      'networkInterfaces.availableIpsAfter.subnet-1: the number -1',
    ],
  ])('%j is refused', async (reading, message) => {
    await expect(read(reading)).rejects.toThrow(message);
  });
});
