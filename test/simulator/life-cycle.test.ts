import * as ec2 from '@aws-sdk/client-ec2';
import { describe, expect, test } from '@jest/globals';
import { ec2Client, errorOf, idOf, NOON, oneSubnet, serve } from './clients.ts';

async function start(rules = {}) {
  const ground = oneSubnet();
  let now = NOON;
  const simulator = await serve(ground.world, { now: () => now, rules });
  const client = ec2Client(simulator);
  const { subnetId, world } = ground;
  return {
    ...ground,
    client,
    left: () => world.availableIps(subnetId),
    wait: (ms: number) => {
      now += ms;
    },
    run: async (request: Partial<ec2.RunInstancesRequest> = {}) => {
      const command = new ec2.RunInstancesCommand({
        MinCount: 1,
        MaxCount: 1,
        InstanceType: 'm5.large',
        SubnetId: subnetId,
        ...request,
      });
      return client.send(command);
    },
    create: (request: Partial<ec2.CreateNetworkInterfaceRequest> = {}) => {
      const command = new ec2.CreateNetworkInterfaceCommand({ SubnetId: subnetId, ...request });
      return client.send(command).then((answer) => idOf(answer.NetworkInterface?.NetworkInterfaceId));
    },
    attach: (NetworkInterfaceId: string, InstanceId: string, DeviceIndex: number) =>
      client.send(new ec2.AttachNetworkInterfaceCommand({ NetworkInterfaceId, InstanceId, DeviceIndex })),
    describe: async (id: string) => {
      const command = new ec2.DescribeNetworkInterfacesCommand({ NetworkInterfaceIds: [id] });
      return (await client.send(command)).NetworkInterfaces?.[0];
    },
  };
}

