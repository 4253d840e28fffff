import * as ec2 from '@aws-sdk/client-ec2';
import { describe, expect, test } from '@jest/globals';
import { World } from '../../simulator/index.ts';
import { ec2Client, idOf, serve } from './clients.ts';

const SPEC = { subnets: 12, enis: 600, addressesPerEni: 7, prefixEvery: 4, subnetsPerVpc: 5, seed: 9 };

/** Every address that an interface holds, prefixes address by address. */
function holdings(eni: ec2.NetworkInterface): string[] {
  const held = (eni.PrivateIpAddresses ?? []).map((entry) => idOf(entry.PrivateIpAddress));
  for (const { Ipv4Prefix = '' } of eni.Ipv4Prefixes ?? []) {
    const [base = ''] = Ipv4Prefix.split('/');
    const stem = base.slice(0, base.lastIndexOf('.') + 1);
    for (let i = 0; i < 16; i++) held.push(`${stem}${Number(base.slice(stem.length)) + i}`);
  }
  return held;
}

async function readAll(client: ec2.EC2Client, request: ec2.DescribeNetworkInterfacesRequest = {}) {
  const found: ec2.NetworkInterface[] = [];
  for await (const page of ec2.paginateDescribeNetworkInterfaces({ client, pageSize: 100 }, request)) {
    found.push(...(page.NetworkInterfaces ?? []));
  }
  return found;
}

describe('a synthetic region', () => {
  test('holds each address once, and the counts add up', async () => {
    const client = ec2Client(await serve(World.synthetic(SPEC)));
    const enis = await readAll(client);
    expect(enis).toHaveLength(600);
    const { Subnets } = await client.send(new ec2.DescribeSubnetsCommand({}));
    expect(Subnets).toHaveLength(12);
    for (const subnet of Subnets ?? []) {
      const held = enis.filter((eni) => eni.SubnetId === subnet.SubnetId).flatMap(holdings);
      expect(new Set(held).size).toBe(held.length);
      const size = 2 ** (32 - Number(subnet.CidrBlock?.split('/')[1]));
      expect(subnet.AvailableIpAddressCount).toBe(size - 5 - held.length);
    }
  });

  test('is the same for the same seed and another for another', async () => {
    const draw = async (seed: number) => readAll(ec2Client(await serve(World.synthetic({ ...SPEC, seed }))));
    const first = await draw(1);
    expect(await draw(1)).toEqual(first);
    expect(await draw(2)).not.toEqual(first);
  });

  test('is narrowed by subnet and VPC, and found by id', async () => {
    const client = ec2Client(await serve(World.synthetic(SPEC)));
    const all = await readAll(client);
    const Values = [idOf(all[0]?.VpcId)];
    const inVpc = await readAll(client, { Filters: [{ Name: 'vpc-id', Values }] });
    expect(inVpc).toEqual(all.filter((eni) => eni.VpcId === Values[0]));
    expect(inVpc).toHaveLength(250);
    const subnetId = idOf(all[599]?.SubnetId);
    const inSubnet = await readAll(client, { Filters: [{ Name: 'subnet-id', Values: [subnetId] }] });
    expect(inSubnet).toEqual(all.slice(550));
    const NetworkInterfaceIds = [idOf(all[123]?.NetworkInterfaceId)];
    const one = await client.send(new ec2.DescribeNetworkInterfacesCommand({ NetworkInterfaceIds }));
    expect(one.NetworkInterfaces).toEqual([all[123]]);
  });

  test('can be changed like any other', async () => {
    const world = World.synthetic(SPEC);
    const client = ec2Client(await serve(world));
    const all = await readAll(client);
    const subnetId = idOf(all[0]?.SubnetId);
    const before = world.availableIps(subnetId);
    const held = new Set(all.filter((eni) => eni.SubnetId === subnetId).flatMap(holdings));
    for (let i = 0; i < 50; i++) {
      const address = idOf(world.addEni({ subnetId }).PrivateIpAddress);
      expect(held.has(address)).toBe(false);
      held.add(address);
    }
    expect(world.availableIps(subnetId)).toBe(before - 50);
    const eniId = idOf(all[0]?.NetworkInterfaceId);
    world.tag(eniId, { quarantine: 'yes' });
    world.unassign(eniId, [], [idOf(all[0]?.Ipv4Prefixes?.[0]?.Ipv4Prefix)]);
    expect(world.availableIps(subnetId)).toBe(before - 50 + 16);
    const inSubnet = await readAll(client, { Filters: [{ Name: 'subnet-id', Values: [subnetId] }] });
    expect(inSubnet).toHaveLength(100);
    expect(inSubnet[0]?.TagSet).toContainEqual({ Key: 'quarantine', Value: 'yes' });
  });

  test('may have a million interfaces, and one subnet of it is read alone', async () => {
    const world = World.synthetic({ subnets: 10_000, enis: 1_000_000, addressesPerEni: 10, prefixEvery: 3 });
    expect(world.interfaces.size).toBe(1_000_000);
    const last = world.interfaces.at(999_999);
    expect(world.interfaces.get(idOf(last?.NetworkInterfaceId))).toEqual(last);
    const { client, subnetId } = { client: ec2Client(await serve(world)), subnetId: idOf(last?.SubnetId) };
    const Filters = [{ Name: 'subnet-id', Values: [subnetId] }];
    expect(await readAll(client, { Filters })).toHaveLength(100);
  });

  test('a subnet that cannot hold them is refused', () => {
    expect(() => World.synthetic({ subnets: 1, enis: 10_000, addressesPerEni: 30 })).toThrow(RangeError);
  });
});
