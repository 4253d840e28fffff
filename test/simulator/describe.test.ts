import * as ec2 from '@aws-sdk/client-ec2';
import { describe, expect, test } from '@jest/globals';
import { World } from '../../simulator/index.ts';
import { ec2Client, errorOf, idOf, NOON, oneSubnet, serve } from './clients.ts';

function crowd(count: number) {
  const ground = oneSubnet();
  const ids = Array.from({ length: count }, (_, index) =>
    idOf(ground.world.addEni({ subnetId: ground.subnetId, description: `eni ${index}` }).NetworkInterfaceId),
  );
  return { ...ground, ids };
}

async function readAll(client: ec2.EC2Client, request: ec2.DescribeNetworkInterfacesRequest): Promise<string[][]> {
  const pages: string[][] = [];
  let NextToken: string | undefined;
  do {
    const page = await client.send(new ec2.DescribeNetworkInterfacesCommand({ ...request, NextToken }));
    pages.push((page.NetworkInterfaces ?? []).map((eni) => idOf(eni.NetworkInterfaceId)));
    NextToken = page.NextToken;
  } while (NextToken !== undefined);
  return pages;
}

describe('pages', () => {
  test('give every interface once, five at a time', async () => {
    const { world, ids } = crowd(12);
    const pages = await readAll(ec2Client(await serve(world)), { MaxResults: 5 });
    expect(pages.map((page) => page.length)).toEqual([5, 5, 2]);
    expect(pages.flat()).toEqual(ids);
  });

  test('a full last page has no token', async () => {
    const { world } = crowd(10);
    expect(await readAll(ec2Client(await serve(world)), { MaxResults: 5 })).toHaveLength(2);
  });

  test('are no larger than the cap, whatever was asked', async () => {
    const { world } = crowd(12);
    const pages = await readAll(ec2Client(await serve(world, { pageSize: 5 })), { MaxResults: 1000 });
    expect(pages.map((page) => page.length)).toEqual([5, 5, 2]);
  });

  test('may be empty in the middle', async () => {
    const { world, ids } = crowd(12);
    const simulator = await serve(world, { emptyPageEvery: 2 });
    const pages = await readAll(ec2Client(simulator), { MaxResults: 5 });
    expect(pages.map((page) => page.length)).toEqual([5, 0, 5, 0, 2]);
    expect(pages.flat()).toEqual(ids);
  });

  test('may repeat an interface across the border', async () => {
    const { world, ids } = crowd(12);
    const pages = await readAll(ec2Client(await serve(world, { repeatAcrossPages: true })), { MaxResults: 5 });
    expect(pages[1]?.[0]).toBe(pages[0]?.[4]);
    expect([...new Set(pages.flat())]).toEqual(ids);
  });

  test('go on after interfaces that were deleted between them', async () => {
    const { world, ids } = crowd(10);
    const client = ec2Client(await serve(world));
    const first = await client.send(new ec2.DescribeNetworkInterfacesCommand({ MaxResults: 5 }));
    world.deleteEni(idOf(ids[0]));
    world.deleteEni(idOf(ids[5]));
    const second = await client.send(
      new ec2.DescribeNetworkInterfacesCommand({ MaxResults: 5, NextToken: first.NextToken }),
    );
    expect(second.NetworkInterfaces?.map((eni) => eni.NetworkInterfaceId)).toEqual(ids.slice(6));
  });

  test('an id that comes back after it was deleted is one interface', async () => {
    const { world, ids, subnetId } = crowd(3);
    const eni = world.interfaces.get(idOf(ids[0]));
    world.deleteEni(idOf(ids[0]));
    world.putEni({ ...eni, Description: 'again' });
    expect(world.availableIps(subnetId)).toBe(248);
    const client = ec2Client(await serve(world));
    const Filters = [{ Name: 'subnet-id', Values: [subnetId] }];
    const { NetworkInterfaces } = await client.send(new ec2.DescribeNetworkInterfacesCommand({ Filters }));
    expect(NetworkInterfaces?.map((each) => each.Description)).toEqual(['eni 1', 'eni 2', 'again']);
  });

  test.each([
    [{ MaxResults: 4 }, 'InvalidParameterValue'],
    [{ MaxResults: 1001 }, 'InvalidParameterValue'],
    [{ NextToken: 'nonsense' }, 'InvalidPaginationToken'],
    [{ MaxResults: 5, NetworkInterfaceIds: ['eni-1'] }, 'InvalidParameterCombination'],
    [{ NetworkInterfaceIds: ['eni-00000000000000009'] }, 'InvalidNetworkInterfaceID.NotFound'],
    [{ Filters: [{ Name: 'colour', Values: ['red'] }] }, 'InvalidParameterValue'],
  ])('%j is refused with %s', async (request, code) => {
    const client = ec2Client(await serve(crowd(1).world));
    const error = await errorOf(client.send(new ec2.DescribeNetworkInterfacesCommand(request)));
    expect(error).toMatchObject({ name: code, status: 400 });
  });

  test('a region with many interfaces must be paged or narrowed', async () => {
    const { world, subnetId } = crowd(12);
    const client = ec2Client(await serve(world, { rules: { unpaginatedLimit: 10 } }));
    expect(await errorOf(client.send(new ec2.DescribeNetworkInterfacesCommand({})))).toMatchObject({
      name: 'OperationNotPermitted',
    });
    const Filters = [{ Name: 'subnet-id', Values: [subnetId] }];
    expect((await client.send(new ec2.DescribeNetworkInterfacesCommand({ Filters }))).NetworkInterfaces).toHaveLength(
      12,
    );
    expect(await readAll(client, { MaxResults: 1000 })).toHaveLength(1);
  });
});