describe('instances', () => {
  test('run with a primary interface, stop with all they hold, and give it back when terminated', async () => {
    const { client, run, left, world } = await start();
    const launched = await run({
      TagSpecifications: [
        { ResourceType: 'instance', Tags: [{ Key: 'eks:cluster-name', Value: 'prod' }] },
        { ResourceType: 'network-interface', Tags: [{ Key: 'n', Value: '1' }] },
      ],
    });
    const instance = launched.Instances?.[0];
    expect(instance?.State).toEqual({ Code: 0, Name: 'pending' });
    expect(left()).toBe(250);
    const InstanceIds = [idOf(instance?.InstanceId)];
    const { Reservations } = await client.send(new ec2.DescribeInstancesCommand({ InstanceIds }));
    expect(Reservations).toMatchObject([
      {
        ReservationId: launched.ReservationId,
        OwnerId: '111111111111',
        Instances: [{ State: { Name: 'running' }, Tags: [{ Key: 'eks:cluster-name' }] }],
      },
    ]);
    const { NetworkInterfaces } = await client.send(
      new ec2.DescribeNetworkInterfacesCommand({
        Filters: [{ Name: 'attachment.instance-id', Values: InstanceIds }],
      }),
    );
    expect(NetworkInterfaces).toMatchObject([
      {
        Description: 'Primary network interface',
        Status: 'in-use',
        TagSet: [{ Key: 'n', Value: '1' }],
        Attachment: {
          DeviceIndex: 0,
          NetworkCardIndex: 0,
          Status: 'attached',
          DeleteOnTermination: true,
          AttachTime: new Date(NOON),
        },
      },
    ]);

    const stopped = await client.send(new ec2.StopInstancesCommand({ InstanceIds }));
    expect(stopped.StoppingInstances).toMatchObject([{ PreviousState: { Name: 'running' } }]);
    expect(left()).toBe(250);
    const ended = await client.send(new ec2.TerminateInstancesCommand({ InstanceIds }));
    expect(ended.TerminatingInstances).toMatchObject([
      { PreviousState: { Name: 'stopped' }, CurrentState: { Name: 'shutting-down' } },
    ]);
    expect(left()).toBe(251);
    expect(world.instance(idOf(InstanceIds[0])).State?.Name).toBe('terminated');
    expect((await errorOf(client.send(new ec2.StopInstancesCommand({ InstanceIds })))).name).toBe(
      'IncorrectInstanceState',
    );
  });

  test('a terminated one is described for an hour', async () => {
    const { client, run, wait } = await start();
    const InstanceIds = [idOf((await run()).Instances?.[0]?.InstanceId)];
    await client.send(new ec2.TerminateInstancesCommand({ InstanceIds }));
    wait(59 * 60_000);
    const { Reservations } = await client.send(new ec2.DescribeInstancesCommand({ InstanceIds }));
    expect(Reservations?.[0]?.Instances?.[0]?.State?.Name).toBe('terminated');
    wait(60_000);
    const gone = await errorOf(client.send(new ec2.DescribeInstancesCommand({ InstanceIds })));
    expect(gone.name).toBe('InvalidInstanceID.NotFound');
  });

  test('as many start as fit, and none where that is too few', async () => {
    const { run, left, world, subnetId } = await start();
    world.addEni({ subnetId, count: 240 });
    expect((await run({ MinCount: 1, MaxCount: 20 })).Instances).toHaveLength(left() === 0 ? 10 : -1);
    expect(await errorOf(run())).toEqual({
      name: 'InsufficientFreeAddressesInSubnet',
      message: `There are not enough free addresses in subnet '${subnetId}' to satisfy the requested number of instances.`,
      status: 400,
    });
  });

  test('a launch that cannot have enough leaves nothing behind', async () => {
    const { run, left, world, subnetId } = await start();
    world.addEni({ subnetId, count: 248 });
    expect(left()).toBe(2);
    expect((await errorOf(run({ MinCount: 3, MaxCount: 3 }))).name).toBe('InsufficientFreeAddressesInSubnet');
    expect(left()).toBe(2);
    expect(world.instances.size).toBe(0);
  });

  test('a launch with prefixes fails by their code, even with addresses left', async () => {
    const { run, world, subnetId } = await start();
    for (let block = 1; block < 15; block++) world.addEni({ subnetId, primary: `10.0.1.${16 * block + 3}` });
    const NetworkInterfaces = [{ DeviceIndex: 0, SubnetId: subnetId, Ipv4PrefixCount: 1 }];
    expect((await errorOf(run({ SubnetId: undefined, NetworkInterfaces }))).name).toBe('InsufficientCidrBlocks');
    expect((await run()).Instances).toHaveLength(1);
  });

  test('an unknown type and an empty pool are refused', async () => {
    const { run, world } = await start();
    expect((await errorOf(run({ InstanceType: 'z9.huge' as ec2._InstanceType }))).name).toBe('InvalidParameterValue');
    world.emptyPools.add('m5.large:us-east-1a');
    expect(await errorOf(run())).toMatchObject({ name: 'InsufficientInstanceCapacity', status: 500 });
  });
});

