import * as ec2 from '@aws-sdk/client-ec2';
import { ListClustersCommand } from '@aws-sdk/client-eks';
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import { describe, expect, test } from '@jest/globals';
import { ec2Client, eksClient, errorOf, idOf, NOON, oneSubnet, serve, stsClient } from './clients.ts';

async function start(options = {}) {
  const ground = oneSubnet();
  let now = NOON;
  const simulator = await serve(ground.world, { now: () => now, ...options });
  const client = ec2Client(simulator);
  return {
    ...ground,
    simulator,
    client,
    wait: (ms: number) => {
      now += ms;
    },
    subnets: () => client.send(new ec2.DescribeSubnetsCommand({})),
    enis: async () => (await client.send(new ec2.DescribeNetworkInterfacesCommand({}))).NetworkInterfaces?.length,
    create: () => client.send(new ec2.CreateNetworkInterfaceCommand({ SubnetId: ground.subnetId })),
  };
}

describe('throttling', () => {
  test('a bucket for each action empties and fills again with time', async () => {
    const { subnets, enis, wait } = await start({ throttle: { bucket: 2, refillPerSecond: 4 } });
    await subnets();
    await subnets();
    expect(await errorOf(subnets())).toEqual({
      name: 'RequestLimitExceeded',
      message: 'Request limit exceeded.',
      status: 503,
    });
    expect(await enis()).toBe(0);
    wait(250);
    await subnets();
    expect((await errorOf(subnets())).name).toBe('RequestLimitExceeded');
    wait(60_000);
    await subnets();
    await subnets();
    expect((await errorOf(subnets())).name).toBe('RequestLimitExceeded');
  });

  test('one action may be throttled alone, and no more', async () => {
    const { simulator, subnets, enis } = await start();
    simulator.setThrottle({ bucket: 0, refillPerSecond: 0 }, 'DescribeSubnets');
    expect((await errorOf(subnets())).name).toBe('RequestLimitExceeded');
    expect(await enis()).toBe(0);
    simulator.setThrottle(undefined, 'DescribeSubnets');
    expect((await subnets()).Subnets).toHaveLength(1);
  });

  test('the SDK retries a throttled call by itself', async () => {
    const { simulator } = await start();
    simulator.fail({ action: 'DescribeSubnets', code: 'RequestLimitExceeded', httpStatus: 503, times: 2 });
    const client = ec2Client(simulator, { maxAttempts: 3 });
    expect((await client.send(new ec2.DescribeSubnetsCommand({}))).Subnets).toHaveLength(1);
    expect(simulator.calls.map((call) => call.status)).toEqual([503, 503, 200]);
  });
});

describe('injected failures', () => {
  test('before the effect, at a chosen call, for a chosen number of calls', async () => {
    const { simulator, create, world, subnetId } = await start();
    simulator.fail({ action: 'CreateNetworkInterface', at: 2, times: 2, code: 'InternalError', httpStatus: 500 });
    await create();
    for (let i = 0; i < 2; i++) expect(await errorOf(create())).toMatchObject({ name: 'InternalError', status: 500 });
    await create();
    expect(world.availableIps(subnetId)).toBe(249);
  });

  test('after the effect: the caller sees an error, the world has changed', async () => {
    const { simulator, create, world, subnetId } = await start();
    simulator.fail({ action: 'CreateNetworkInterface', phase: 'after', code: 'InternalError', httpStatus: 500 });
    expect((await errorOf(create())).name).toBe('InternalError');
    expect(world.availableIps(subnetId)).toBe(250);
  });

  test.each(['before', 'after'] as const)('a connection dropped %s the effect', async (phase) => {
    const { simulator, create, world, subnetId } = await start();
    simulator.fail({ action: 'CreateNetworkInterface', phase, reset: true, code: 'Reset' });
    expect((await errorOf(create())).status).toBeUndefined();
    expect(world.availableIps(subnetId)).toBe(phase === 'before' ? 251 : 250);
    expect(simulator.calls).toMatchObject([{ status: 0, errorCode: 'Reset' }]);
  });

  test('only for calls that match: one VPC or one subnet denied', async () => {
    const { simulator, client, world, vpcId, subnetId } = await start();
    const other = idOf(world.addSubnet({ vpcId, cidr: '10.0.2.0/24' }).SubnetId);
    const code = 'UnauthorizedOperation';
    const times = Number.POSITIVE_INFINITY;
    simulator.fail({
      action: 'GetSubnetCidrReservations',
      code,
      times,
      httpStatus: 403,
      match: (params) => params.SubnetId === other,
    });
    simulator.fail({
      action: '*',
      code,
      times,
      match: (_, input) => JSON.stringify(input.Filters ?? []).includes(vpcId),
    });
    const reservations = (SubnetId: string) => client.send(new ec2.GetSubnetCidrReservationsCommand({ SubnetId }));
    for (let i = 0; i < 2; i++) {
      expect(await errorOf(reservations(other))).toMatchObject({ name: code, status: 403 });
      expect((await reservations(subnetId)).SubnetIpv4CidrReservations).toEqual([]);
    }
    const Filters = [{ Name: 'vpc-id', Values: [vpcId] }];
    expect((await errorOf(client.send(new ec2.DescribeNetworkInterfacesCommand({ Filters })))).name).toBe(code);
    simulator.clearFailures();
    expect((await reservations(other)).SubnetIpv4CidrReservations).toEqual([]);
  });

  test('EKS and STS fail in their own form', async () => {
    const { simulator } = await start();
    simulator.fail({ action: 'ListClusters', code: 'AccessDeniedException', httpStatus: 403 });
    simulator.fail({ action: 'GetCallerIdentity', code: 'AccessDenied', httpStatus: 403 });
    expect(await errorOf(eksClient(simulator).send(new ListClustersCommand({})))).toMatchObject({
      name: 'AccessDeniedException',
      status: 403,
    });
    expect(await errorOf(stsClient(simulator).send(new GetCallerIdentityCommand({})))).toMatchObject({
      name: 'AccessDenied',
      status: 403,
    });
  });

  test('a dry run changes nothing and says so', async () => {
    const { client, world, subnetId } = await start();
    const dry = client.send(new ec2.CreateNetworkInterfaceCommand({ SubnetId: subnetId, DryRun: true }));
    expect(await errorOf(dry)).toEqual({
      name: 'DryRunOperation',
      message: 'Request would have succeeded, but DryRun flag is set.',
      status: 412,
    });
    expect(world.availableIps(subnetId)).toBe(251);
  });
});

