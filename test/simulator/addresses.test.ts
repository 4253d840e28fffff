import * as ec2 from '@aws-sdk/client-ec2';
import { describe, expect, test } from '@jest/globals';
import { ec2Client, errorOf, type Ground, idOf, oneSubnet, serve } from './clients.ts';

/** The last number of an address or prefix in 10.0.1.0/24. */
function last(text: string | undefined): number {
  return Number(/^10\.0\.1\.(\d+)(?:\/28)?$/.exec(text ?? '')?.[1]);
}

async function start(ground: Ground = oneSubnet()) {
  const simulator = await serve(ground.world);
  const client = ec2Client(simulator);
  const create = async (request: Partial<ec2.CreateNetworkInterfaceRequest> = {}) => {
    const command = new ec2.CreateNetworkInterfaceCommand({ SubnetId: ground.subnetId, ...request });
    return (await client.send(command)).NetworkInterface ?? {};
  };
  const assign = (request: Partial<ec2.AssignPrivateIpAddressesRequest> & { NetworkInterfaceId: string }) =>
    client.send(new ec2.AssignPrivateIpAddressesCommand(request));
  return { ...ground, simulator, client, create, assign, left: () => ground.world.availableIps(ground.subnetId) };
}

describe('single addresses', () => {
  test('are strewn over the subnet, never on the five that AWS keeps', async () => {
    const { create, left } = await start();
    expect(left()).toBe(251);
    const addresses: number[] = [];
    for (let i = 0; i < 40; i++) addresses.push(last((await create()).PrivateIpAddress));
    expect(new Set(addresses).size).toBe(40);
    expect(addresses.every((address) => address >= 4 && address <= 254)).toBe(true);
    expect(new Set(addresses.map((address) => address >> 4)).size).toBeGreaterThan(10);
    expect(left()).toBe(211);
  });

  test('are the same for the same seed, and others for another', async () => {
    const draw = (seed: number) => {
      const { world, subnetId } = oneSubnet('10.0.1.0/24', seed);
      return Array.from({ length: 10 }, () => world.addEni({ subnetId }).PrivateIpAddress);
    };
    expect(draw(5)).toEqual(draw(5));
    expect(draw(5)).not.toEqual(draw(6));
  });

  test('an interface is pending in the answer and available when described', async () => {
    const { create, client } = await start();
    const eni = await create({
      Description: 'aws-K8S-i-1',
      SecondaryPrivateIpAddressCount: 2,
      Groups: ['sg-1'],
      TagSpecifications: [{ ResourceType: 'network-interface', Tags: [{ Key: 'a', Value: 'b' }] }],
    });
    expect(eni.Status).toBe('pending');
    expect(eni.PrivateIpAddresses?.map((entry) => entry.Primary)).toEqual([true, false, false]);
    const NetworkInterfaceIds = [idOf(eni.NetworkInterfaceId)];
    const described = await client.send(new ec2.DescribeNetworkInterfacesCommand({ NetworkInterfaceIds }));
    expect(described.NetworkInterfaces).toEqual([{ ...eni, Status: 'available' }]);
    expect(eni).toMatchObject({
      Description: 'aws-K8S-i-1',
      TagSet: [{ Key: 'a', Value: 'b' }],
      InterfaceType: 'interface',
    });
  });

  test('named ones are given, unless they are held, kept or elsewhere', async () => {
    const { create, assign, left } = await start();
    const eni = await create({ PrivateIpAddress: '10.0.1.77' });
    expect(eni.PrivateIpAddress).toBe('10.0.1.77');
    const NetworkInterfaceId = idOf(eni.NetworkInterfaceId);
    const answer = await assign({ NetworkInterfaceId, PrivateIpAddresses: ['10.0.1.78', '10.0.1.79'] });
    expect(answer.AssignedPrivateIpAddresses).toEqual([
      { PrivateIpAddress: '10.0.1.78' },
      { PrivateIpAddress: '10.0.1.79' },
    ]);
    const refused = async (address: string) =>
      (await errorOf(assign({ NetworkInterfaceId, PrivateIpAddresses: ['10.0.1.90', address] }))).name;
    expect(await refused('10.0.1.77')).toBe('InvalidIPAddress.InUse');
    expect(await refused('10.0.1.3')).toBe('InvalidParameterValue');
    expect(await refused('10.0.1.255')).toBe('InvalidParameterValue');
    expect(await refused('10.0.2.1')).toBe('InvalidParameterValue');
    expect(left()).toBe(248);
  });

  test('come back when they are unassigned, but for the primary', async () => {
    const { create, client, left } = await start();
    const eni = await create({ SecondaryPrivateIpAddressCount: 3 });
    const NetworkInterfaceId = idOf(eni.NetworkInterfaceId);
    const [primary, ...others] = (eni.PrivateIpAddresses ?? []).map((entry) => idOf(entry.PrivateIpAddress));
    const unassign = (PrivateIpAddresses: string[]) =>
      client.send(new ec2.UnassignPrivateIpAddressesCommand({ NetworkInterfaceId, PrivateIpAddresses }));
    expect((await errorOf(unassign([idOf(others[0]), idOf(primary)]))).name).toBe('InvalidParameterValue');
    expect(left()).toBe(247);
    await unassign(others);
    expect(left()).toBe(250);
    expect((await errorOf(unassign(others))).name).toBe('InvalidParameterValue');
  });

  test('an efa-only interface holds none', async () => {
    const { create, left } = await start();
    const eni = await create({ InterfaceType: 'efa-only' });
    expect(eni.PrivateIpAddresses).toEqual([]);
    expect(eni.PrivateIpAddress).toBeUndefined();
    expect(left()).toBe(251);
  });
});

