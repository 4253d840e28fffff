import * as ec2 from '@aws-sdk/client-ec2';
import { describe, expect, test } from '@jest/globals';
import { ec2Client, errorOf, idOf, oneSubnet, serve } from './clients.ts';

async function start() {
  const ground = oneSubnet();
  const { world, vpcId } = ground;
  const small = idOf(world.addSubnet({ vpcId, cidr: '10.0.2.0/28', zone: 'us-east-1b' }).SubnetId);
  world.addLaunchTemplate('lt-1', { instanceType: 'm5.large' });
  world.addLaunchTemplate('lt-prefixes', { instanceType: 'm5.large', ipv4PrefixCount: 1 });
  const simulator = await serve(world);
  const client = ec2Client(simulator);
  const fleet = (total: number, subnets: readonly string[], template = 'lt-1', Type: ec2.FleetType = 'instant') =>
    client.send(
      new ec2.CreateFleetCommand({
        Type,
        TargetCapacitySpecification: { TotalTargetCapacity: total, DefaultTargetCapacityType: 'on-demand' },
        LaunchTemplateConfigs: [
          {
            LaunchTemplateSpecification: { LaunchTemplateId: template, Version: '1' },
            Overrides: subnets.map((SubnetId, index) => ({ SubnetId, InstanceType: 'm5.large', Priority: index })),
          },
        ],
        TagSpecifications: [{ ResourceType: 'instance', Tags: [{ Key: 'karpenter.sh/nodepool', Value: 'default' }] }],
      }),
    );
  return { ...ground, simulator, client, small, fleet };
}

