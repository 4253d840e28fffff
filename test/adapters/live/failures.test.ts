import { describe, expect, test } from '@jest/globals';
import { READ_CALLS, type ReadCallName } from '../../../lambdas/contract/read-calls.ts';
import type { EniReading, ReadFailure, RegionFacts } from '../../../lambdas/core/subnet/snapshot.ts';
import { serve } from '../../simulator/clients.ts';
import { liveRegion } from '../../support/live.ts';
import { addCluster, distinct, enisOf, fourVpcs, readAll } from './ground.ts';

const DENIAL =
  'You are not authorized to perform this operation. User: arn:aws:sts::111111111111:assumed-role/reader/me is not authorized. ' +
  'Encoded authorization failure message: xJ2f-Hc_9b0QmA';

/** Which input is unknown when a call is denied, and which others hang on it. */
const UNKNOWN_WITHOUT: { readonly [call in ReadCallName]?: readonly (keyof RegionFacts)[] } = {
  'ec2:GetSubnetCidrReservations': ['reservations'],
  'ec2:DescribeVpcs': ['vpcs'],
  'ec2:DescribeRouteTables': ['routeTables'],
  'ec2:DescribeNetworkAcls': ['networkAcls'],
  'ec2:DescribeAvailabilityZones': ['zones'],
  'ec2:DescribeInstances': ['instances'],
  'ec2:DescribeInstanceTypes': ['instanceTypes'],
  'eks:ListClusters': ['clusters', 'nodegroups', 'addons'],
  'eks:DescribeCluster': ['clusters', 'nodegroups', 'addons'],
  'eks:ListNodegroups': ['nodegroups'],
  'eks:DescribeNodegroup': ['nodegroups'],
  'eks:DescribeAddon': ['addons'],
};

const READINGS: readonly (keyof RegionFacts)[] = [
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
];

function clustered() {
  const ground = fourVpcs();
  addCluster(ground.world, 'blue', ground.vpcs[0] as string, ground.subnets.slice(0, 2));
  return ground;
}

function failuresOf(enis: EniReading): readonly ReadFailure[] {
  if (enis.state !== 'read') throw new Error('interfaces were not asked for');
  return enis.failures;
}