describe('prefixes', () => {
  test('take sixteen aligned addresses each and never an edge block', async () => {
    const { world, subnetId } = oneSubnet();
    const { create, left } = await start({ world, subnetId, vpcId: '' });
    // The primary takes one block of the fourteen, or lies in an edge block and takes none.
    const eni = await create({ PrivateIpAddress: '10.0.1.4', Ipv4PrefixCount: 14 });
    const bases = (eni.Ipv4Prefixes ?? []).map((entry) => last(entry.Ipv4Prefix)).sort((a, b) => a - b);
    expect(bases).toEqual(Array.from({ length: 14 }, (_, index) => 16 * (index + 1)));
    expect(left()).toBe(251 - 1 - 14 * 16);
    expect((await errorOf(create({ Ipv4PrefixCount: 1 }))).name).toBe('InsufficientCidrBlocks');
    expect(left()).toBe(26);
  });

  test('free space that is strewn gives none', async () => {
    const { create, left } = await start();
    for (let block = 1; block < 15; block++) await create({ PrivateIpAddress: `10.0.1.${16 * block + 5}` });
    expect(left()).toBe(237);
    expect(await errorOf(create({ Ipv4PrefixCount: 1 }))).toEqual({
      name: 'InsufficientCidrBlocks',
      message: 'The specified subnet does not have enough free cidr blocks to satisfy the request.',
      status: 400,
    });
  });

  test('named ones must be aligned and free', async () => {
    const { create, assign, left } = await start();
    const eni = await create({ PrivateIpAddress: '10.0.1.40' });
    const NetworkInterfaceId = idOf(eni.NetworkInterfaceId);
    const answer = await assign({ NetworkInterfaceId, Ipv4Prefixes: ['10.0.1.64/28'] });
    expect(answer.AssignedIpv4Prefixes).toEqual([{ Ipv4Prefix: '10.0.1.64/28' }]);
    for (const prefix of [
      '10.0.1.64/28',
      '10.0.1.32/28',
      '10.0.1.0/28',
      '10.0.1.240/28',
      '10.0.1.72/28',
      '10.0.1.128/27',
    ]) {
      expect((await errorOf(assign({ NetworkInterfaceId, Ipv4Prefixes: [prefix] }))).name).toBe(
        'InvalidParameterValue',
      );
    }
    expect(left()).toBe(234);
  });

  test('come back whole', async () => {
    const { create, client, left } = await start();
    const eni = await create({ Ipv4PrefixCount: 2 });
    const NetworkInterfaceId = idOf(eni.NetworkInterfaceId);
    const Ipv4Prefixes = (eni.Ipv4Prefixes ?? []).map((entry) => idOf(entry.Ipv4Prefix));
    await client.send(new ec2.UnassignPrivateIpAddressesCommand({ NetworkInterfaceId, Ipv4Prefixes }));
    expect(left()).toBe(250);
    const described = await client.send(
      new ec2.DescribeNetworkInterfacesCommand({ NetworkInterfaceIds: [NetworkInterfaceId] }),
    );
    expect(described.NetworkInterfaces?.[0]?.Ipv4Prefixes).toBeUndefined();
  });
});