describe('an instant fleet', () => {
  test('goes on to the next override and tells of the one that failed, inside a success', async () => {
    const { fleet, world, small, subnetId } = await start();
    world.addEni({ subnetId: small, count: 9 });
    const answer = await fleet(3, [small, subnetId]);
    expect(answer.$metadata.httpStatusCode).toBe(200);
    expect(answer.FleetId).toMatch(/^fleet-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(answer.Errors).toEqual([
      {
        ErrorCode: 'InsufficientFreeAddressesInSubnet',
        ErrorMessage: `There are not enough free addresses in subnet '${small}' to satisfy the requested number of instances.`,
        Lifecycle: 'on-demand',
        LaunchTemplateAndOverrides: {
          LaunchTemplateSpecification: { LaunchTemplateId: 'lt-1', Version: '1' },
          Overrides: { InstanceType: 'm5.large', SubnetId: small, Priority: 0 },
        },
      },
    ]);
    const started = answer.Instances ?? [];
    expect(started.map((entry) => entry.InstanceIds?.length)).toEqual([1, 2]);
    expect(started.map((entry) => entry.LaunchTemplateAndOverrides?.Overrides?.SubnetId)).toEqual([small, subnetId]);
    expect(world.instances.size).toBe(3);
    const first = world.instance(idOf(started[0]?.InstanceIds?.[0]));
    expect(first.Tags).toEqual([{ Key: 'karpenter.sh/nodepool', Value: 'default' }]);
  });

  test('succeeds with no instance at all', async () => {
    const { fleet, world, small } = await start();
    world.addEni({ subnetId: small, count: 10 });
    const answer = await fleet(1, [small]);
    expect(answer.Instances).toEqual([]);
    expect(answer.Errors?.map((error) => error.ErrorCode)).toEqual(['InsufficientFreeAddressesInSubnet']);
  });

  test('tells want of prefixes and of capacity by their own codes', async () => {
    const { fleet, world, small, subnetId } = await start();
    world.emptyPools.add('m5.large:us-east-1a');
    const answer = await fleet(1, [small, subnetId], 'lt-prefixes');
    expect(answer.Errors?.map((error) => error.ErrorCode)).toEqual([
      'InsufficientCidrBlocks',
      'InsufficientInstanceCapacity',
    ]);
    expect(world.instances.size).toBe(0);
    expect(world.availableIps(small)).toBe(11);
  });

  test('is refused whole where the request itself is wrong', async () => {
    const { fleet, small } = await start();
    expect(await errorOf(fleet(1, [small, small]))).toMatchObject({
      name: 'InvalidFleetConfig',
      message: 'The fleet configuration contains duplicate instance pools.',
    });
    expect((await errorOf(fleet(1, [small], 'lt-none'))).name).toBe('InvalidLaunchTemplateId.NotFound');
    expect((await errorOf(fleet(1, [small], 'lt-1', 'maintain'))).name).toBe('UnsupportedOperation');
  });
});

describe('the trail', () => {
  test('has a fleet with one failure as an object and with two as an array, and no error on top', async () => {
    const { fleet, world, small, subnetId, simulator } = await start();
    world.addEni({ subnetId: small, count: 10 });
    await fleet(1, [small, subnetId]);
    world.emptyPools.add('m5.large:us-east-1a');
    await fleet(1, [small, subnetId]);
    const [one, two] = simulator.trail.map((event) => event.detail);
    expect(one).toMatchObject({
      eventName: 'CreateFleet',
      requestParameters: {
        CreateFleetRequest: {
          Type: 'instant',
          LaunchTemplateConfigs: {
            tag: 1,
            LaunchTemplateSpecification: { LaunchTemplateId: 'lt-1' },
            Overrides: [
              { tag: 1, SubnetId: small },
              { tag: 2, SubnetId: subnetId },
            ],
          },
        },
      },
      responseElements: {
        CreateFleetResponse: {
          errorSet: {
            item: {
              errorCode: 'InsufficientFreeAddressesInSubnet',
              launchTemplateAndOverrides: { overrides: { subnetId: small } },
            },
          },
          fleetInstanceSet: { item: { instanceIds: { item: expect.stringMatching(/^i-/) }, lifecycle: 'on-demand' } },
        },
      },
    });
    expect(one).not.toHaveProperty('errorCode');
    expect(two).toMatchObject({
      responseElements: {
        CreateFleetResponse: {
          errorSet: {
            item: [{ errorCode: 'InsufficientFreeAddressesInSubnet' }, { errorCode: 'InsufficientInstanceCapacity' }],
          },
          fleetInstanceSet: '',
        },
      },
    });
  });

  test('has a failed call with its code prefixed, and no read', async () => {
    const { client, world, small, simulator } = await start();
    const eniId = idOf(world.addEni({ subnetId: small, count: 10 }).NetworkInterfaceId);
    const assign = { NetworkInterfaceId: eniId, Ipv4PrefixCount: 1 };
    await errorOf(client.send(new ec2.AssignPrivateIpAddressesCommand(assign)));
    await client.send(new ec2.DescribeSubnetsCommand({}));
    const run = { MinCount: 1, MaxCount: 1, InstanceType: 'm5.large' as const, SubnetId: small };
    await errorOf(client.send(new ec2.RunInstancesCommand(run)));
    const dry = { SubnetId: small, DryRun: true };
    await errorOf(client.send(new ec2.CreateNetworkInterfaceCommand(dry)));
    expect(simulator.trail).toMatchObject([
      {
        version: '0',
        'detail-type': 'AWS API Call via CloudTrail',
        source: 'aws.ec2',
        account: '111111111111',
        region: 'us-east-1',
        time: '2026-11-30T12:00:00Z',
        detail: {
          eventName: 'AssignPrivateIpAddresses',
          errorCode: 'Client.InsufficientCidrBlocks',
          errorMessage: 'The specified subnet does not have enough free cidr blocks to satisfy the request.',
          requestParameters: { networkInterfaceId: eniId, ipv4PrefixCount: 1 },
          responseElements: null,
          eventSource: 'ec2.amazonaws.com',
          readOnly: false,
        },
      },
      {
        detail: {
          eventName: 'RunInstances',
          errorCode: 'Client.InsufficientFreeAddressesInSubnet',
          requestParameters: {
            instancesSet: { items: [{ minCount: 1, maxCount: 1 }] },
            instanceType: 'm5.large',
            subnetId: small,
          },
        },
      },
      { detail: { eventName: 'CreateNetworkInterface', errorCode: 'Client.DryRunOperation' } },
    ]);
    expect(new Set(simulator.trail.map((event) => event.id)).size).toBe(3);
  });

  test('has a throttled write, and says of each failure whose fault it was', async () => {
    const { client, subnetId, simulator } = await start();
    const create = () => client.send(new ec2.CreateNetworkInterfaceCommand({ SubnetId: subnetId }));
    simulator.setThrottle({ bucket: 1, refillPerSecond: 0 });
    simulator.fail({ action: 'CreateNetworkInterface', code: 'InternalError', httpStatus: 500 });
    await errorOf(create());
    await errorOf(create());
    expect(simulator.trail.map((event) => event.detail.errorCode)).toEqual([
      'Server.InternalError',
      'Client.RequestLimitExceeded',
    ]);
  });

  test('has tags and interfaces in the words of the older calls', async () => {
    const { client, subnetId, simulator } = await start();
    const Tags = [{ Key: 'role', Value: 'cni' }];
    await client.send(new ec2.CreateTagsCommand({ Resources: [subnetId], Tags }));
    const request = { SubnetId: subnetId, Groups: ['sg-1'], Description: 'x', SecondaryPrivateIpAddressCount: 1 };
    const { NetworkInterface } = await client.send(new ec2.CreateNetworkInterfaceCommand(request));
    expect(simulator.trail.map((event) => event.detail)).toMatchObject([
      {
        requestParameters: {
          resourcesSet: { items: [{ resourceId: subnetId }] },
          tagSet: { items: [{ key: 'role', value: 'cni' }] },
        },
        responseElements: { _return: true },
      },
      {
        requestParameters: { subnetId, description: 'x', groupSet: { items: [{ groupId: 'sg-1' }] } },
        responseElements: {
          networkInterface: { networkInterfaceId: NetworkInterface?.NetworkInterfaceId, subnetId, status: 'pending' },
        },
      },
    ]);
  });
});