describe('interfaces', () => {
  test('are attached, detached and deleted', async () => {
    const { client, run, create, attach, describe: look, left } = await start();
    const instanceId = idOf((await run()).Instances?.[0]?.InstanceId);
    const eniId = await create();
    const { AttachmentId } = await attach(eniId, instanceId, 1);
    expect(await look(eniId)).toMatchObject({ Status: 'in-use', Attachment: { AttachmentId, InstanceId: instanceId } });
    const remove = () => client.send(new ec2.DeleteNetworkInterfaceCommand({ NetworkInterfaceId: eniId }));
    expect(await errorOf(remove())).toMatchObject({
      name: 'InvalidParameterValue',
      message: `Network interface '${eniId}' is currently in use.`,
    });
    await client.send(new ec2.DetachNetworkInterfaceCommand({ AttachmentId }));
    expect(await look(eniId)).toMatchObject({ Status: 'available' });
    expect((await look(eniId))?.Attachment).toBeUndefined();
    await remove();
    expect(left()).toBe(250);
    expect((await errorOf(remove())).name).toBe('InvalidNetworkInterfaceID.NotFound');
    const again = client.send(new ec2.DetachNetworkInterfaceCommand({ AttachmentId }));
    expect((await errorOf(again)).name).toBe('InvalidAttachmentID.NotFound');
  });

  test('take their time where the rules say so', async () => {
    const {
      client,
      run,
      create,
      attach,
      describe: look,
      wait,
    } = await start({
      transitionMs: 5_000,
      deleteInUse: 'InvalidNetworkInterface.InUse',
    });
    const instanceId = idOf((await run()).Instances?.[0]?.InstanceId);
    wait(5_000);
    const eniId = await create();
    const { AttachmentId } = await attach(eniId, instanceId, 1);
    expect(await look(eniId)).toMatchObject({ Status: 'in-use', Attachment: { Status: 'attaching' } });
    wait(5_000);
    expect(await look(eniId)).toMatchObject({ Attachment: { Status: 'attached' } });
    await client.send(new ec2.DetachNetworkInterfaceCommand({ AttachmentId }));
    expect(await look(eniId)).toMatchObject({ Status: 'detaching', Attachment: { Status: 'detaching' } });
    const remove = () => client.send(new ec2.DeleteNetworkInterfaceCommand({ NetworkInterfaceId: eniId }));
    expect((await errorOf(remove())).name).toBe('InvalidNetworkInterface.InUse');
    wait(5_000);
    await remove();
  });

  test('one that stays when its instance ends is left behind, available', async () => {
    const { client, run, create, attach, describe: look, left } = await start();
    const instanceId = idOf((await run()).Instances?.[0]?.InstanceId);
    const eniId = await create({ Description: `aws-K8S-${instanceId}` });
    await attach(eniId, instanceId, 1);
    await client.send(new ec2.TerminateInstancesCommand({ InstanceIds: [instanceId] }));
    expect(await look(eniId)).toMatchObject({ Status: 'available', Description: `aws-K8S-${instanceId}` });
    expect(left()).toBe(250);
  });

  test('an instance has a limit of interfaces, and an interface one of addresses', async () => {
    const { client, run, create, attach } = await start();
    const instanceId = idOf((await run()).Instances?.[0]?.InstanceId);
    await attach(await create(), instanceId, 1);
    expect((await errorOf(attach(await create(), instanceId, 1))).name).toBe('InvalidParameterValue');
    const eniId = await create();
    await attach(eniId, instanceId, 2);
    expect((await errorOf(attach(await create(), instanceId, 3))).name).toBe('AttachmentLimitExceeded');
    const assign = (request: Partial<ec2.AssignPrivateIpAddressesRequest>) =>
      client.send(new ec2.AssignPrivateIpAddressesCommand({ NetworkInterfaceId: eniId, ...request }));
    // Ten slots on m5.large: the primary, three prefixes, six addresses.
    await assign({ Ipv4PrefixCount: 3 });
    expect(await errorOf(assign({ SecondaryPrivateIpAddressCount: 7 }))).toMatchObject({
      name: 'PrivateIpAddressLimitExceeded',
      message: 'Number of private addresses will exceed limit.',
    });
    await assign({ SecondaryPrivateIpAddressCount: 6 });
    expect((await errorOf(assign({ Ipv4PrefixCount: 1 }))).name).toBe('PrivateIpAddressLimitExceeded');
  });

  test('stay in their zone, on one instance, and device 0 stays on', async () => {
    const { client, run, create, attach, world, vpcId, describe: look } = await start();
    const other = idOf(world.addSubnet({ vpcId, cidr: '10.0.7.0/24', zone: 'us-east-1b' }).SubnetId);
    const instanceId = idOf((await run()).Instances?.[0]?.InstanceId);
    const far = await create({ SubnetId: other });
    expect((await errorOf(attach(far, instanceId, 1))).name).toBe('InvalidParameterCombination');
    const near = await create();
    await attach(near, instanceId, 1);
    expect((await errorOf(attach(near, instanceId, 2))).name).toBe('InvalidNetworkInterface.InUse');
    expect((await errorOf(attach(await create(), 'i-0', 1))).name).toBe('InvalidInstanceID.NotFound');
    const primary = world.enisOf(idOf((await look(near))?.SubnetId)).find((eni) => eni.Attachment?.DeviceIndex === 0);
    const AttachmentId = idOf(primary?.Attachment?.AttachmentId);
    const detached = client.send(new ec2.DetachNetworkInterfaceCommand({ AttachmentId }));
    expect((await errorOf(detached)).name).toBe('OperationNotPermitted');
  });

  test('of a service are not ours to delete', async () => {
    const { client, world, subnetId } = await start();
    const eni = world.addEni({ subnetId, fields: { RequesterManaged: true } });
    const NetworkInterfaceId = idOf(eni.NetworkInterfaceId);
    const removed = client.send(new ec2.DeleteNetworkInterfaceCommand({ NetworkInterfaceId }));
    expect((await errorOf(removed)).name).toBe('OperationNotPermitted');
  });
});

