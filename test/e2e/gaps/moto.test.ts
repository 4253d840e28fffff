import {
  CreateNetworkInterfaceCommand,
  CreateSubnetCommand,
  CreateVpcCommand,
  DescribeIpamsCommand,
  DescribeSubnetsCommand,
  EC2Client,
} from '@aws-sdk/client-ec2';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Moto, startMoto } from '../../moto/moto.ts';

let moto: Moto;
let ec2: EC2Client;

beforeAll(async () => {
  moto = await startMoto();
  ec2 = new EC2Client({
    endpoint: moto.url,
    region: 'us-east-1',
    maxAttempts: 1,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
});

afterAll(async () => {
  ec2?.destroy();
  await moto?.stop();
});

const makeSubnet = async (block: string): Promise<string> => {
  const { Vpc } = await ec2.send(new CreateVpcCommand({ CidrBlock: '10.0.0.0/16' }));
  const { Subnet } = await ec2.send(new CreateSubnetCommand({ VpcId: Vpc?.VpcId, CidrBlock: block }));
  return Subnet?.SubnetId ?? '';
};

const available = async (SubnetId: string): Promise<number | undefined> => {
  const { Subnets = [] } = await ec2.send(new DescribeSubnetsCommand({ SubnetIds: [SubnetId] }));
  return Subnets[0]?.AvailableIpAddressCount;
};

// A test that fails here says that moto has closed a gap: take the row out of gaps.md, and let the EC2 contract suite use it.
describe('the gaps of EC2 in moto', () => {
  test('MO1 a delegated prefix is not modelled', async () => {
    const SubnetId = await makeSubnet('10.0.1.0/24');
    const { NetworkInterface } = await ec2.send(new CreateNetworkInterfaceCommand({ SubnetId, Ipv4PrefixCount: 1 }));
    expect(NetworkInterface?.Ipv4Prefixes ?? []).toEqual([]);
    expect(await available(SubnetId)).toBeGreaterThan(251 - 17);
  });

  test('MO2 a subnet is never full: its count falls below 0', async () => {
    const SubnetId = await makeSubnet('10.0.2.0/28');
    for (let made = 0; made < 12; made += 1) await ec2.send(new CreateNetworkInterfaceCommand({ SubnetId }));
    expect(await available(SubnetId)).toBeLessThan(0);
  });

  test('MO3 an address can be given twice', async () => {
    const SubnetId = await makeSubnet('10.0.3.0/24');
    const same = { SubnetId, PrivateIpAddress: '10.0.3.10' };
    await ec2.send(new CreateNetworkInterfaceCommand(same));
    await expect(ec2.send(new CreateNetworkInterfaceCommand(same))).resolves.toHaveProperty('NetworkInterface');
  });

  test('MO4 pages are not cut', async () => {
    const SubnetId = await makeSubnet('10.0.4.0/24');
    const { Subnets = [], NextToken } = await ec2.send(new DescribeSubnetsCommand({ MaxResults: 5 }));
    expect(SubnetId).toMatch(/^subnet-/);
    // Six default subnets and the new ones.
    expect(Subnets.length).toBeGreaterThan(5);
    expect(NextToken).toBeUndefined();
  });

  test('MO5 DescribeIpams is answered by an HTML page', async () => {
    await expect(ec2.send(new DescribeIpamsCommand({}))).rejects.toMatchObject({ $response: { statusCode: 500 } });
  });
});