describe('filters', () => {
  const world = new World({ now: () => NOON });
  const vpcId = idOf(world.addVpc({ cidr: '10.0.0.0/16' }).VpcId);
  const one = idOf(
    world.addSubnet({ vpcId, cidr: '10.0.1.0/24', zone: 'us-east-1a', tags: { team: 'web*' } }).SubnetId,
  );
  const two = idOf(
    world.addSubnet({ vpcId, cidr: '10.0.2.0/24', zone: 'us-east-1b', tags: { team: 'web-1' } }).SubnetId,
  );
  world.addEni({ subnetId: one, description: 'aws-K8S-i-1', tags: { owner: 'cni' } });
  world.addEni({ subnetId: two, description: 'ELB app/x/1' });

  test.each([
    [[{ Name: 'availability-zone', Values: ['us-east-1a'] }], [one]],
    [[{ Name: 'availability-zone-id', Values: ['use1-az2'] }], [two]],
    [[{ Name: 'vpc-id', Values: [vpcId] }], [one, two]],
    [[{ Name: 'available-ip-address-count', Values: ['250'] }], [one, two]],
    [[{ Name: 'tag:team', Values: ['web*'] }], [one, two]],
    [[{ Name: 'tag:team', Values: ['web\\*'] }], [one]],
    [[{ Name: 'tag:team', Values: ['web-?'] }], [two]],
    [[{ Name: 'tag-key', Values: ['team', 'other'] }], [one, two]],
    [
      [
        { Name: 'tag:team', Values: ['web-1'] },
        { Name: 'subnet-id', Values: [one] },
      ],
      [],
    ],
    [[{ Name: 'cidr-block', Values: ['10.0.1.0/24', '10.0.2.0/24'] }], [one, two]],
    [[{ Name: 'cidr-block', Values: ['10.0.1.0?24'] }], [one]],
  ])('%j', async (Filters, expected) => {
    const { Subnets } = await ec2Client(await serve(world)).send(new ec2.DescribeSubnetsCommand({ Filters }));
    expect(Subnets?.map((subnet) => subnet.SubnetId)).toEqual(expected);
  });

  test.each([
    ['description', 'aws-K8S-*', 1],
    ['tag:owner', 'cni', 1],
    ['status', 'available', 2],
    ['interface-type', 'trunk', 0],
    ['vpc-id', 'vpc-0*', 2],
    ['requester-managed', 'false', 2],
  ])('interfaces by %s', async (Name, value, count) => {
    const Filters = [{ Name, Values: [value] }];
    const client = ec2Client(await serve(world));
    const { NetworkInterfaces } = await client.send(new ec2.DescribeNetworkInterfacesCommand({ Filters }));
    expect(NetworkInterfaces).toHaveLength(count);
  });

  test('take 200 values and no more', async () => {
    const client = ec2Client(await serve(world));
    const values = (count: number) => Array.from({ length: count }, (_, index) => `subnet-${index}`).concat(one);
    const ask = (count: number) =>
      client.send(new ec2.DescribeSubnetsCommand({ Filters: [{ Name: 'subnet-id', Values: values(count) }] }));
    expect((await ask(199)).Subnets).toHaveLength(1);
    expect((await errorOf(ask(200))).name).toBe('FilterLimitExceeded');
  });
});

