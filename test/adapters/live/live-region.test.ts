import { describe, expect, test } from '@jest/globals';
import { OccupancyBuilder } from '../../../lambdas/core/subnet/occupancy.ts';
import { type SimulatorOptions, World } from '../../../simulator/index.ts';
import { idOf, serve } from '../../simulator/clients.ts';
import { liveRegion } from '../../support/live.ts';
import { distinct, enisOf, fourVpcs, readAll } from './ground.ts';

describe('pages', () => {
  test.each<[string, SimulatorOptions]>([
    ['of five', { pageSize: 5 }],
    ['of five, with empty ones in between', { pageSize: 5, emptyPageEvery: 2 }],
    ['that repeat an interface', { pageSize: 5, repeatAcrossPages: true }],
  ])('%s: every interface and every subnet comes by', async (_, options) => {
    const { world, subnets } = fourVpcs();
    const { facts, enis, records } = await readAll(liveRegion(await serve(world, options)));
    expect(facts.subnets.map(({ subnetId }) => subnetId)).toEqual([...subnets].sort());
    expect(distinct(records)).toEqual(enisOf(world, subnets));
    expect(enis).toMatchObject({ state: 'read', managedResourcesIncluded: true, failures: [] });
    expect(facts.failures).toEqual([]);
  });

  test('a repeated interface is counted once', async () => {
    const { world } = fourVpcs();
    const source = liveRegion(await serve(world, { pageSize: 5, repeatAcrossPages: true }));
    const facts = await source.facts();
    const builder = new OccupancyBuilder(facts);
    await source.networkInterfaces(facts, builder);
    const { subnets } = builder.finish();
    expect([...subnets.values()].map(({ enis }) => enis)).toEqual(Array.from({ length: 8 }, () => 8));
  });

  test('1,000 interfaces are asked for at once, with what services manage', async () => {
    const simulator = await serve(fourVpcs().world);
    await readAll(liveRegion(simulator));
    const calls = simulator.calls.filter(({ action }) => action === 'DescribeNetworkInterfaces');
    expect(calls).toHaveLength(4);
    for (const { params } of calls)
      expect(params).toMatchObject({ MaxResults: '1000', IncludeManagedResources: 'true' });
  });
});

describe('scope', () => {
  test('VPCs: only their subnets and interfaces are asked for', async () => {
    const { world, vpcs, subnets } = fourVpcs();
    const simulator = await serve(world);
    const { facts, records } = await readAll(liveRegion(simulator, { scope: { vpcIds: vpcs.slice(0, 2) } }));
    expect(facts.subnets.map(({ subnetId }) => subnetId)).toEqual(subnets.slice(0, 4).sort());
    expect(distinct(records)).toEqual(enisOf(world, subnets.slice(0, 4)));
    const reservations = simulator.calls.filter(({ action }) => action === 'GetSubnetCidrReservations');
    expect(reservations.map(({ params }) => params.SubnetId).sort()).toEqual(subnets.slice(0, 4).sort());
  });

  test('subnets: one series of pages for all of them, with their ids in the filter', async () => {
    const { world, subnets } = fourVpcs();
    const wanted = [subnets[0] as string, subnets[5] as string];
    const simulator = await serve(world);
    const { facts, records } = await readAll(liveRegion(simulator, { scope: { subnetIds: wanted } }));
    expect(facts.subnets.map(({ subnetId }) => subnetId)).toEqual([...wanted].sort());
    expect(distinct(records)).toEqual(enisOf(world, wanted));
    const calls = simulator.calls.filter(({ action }) => action === 'DescribeNetworkInterfaces');
    expect(calls.map(({ params }) => params['Filter.1.Name'])).toEqual(['subnet-id']);
  });

  test('both: the subnets that are named and lie in the VPC', async () => {
    const { world, vpcs, subnets } = fourVpcs();
    const scope = { vpcIds: [vpcs[0] as string], subnetIds: [subnets[0] as string, subnets[7] as string] };
    const { facts } = await readAll(liveRegion(await serve(world), { scope }));
    expect(facts.subnets.map(({ subnetId }) => subnetId)).toEqual([subnets[0]]);
    expect(facts.failures).toMatchObject([{ code: 'NOT_FOUND', subnetIds: [subnets[7]] }]);
  });

  test('200 subnets are one filter, 201 are two', async () => {
    const world = new World({ seed: 5, rules: { maxSubnetsPerVpc: 300 } });
    const vpcId = idOf(world.addVpc({ cidr: '10.0.0.0/16' }).VpcId);
    const subnetIds = Array.from({ length: 201 }, (_, n) =>
      idOf(world.addSubnet({ vpcId, cidr: `10.0.${n}.0/24`, zone: 'us-east-1a' }).SubnetId),
    );
    const simulator = await serve(world);
    const inputs = new Set(['network-interfaces'] as const);
    await readAll(liveRegion(simulator, { scope: { subnetIds }, inputs }));
    const calls = simulator.calls.filter(({ action }) => action === 'DescribeNetworkInterfaces');
    expect(
      calls.map(({ params }) => Object.keys(params).filter((key) => key.startsWith('Filter.1.Value')).length),
    ).toEqual([200, 1]);
  });
});