describe('reservations', () => {
  const reserve = (SubnetId: string, Cidr: string, ReservationType: ec2.SubnetCidrReservationType) =>
    new ec2.CreateSubnetCidrReservationCommand({ SubnetId, Cidr, ReservationType });

  test('lower the count by what is free in them, and give it back', async () => {
    const { client, create, subnetId, left } = await start();
    await create({ PrivateIpAddress: '10.0.1.130' });
    const { SubnetCidrReservation } = await client.send(reserve(subnetId, '10.0.1.128/26', 'prefix'));
    expect(SubnetCidrReservation).toMatchObject({
      Cidr: '10.0.1.128/26',
      ReservationType: 'prefix',
      OwnerId: '111111111111',
    });
    expect(left()).toBe(250 - 63);
    // A prefix out of the reservation was not counted before and is not counted now.
    const eni = await create({ PrivateIpAddress: '10.0.1.10', Ipv4PrefixCount: 2 });
    expect(left()).toBe(250 - 63 - 1);
    expect(eni.Ipv4Prefixes?.every((entry) => last(entry.Ipv4Prefix) >= 144)).toBe(true);
    const SubnetCidrReservationId = idOf(SubnetCidrReservation?.SubnetCidrReservationId);
    const gone = await client.send(new ec2.DeleteSubnetCidrReservationCommand({ SubnetCidrReservationId }));
    expect(gone.DeletedSubnetCidrReservation).toEqual(SubnetCidrReservation);
    expect(left()).toBe(251 - 2 - 32);
    const again = client.send(new ec2.DeleteSubnetCidrReservationCommand({ SubnetCidrReservationId }));
    expect((await errorOf(again)).name).toBe('InvalidSubnetCidrReservationId.NotFound');
  });

  test.each(['countLeavesOut: none', 'countLeavesOut: prefix', 'countLeavesOut: explicit', 'countLeavesOut: both'])(
    'what the count leaves out is a rule: %s',
    async (text) => {
      const countLeavesOut = text.split(' ')[1] as 'none';
      const { world, subnetId } = oneSubnet();
      world.setRules({ countLeavesOut });
      world.addReservation({ subnetId, cidr: '10.0.1.64/28', type: 'prefix' });
      world.addReservation({ subnetId, cidr: '10.0.1.128/27', type: 'explicit' });
      expect(world.availableIps(subnetId)).toBe({ none: 251, prefix: 235, explicit: 219, both: 203 }[countLeavesOut]);
    },
  );

  test('keep single addresses out, and explicit ones keep prefixes out too', async () => {
    const { client, create, subnetId, left } = await start();
    await client.send(reserve(subnetId, '10.0.1.128/25', 'prefix'));
    await client.send(reserve(subnetId, '10.0.1.64/26', 'explicit'));
    expect(left()).toBe(60);
    for (let i = 0; i < 6; i++) await create({ SecondaryPrivateIpAddressCount: 9 });
    expect(left()).toBe(0);
    expect((await errorOf(create())).name).toBe('InsufficientFreeAddressesInSubnet');
    expect((await create({ PrivateIpAddress: '10.0.1.70' })).PrivateIpAddress).toBe('10.0.1.70');
  });

  test('running interfaces still take reserved prefixes when the count is 0', async () => {
    const { client, create, assign, subnetId, left } = await start();
    await client.send(reserve(subnetId, '10.0.1.128/25', 'prefix'));
    const NetworkInterfaceId = idOf((await create()).NetworkInterfaceId);
    await create({ SecondaryPrivateIpAddressCount: left() - 1 });
    expect(left()).toBe(0);
    for (let i = 0; i < 7; i++) await assign({ NetworkInterfaceId, Ipv4PrefixCount: 1 });
    expect((await errorOf(assign({ NetworkInterfaceId, Ipv4PrefixCount: 1 }))).name).toBe('InsufficientCidrBlocks');
  });

  test('whether prefixes come from elsewhere once they are full is a rule', async () => {
    const full = (prefixFallback: boolean) => {
      const { world, subnetId } = oneSubnet();
      world.setRules({ prefixFallback });
      world.addReservation({ subnetId, cidr: '10.0.1.64/28', type: 'prefix' });
      return () => world.addEni({ subnetId, primary: '10.0.1.4', prefixCount: 2 });
    };
    expect(full(true)().Ipv4Prefixes).toHaveLength(2);
    expect(full(false)).toThrow('enough free cidr blocks');
  });

  test('may not overlap one another or leave the subnet', async () => {
    const { client, subnetId } = await start();
    await client.send(reserve(subnetId, '10.0.1.64/26', 'explicit'));
    const overlap = await errorOf(client.send(reserve(subnetId, '10.0.1.0/25', 'prefix')));
    expect(overlap).toMatchObject({
      name: 'InvalidParameterValue',
      message: 'Reservation CIDR 10.0.1.0/25 has overlap with existing reserved CIDR block',
    });
    expect((await errorOf(client.send(reserve(subnetId, '10.0.2.0/28', 'prefix')))).name).toBe('InvalidParameterValue');
    expect((await errorOf(client.send(reserve('subnet-0', '10.0.2.0/28', 'prefix')))).name).toBe(
      'InvalidSubnetID.NotFound',
    );
  });
});