describe('stale reads', () => {
  test('show the world as it was, and writes are never late', async () => {
    const { simulator, create, enis, subnets, wait, world, subnetId, client } = await start();
    simulator.setStale(2_000);
    const count = async () => (await subnets()).Subnets?.[0]?.AvailableIpAddressCount;
    const created = await create();
    expect([await enis(), await count()]).toEqual([0, 251]);
    expect(world.availableIps(subnetId)).toBe(250);
    const NetworkInterfaceId = idOf(created.NetworkInterface?.NetworkInterfaceId);
    const look = () =>
      client.send(new ec2.DescribeNetworkInterfacesCommand({ NetworkInterfaceIds: [NetworkInterfaceId] }));
    expect((await errorOf(look())).name).toBe('InvalidNetworkInterfaceID.NotFound');
    wait(1_999);
    expect([await enis(), await count()]).toEqual([0, 251]);
    wait(1);
    expect([await enis(), await count()]).toEqual([1, 250]);

    await client.send(new ec2.DeleteNetworkInterfaceCommand({ NetworkInterfaceId }));
    expect((await look()).NetworkInterfaces).toHaveLength(1);
    wait(2_000);
    expect([await enis(), await count()]).toEqual([0, 251]);
  });

  test('may be of one action alone', async () => {
    const { simulator, create, enis, subnets } = await start();
    simulator.setStale(2_000, ['DescribeNetworkInterfaces']);
    await create();
    expect(await enis()).toBe(0);
    expect((await subnets()).Subnets?.[0]?.AvailableIpAddressCount).toBe(250);
    simulator.setStale(0);
    expect(await enis()).toBe(1);
  });

  test('pages stay whole while the world moves on', async () => {
    const { simulator, client, world, subnetId, wait } = await start();
    const ids = Array.from({ length: 7 }, () => idOf(world.addEni({ subnetId }).NetworkInterfaceId));
    wait(10_000);
    simulator.setStale(5_000);
    const page = (NextToken?: string) =>
      client.send(new ec2.DescribeNetworkInterfacesCommand({ MaxResults: 5, NextToken }));
    const first = await page();
    for (const id of ids) world.deleteEni(id);
    const second = await page(first.NextToken);
    const seen = [...(first.NetworkInterfaces ?? []), ...(second.NetworkInterfaces ?? [])];
    expect(seen.map((eni) => eni.NetworkInterfaceId)).toEqual(ids);
  });
});

test('an answer is held back after its effect, of the call that was meant and of no other, once', async () => {
  const { simulator, client, world } = await start();
  const vpcId = world.addVpc({ cidr: '10.0.0.0/16' }).VpcId as string;
  const make = (CidrBlock: string) => client.send(new ec2.CreateSubnetCommand({ VpcId: vpcId, CidrBlock }));
  const hold = simulator.hold({ action: 'CreateSubnet', at: 2, match: ({ CidrBlock }) => CidrBlock !== '10.0.1.0/24' });
  await make('10.0.1.0/24');
  await make('10.0.2.0/24');
  let answered = false;
  const held = make('10.0.3.0/24').then(() => {
    answered = true;
  });
  await hold.reached;
  const cidrs = [...world.subnets.values()].map(({ CidrBlock }) => CidrBlock);
  expect({ answered, cidrs: cidrs.filter((one) => one?.startsWith('10.0.')) }).toEqual({
    answered: false,
    cidrs: expect.arrayContaining(['10.0.1.0/24', '10.0.2.0/24', '10.0.3.0/24']),
  });
  await make('10.0.4.0/24');
  expect(answered).toBe(false);
  hold.release();
  await held;
  await make('10.0.5.0/24');
});

test('each call is on record with what was asked and what came of it', async () => {
  const { simulator, client, wait } = await start();
  wait(5);
  const Filters = [{ Name: 'vpc-id', Values: ['vpc-1', 'vpc-2'] }];
  await client.send(new ec2.DescribeSubnetsCommand({ Filters, MaxResults: 5 }));
  await errorOf(client.send(new ec2.DeleteSubnetCommand({ SubnetId: 'subnet-0' })));
  expect(simulator.calls).toEqual([
    {
      at: NOON + 5,
      action: 'DescribeSubnets',
      status: 200,
      params: {
        Action: 'DescribeSubnets',
        Version: '2016-11-15',
        MaxResults: '5',
        'Filter.1.Name': 'vpc-id',
        'Filter.1.Value.1': 'vpc-1',
        'Filter.1.Value.2': 'vpc-2',
      },
    },
    {
      at: NOON + 5,
      action: 'DeleteSubnet',
      status: 400,
      errorCode: 'InvalidSubnetID.NotFound',
      params: { Action: 'DeleteSubnet', Version: '2016-11-15', SubnetId: 'subnet-0' },
    },
  ]);
  simulator.clearCalls();
  expect(simulator.calls).toEqual([]);
});
