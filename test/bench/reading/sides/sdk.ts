/** What a careful script does with the SDK's paginator and the best library for address blocks. */
import { DescribeSubnetsCommand, EC2Client, paginateDescribeNetworkInterfaces } from '@aws-sdk/client-ec2';
import { excludeCidr } from 'cidr-tools';
import { blockSize, type Cidr, formatIpv4, parseCidr } from '../../../../lambdas/core/ip/ipv4.ts';
import { config, eachVpc, inVpc, measureRegion } from './side.ts';

await measureRegion(async () => {
  const client = new EC2Client(config);
  const { Subnets = [] } = await client.send(new DescribeSubnetsCommand({}));
  const held = new Map<string, string[]>(Subnets.map(({ SubnetId }) => [SubnetId as string, []]));
  await eachVpc(async (id) => {
    for await (const page of paginateDescribeNetworkInterfaces({ client }, inVpc(id))) {
      for (const eni of page.NetworkInterfaces ?? []) {
        const list = held.get(eni.SubnetId as string);
        for (const { PrivateIpAddress } of eni.PrivateIpAddresses ?? []) list?.push(PrivateIpAddress as string);
        for (const { Ipv4Prefix } of eni.Ipv4Prefixes ?? []) list?.push(Ipv4Prefix as string);
      }
    }
  });
  return [...Subnets]
    .sort((a, b) => ((a.SubnetId as string) < (b.SubnetId as string) ? -1 : 1))
    .map(({ SubnetId, CidrBlock }) => {
      const { base, length } = parseCidr(CidrBlock as string) as Cidr;
      const size = blockSize(length);
      const aws = [0, 1, 2, 3, size - 1].map((offset) => formatIpv4(base + offset));
      let freeIps = 0;
      let freePrefixes = 0;
      let largest = 0;
      for (const block of excludeCidr([CidrBlock as string], [...aws, ...(held.get(SubnetId as string) as string[])])) {
        const bits = Number(block.slice(block.indexOf('/') + 1));
        freeIps += 2 ** (32 - bits);
        if (bits <= 28) freePrefixes += 2 ** (28 - bits);
        if (bits <= 28 && (largest === 0 || bits < largest)) largest = bits;
      }
      return { used: size - 5 - freeIps, freePrefixes, largest };
    });
});