describe('what is hidden', () => {
  test('interfaces that a service operates need IncludeManagedResources', async () => {
    const { world, subnetId } = oneSubnet();
    const Operator = { Managed: true, Principal: 'eks.amazonaws.com', HiddenByDefault: true };
    world.addEni({ subnetId, fields: { Operator } });
    const client = ec2Client(await serve(world));
    const ask = async (IncludeManagedResources?: boolean) => {
      const command = new ec2.DescribeNetworkInterfacesCommand({ IncludeManagedResources });
      return (await client.send(command)).NetworkInterfaces ?? [];
    };
    expect(await ask()).toEqual([]);
    expect((await ask(true))[0]?.Operator).toEqual(Operator);
    world.setRules({ managedVisibility: 'visible' });
    expect(await ask()).toHaveLength(1);
  });

  test('a participant sees only its own interfaces in a shared subnet', async () => {
    const { world, vpcId } = oneSubnet();
    const shared = idOf(world.addSubnet({ vpcId, cidr: '10.0.9.0/24', fields: { OwnerId: '222222222222' } }).SubnetId);
    world.addEni({ subnetId: shared });
    world.addEni({ subnetId: shared, fields: { OwnerId: '222222222222' } });
    const client = ec2Client(await serve(world, { rules: { participantView: true } }));
    const { NetworkInterfaces } = await client.send(new ec2.DescribeNetworkInterfacesCommand({}));
    expect(NetworkInterfaces?.map((eni) => eni.OwnerId)).toEqual(['111111111111']);
    expect(world.availableIps(shared)).toBe(249);
  });
});