describe('subnets', () => {
  test('are created in canonical form and deleted when empty', async () => {
    const { client, vpcId, world } = await start();
    const create = (CidrBlock: string, request: Partial<ec2.CreateSubnetRequest> = {}) =>
      client.send(new ec2.CreateSubnetCommand({ VpcId: vpcId, CidrBlock, ...request }));
    const { Subnet } = await create('10.0.9.77/24', {
      AvailabilityZoneId: 'use1-az2',
      TagSpecifications: [{ ResourceType: 'subnet', Tags: [{ Key: 'Name', Value: 'new' }] }],
    });
    expect(Subnet).toMatchObject({
      CidrBlock: '10.0.9.0/24',
      AvailableIpAddressCount: 251,
      AvailabilityZone: 'us-east-1b',
      Tags: [{ Key: 'Name', Value: 'new' }],
    });
    const SubnetId = idOf(Subnet?.SubnetId);
    expect((await errorOf(create('10.0.9.128/25'))).name).toBe('InvalidSubnet.Conflict');
    expect((await errorOf(create('10.1.0.0/24'))).name).toBe('InvalidSubnet.Range');
    expect((await errorOf(create('10.0.10.0/29'))).name).toBe('InvalidSubnet.Range');
    expect((await errorOf(create('here'))).name).toBe('InvalidParameterValue');
    expect((await errorOf(create('10.0.10.0/24', { VpcId: 'vpc-0' }))).name).toBe('InvalidVpcID.NotFound');
    expect((await errorOf(create('10.0.10.0/24', { AvailabilityZone: 'us-east-1z' }))).name).toBe(
      'InvalidParameterValue',
    );
    world.setRules({ maxSubnetsPerVpc: 2 });
    expect((await errorOf(create('10.0.10.0/24'))).name).toBe('SubnetLimitExceeded');

    const remove = () => client.send(new ec2.DeleteSubnetCommand({ SubnetId }));
    const eniId = idOf(world.addEni({ subnetId: SubnetId }).NetworkInterfaceId);
    expect((await errorOf(remove())).name).toBe('DependencyViolation');
    world.deleteEni(eniId);
    await remove();
    expect((await errorOf(remove())).name).toBe('InvalidSubnetID.NotFound');
  });

  test('of another account are not ours to change', async () => {
    const { client, world, vpcId } = await start();
    const spec = { vpcId, cidr: '10.0.9.0/24', fields: { OwnerId: '222222222222' } };
    const SubnetId = idOf(world.addSubnet(spec).SubnetId);
    const removed = await errorOf(client.send(new ec2.DeleteSubnetCommand({ SubnetId })));
    expect(removed).toMatchObject({ name: 'UnauthorizedOperation', status: 403 });
  });
});