describe('a denied call', () => {
  const optional = Object.keys(UNKNOWN_WITHOUT) as ReadCallName[];
  test.each(optional)('%s: names the permission, and leaves everything else read', async (call) => {
    const { world, subnets } = clustered();
    const simulator = await serve(world);
    const [service, action] = call.split(':') as [string, string];
    const code = service === 'ec2' ? 'UnauthorizedOperation' : 'AccessDeniedException';
    simulator.fail({ action, code, httpStatus: 403, message: DENIAL, times: Number.POSITIVE_INFINITY });

    const { facts, enis, records } = await readAll(liveRegion(simulator));

    const unknown = READINGS.filter((name) => (facts[name] as { readonly state: string }).state === 'unknown');
    expect([...unknown].sort()).toEqual([...(UNKNOWN_WITHOUT[call] ?? [])].sort());
    expect(facts.failures).toHaveLength(1);
    expect(facts.failures[0]).toMatchObject({ call, code, permission: READ_CALLS[call].permission });
    expect(facts.failures[0]?.message).toMatch(/not authorized/);
    expect(JSON.stringify(facts.failures)).not.toMatch(/xJ2f|Encoded/);
    expect(distinct(records)).toEqual(enisOf(world, subnets));
    expect(failuresOf(enis)).toEqual([]);
  });

  test('ec2:DescribeNetworkInterfaces: every subnet is without a map, and keeps its facts', async () => {
    const { world, subnets } = fourVpcs();
    const simulator = await serve(world);
    const action = 'DescribeNetworkInterfaces';
    simulator.fail({
      action,
      code: 'UnauthorizedOperation',
      httpStatus: 403,
      message: DENIAL,
      times: Number.POSITIVE_INFINITY,
    });
    const { facts, enis, records } = await readAll(liveRegion(simulator));
    expect(facts.failures).toEqual([]);
    expect(records).toEqual([]);
    expect(failuresOf(enis)).toEqual([
      {
        input: 'network-interfaces',
        call: 'ec2:DescribeNetworkInterfaces',
        code: 'UnauthorizedOperation',
        permission: 'ec2:DescribeNetworkInterfaces',
        subnetIds: [...subnets].sort(),
        message: expect.stringMatching(/^You are not authorized/),
      },
    ]);
  });

  test('sts:GetCallerIdentity: the account is unknown, and no permission is named since none is needed', async () => {
    const simulator = await serve(fourVpcs().world);
    simulator.fail({
      action: 'GetCallerIdentity',
      code: 'AccessDenied',
      httpStatus: 403,
      times: Number.POSITIVE_INFINITY,
    });
    const { facts } = await readAll(liveRegion(simulator));
    expect(facts.account).toBeUndefined();
    expect(facts.failures).toMatchObject([{ input: 'caller', call: 'sts:GetCallerIdentity', code: 'AccessDenied' }]);
    expect(facts.failures[0]).not.toHaveProperty('permission');
  });

  test('one cluster of two: only that one is unknown', async () => {
    const { world, vpcs, subnets } = clustered();
    addCluster(world, 'green', vpcs[1] as string, subnets.slice(2, 4));
    const simulator = await serve(world);
    simulator.fail({
      action: 'DescribeCluster',
      code: 'AccessDeniedException',
      httpStatus: 403,
      times: Number.POSITIVE_INFINITY,
      match: (params) => params.name === 'green',
    });
    const { facts } = await readAll(liveRegion(simulator));
    expect(facts.clusters).toMatchObject({
      state: 'unknown',
      value: [{ name: 'blue' }],
      failures: [{ cluster: 'green' }],
    });
    expect(facts.nodegroups).toMatchObject({ state: 'unknown', value: [{ cluster: 'blue', name: 'nodes' }] });
  });
});

describe('a part that fails', () => {
  test('half of the VPCs: their subnets are named, the others have their interfaces', async () => {
    const { world, vpcs, subnets } = fourVpcs();
    const simulator = await serve(world, { pageSize: 5 });
    const broken = new Set(vpcs.slice(2));
    simulator.fail({
      action: 'DescribeNetworkInterfaces',
      code: 'InternalError',
      httpStatus: 500,
      times: Number.POSITIVE_INFINITY,
      match: (params) => broken.has(params['Filter.1.Value.1'] ?? ''),
    });
    const { enis, records } = await readAll(liveRegion(simulator, { attempts: 1 }));
    expect(failuresOf(enis)).toMatchObject([{ code: 'InternalError', subnetIds: subnets.slice(4).sort() }]);
    expect(failuresOf(enis)[0]).not.toHaveProperty('permission');
    expect(distinct(records)).toEqual(enisOf(world, subnets.slice(0, 4)));
  });

  test('the third page of a VPC: both of its subnets are unknown, whatever had come', async () => {
    const { world, vpcs, subnets } = fourVpcs();
    const simulator = await serve(world, { pageSize: 5 });
    const match = (params: { readonly [key: string]: string }) => params['Filter.1.Value.1'] === vpcs[0];
    simulator.fail({ action: 'DescribeNetworkInterfaces', code: 'InternalError', httpStatus: 500, at: 3, match });
    const { enis } = await readAll(liveRegion(simulator, { attempts: 1 }));
    expect(failuresOf(enis)).toMatchObject([{ code: 'InternalError', subnetIds: subnets.slice(0, 2).sort() }]);
  });

  test('reservations of one subnet: that one is named', async () => {
    const { world, subnets } = fourVpcs();
    const simulator = await serve(world);
    const match = (params: { readonly [key: string]: string }) => params.SubnetId === subnets[3];
    simulator.fail({ action: 'GetSubnetCidrReservations', code: 'InternalError', httpStatus: 500, times: 9, match });
    const { facts } = await readAll(liveRegion(simulator, { attempts: 1 }));
    expect(facts.reservations).toMatchObject({ state: 'unknown', failures: [{ subnetIds: [subnets[3]] }] });
  });

  test('the counts after the interfaces: said, and the first counts stand', async () => {
    const simulator = await serve(fourVpcs().world);
    simulator.fail({ action: 'DescribeSubnets', code: 'InternalError', httpStatus: 500, at: 2 });
    const { enis } = await readAll(liveRegion(simulator, { attempts: 1 }));
    expect(enis).toMatchObject({
      availableIpsAfter: new Map(),
      failures: [{ input: 'subnets', code: 'InternalError' }],
    });
  });
});

