import { CreateSubnetCommand, CreateVpcCommand, DescribeSubnetsCommand, EC2Client } from '@aws-sdk/client-ec2';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Moto, startMoto } from './moto.ts';

let moto: Moto;
let ec2: EC2Client;

beforeAll(async () => {
  moto = await startMoto();
  ec2 = new EC2Client({
    endpoint: moto.url,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
});

afterAll(async () => {
  ec2?.destroy();
  await moto?.stop();
});

test('moto answers the real EC2 client, and counts a new /28 as EC2 does: 16 less the five that AWS keeps', async () => {
  const { Vpc } = await ec2.send(new CreateVpcCommand({ CidrBlock: '10.20.0.0/24' }));
  const { Subnet } = await ec2.send(new CreateSubnetCommand({ VpcId: Vpc?.VpcId, CidrBlock: '10.20.0.16/28' }));
  const { Subnets } = await ec2.send(new DescribeSubnetsCommand({ SubnetIds: [Subnet?.SubnetId ?? ''] }));
  expect(Subnets).toEqual([
    expect.objectContaining({
      SubnetId: Subnet?.SubnetId,
      VpcId: Vpc?.VpcId,
      CidrBlock: '10.20.0.16/28',
      AvailableIpAddressCount: 11,
    }),
  ]);
});