describe('the ways exhaustion is told', () => {
  test('by the code of an interface call', async () => {
    const { create } = await start(oneSubnet('10.0.1.0/28'));
    await create({ SecondaryPrivateIpAddressCount: 10 });
    expect(await errorOf(create())).toEqual({
      name: 'InsufficientFreeAddressesInSubnet',
      message: 'The specified subnet does not have enough free addresses to satisfy the request.',
      status: 400,
    });
  });

  test('as an invalid parameter, where the rules say so', async () => {
    const { create, assign, world } = await start(oneSubnet('10.0.1.0/28'));
    world.setRules({ exhaustionShape: 'invalid-parameter-value' });
    const NetworkInterfaceId = idOf((await create({ SecondaryPrivateIpAddressCount: 10 })).NetworkInterfaceId);
    const expected = {
      name: 'InvalidParameterValue',
      message: "There aren't sufficient free Ipv4 addresses or prefixes",
      status: 400,
    };
    expect(await errorOf(create())).toEqual(expected);
    expect(await errorOf(assign({ NetworkInterfaceId, Ipv4PrefixCount: 1 }))).toEqual(expected);
  });

  test('a count below what the map shows is believed: somebody invisible holds the rest', async () => {
    const { world, vpcId } = oneSubnet();
    const spec = { vpcId, cidr: '10.0.3.0/24', fields: { AvailableIpAddressCount: 2 } };
    const subnetId = idOf(world.addSubnet(spec).SubnetId);
    const { create, left } = await start({ world, subnetId, vpcId });
    await create();
    expect((await errorOf(create({ Ipv4PrefixCount: 1 }))).name).toBe('InsufficientCidrBlocks');
    await create();
    expect(left()).toBe(0);
    expect((await errorOf(create())).name).toBe('InsufficientFreeAddressesInSubnet');
  });

  test('the account has a quota of interfaces', async () => {
    const { create, world } = await start();
    world.setRules({ maxInterfaces: 1 });
    await create();
    expect((await errorOf(create())).name).toBe('NetworkInterfaceLimitExceeded');
  });

  test('an IPv6-only subnet has no IPv4 address to give', async () => {
    const { world, vpcId } = oneSubnet();
    const fields = { CidrBlock: undefined, Ipv6Native: true, AvailableIpAddressCount: 0 };
    const subnetId = idOf(world.addSubnet({ vpcId, cidr: '10.0.3.0/24', fields }).SubnetId);
    const { create } = await start({ world, subnetId, vpcId });
    expect((await errorOf(create())).name).toBe('InvalidParameterValue');
  });

  test.each([
    { SecondaryPrivateIpAddressCount: 1, Ipv4PrefixCount: 1 },
    { Ipv4Prefixes: [{ Ipv4Prefix: '10.0.1.16/28' }], Ipv4PrefixCount: 1 },
    { PrivateIpAddresses: [{ PrivateIpAddress: '10.0.1.9', Primary: false }], SecondaryPrivateIpAddressCount: 1 },
  ])('one way of asking at a time: %j', async (request) => {
    const { create } = await start();
    expect((await errorOf(create(request))).name).toBe('InvalidParameterCombination');
  });
});