describe('a call that works in the end', () => {
  test('throttled twice, then fine: nothing is missing', async () => {
    const { world, subnets } = fourVpcs();
    const simulator = await serve(world);
    const action = 'DescribeNetworkInterfaces';
    simulator.fail({ action, code: 'RequestLimitExceeded', httpStatus: 503, times: 2 });
    const { enis, records } = await readAll(liveRegion(simulator));
    expect(failuresOf(enis)).toEqual([]);
    expect(distinct(records)).toEqual(enisOf(world, subnets));
    expect(simulator.calls.filter((call) => call.errorCode === 'RequestLimitExceeded')).toHaveLength(2);
  });

  test('an endpoint that does not know IncludeManagedResources is asked without it, and the reading says so', async () => {
    const { world, vpcs, subnets } = fourVpcs();
    const simulator = await serve(world, { pageSize: 5 });
    for (const action of ['DescribeNetworkInterfaces', 'DescribeInstances']) {
      simulator.fail({
        action,
        code: 'UnknownParameter',
        message: 'The parameter IncludeManagedResources is not recognized',
        times: Number.POSITIVE_INFINITY,
        match: (params) => params.IncludeManagedResources === 'true',
      });
    }
    const { facts, enis, records } = await readAll(liveRegion(simulator));
    expect(facts.instances.state).toBe('read');
    expect(enis).toMatchObject({ managedResourcesIncluded: false, failures: [] });
    expect(distinct(records)).toEqual(enisOf(world, subnets));
    // Each series of pages learns it once, with its first page.
    const refused = simulator.calls.filter(
      (call) => call.action === 'DescribeNetworkInterfaces' && call.errorCode === 'UnknownParameter',
    );
    expect(refused.map(({ params }) => params['Filter.1.Value.1']).sort()).toEqual([...vpcs].sort());
  });

  test('interfaces that a service manages and the account hides are read', async () => {
    const { world, subnets } = fourVpcs();
    world.setRules({ managedVisibility: 'hidden' });
    const subnetId = subnets[0] as string;
    const Operator = { Managed: true, Principal: 'eks.amazonaws.com', HiddenByDefault: true };
    const hidden = world.addEni({ subnetId, prefixCount: 1, fields: { Operator } });
    const { records } = await readAll(liveRegion(await serve(world)));
    expect(records.find(({ eniId }) => eniId === hidden.NetworkInterfaceId)).toMatchObject({
      operatorManaged: true,
      prefixes: [expect.any(Number)],
    });
  });

  test('a cluster without the add-on runs a CNI of its own: no failure', async () => {
    const { world } = clustered();
    world.services.addons.clear();
    const { facts } = await readAll(liveRegion(await serve(world)));
    expect(facts.addons).toEqual({ state: 'read', value: [] });
    expect(facts.failures).toEqual([]);
  });

  test.each(['DescribeCluster', 'ListNodegroups', 'DescribeNodegroup'])(
    'what %s no longer finds is gone: no failure',
    async (action) => {
      const simulator = await serve(clustered().world);
      simulator.fail({ action, code: 'ResourceNotFoundException', httpStatus: 404 });
      const { facts } = await readAll(liveRegion(simulator));
      expect(facts.nodegroups).toEqual({ state: 'read', value: [] });
      expect(facts.failures).toEqual([]);
    },
  );
});