describe('the other reads', () => {
  test('reservations come one subnet a call, and only for a subnet that exists', async () => {
    const { world, subnetId, vpcId } = oneSubnet();
    const other = idOf(world.addSubnet({ vpcId, cidr: '10.0.2.0/24' }).SubnetId);
    for (let i = 0; i < 7; i++) world.addReservation({ subnetId, cidr: `10.0.1.${16 + 16 * i}/28`, type: 'prefix' });
    world.addReservation({ subnetId: other, cidr: '10.0.2.0/31', type: 'explicit', description: 'hosts' });
    const client = ec2Client(await serve(world));
    const ask = (request: ec2.GetSubnetCidrReservationsRequest) =>
      client.send(new ec2.GetSubnetCidrReservationsCommand(request));
    const first = await ask({ SubnetId: subnetId, MaxResults: 5 });
    expect(first.SubnetIpv4CidrReservations).toHaveLength(5);
    const second = await ask({ SubnetId: subnetId, MaxResults: 5, NextToken: first.NextToken });
    expect(second.SubnetIpv4CidrReservations).toHaveLength(2);
    expect(second.NextToken).toBeUndefined();
    expect((await ask({ SubnetId: other })).SubnetIpv4CidrReservations).toMatchObject([
      { Cidr: '10.0.2.0/31', ReservationType: 'explicit', Description: 'hosts', SubnetId: other },
    ]);
    expect((await errorOf(ask({ SubnetId: 'subnet-0' }))).name).toBe('InvalidSubnetID.NotFound');
  });

  test('a new VPC has a main route table and a default network ACL', async () => {
    const { world, vpcId } = oneSubnet();
    const client = ec2Client(await serve(world));
    const { Vpcs } = await client.send(new ec2.DescribeVpcsCommand({ VpcIds: [vpcId] }));
    expect(Vpcs?.[0]?.CidrBlockAssociationSet).toMatchObject([
      { CidrBlock: '10.0.0.0/16', CidrBlockState: { State: 'associated' } },
    ]);
    const main = [{ Name: 'association.main', Values: ['true'] }];
    const { RouteTables } = await client.send(new ec2.DescribeRouteTablesCommand({ Filters: main }));
    expect(RouteTables).toMatchObject([
      { VpcId: vpcId, Routes: [{ DestinationCidrBlock: '10.0.0.0/16', GatewayId: 'local', State: 'active' }] },
    ]);
    const acls = await client.send(new ec2.DescribeNetworkAclsCommand({}));
    expect(acls.NetworkAcls).toMatchObject([{ VpcId: vpcId, IsDefault: true }]);
  });

  test('zones have names, ids and types', async () => {
    const world = new World({ region: 'ap-southeast-2', zones: 'ab' });
    world.addZone('ap-southeast-2-per-1a', 'apse2-per1-az1', 'local-zone');
    const { AvailabilityZones } = await ec2Client(await serve(world)).send(
      new ec2.DescribeAvailabilityZonesCommand({}),
    );
    expect(AvailabilityZones?.map((zone) => [zone.ZoneName, zone.ZoneId, zone.ZoneType])).toEqual([
      ['ap-southeast-2a', 'apse2-az1', 'availability-zone'],
      ['ap-southeast-2b', 'apse2-az2', 'availability-zone'],
      ['ap-southeast-2-per-1a', 'apse2-per1-az1', 'local-zone'],
    ]);
  });

  test('instance types have limits, and an unknown one is an error', async () => {
    const client = ec2Client(await serve(oneSubnet().world));
    const ask = (request: ec2.DescribeInstanceTypesRequest) =>
      client.send(new ec2.DescribeInstanceTypesCommand(request));
    const { InstanceTypes } = await ask({ InstanceTypes: ['m5.large'] });
    expect(InstanceTypes).toMatchObject([
      { Hypervisor: 'nitro', NetworkInfo: { MaximumNetworkInterfaces: 3, Ipv4AddressesPerInterface: 10 } },
    ]);
    const unknown = ask({ InstanceTypes: ['m5.large', 'z9.huge' as ec2._InstanceType] });
    expect((await errorOf(unknown)).name).toBe('InvalidInstanceType');
    expect((await errorOf(ask({ MaxResults: 101 }))).name).toBe('InvalidParameterValue');
  });

  test('a parameter and an action that EC2 does not have are refused', async () => {
    const { url } = await serve(oneSubnet().world);
    const ask = async (fields: Readonly<Record<string, string>>): Promise<string> => {
      const response = await fetch(url, {
        method: 'POST',
        body: new URLSearchParams({ Version: '2016-11-15', ...fields }),
      });
      return response.text();
    };
    expect(await ask({ Action: 'DescribeSubnets', 'Colour.1': 'red' })).toContain('<Code>UnknownParameter</Code>');
    expect(await ask({ Action: 'DescribeSubnets', MaxResults: 'many' })).toContain(
      '<Code>InvalidParameterValue</Code>',
    );
    expect(await ask({ Action: 'Dance' })).toContain('<Code>InvalidAction</Code>');
  });
});
