/**
 * One way to read the served region, in a process of its own: `node sides.ts SIDE URL VPCS SEQUENCES` prints wall time, processor time, peak memory and the digest of what it
 * found, as JSON.
 *
 * Whole regions: `headroom` (the product: scanner, address maps, ledgers) and `sdk` (the SDK's paginator and cidr-tools). Pages alone: `scanner` and `paginator`, which count addresses.
 */
import {
  DescribeNetworkInterfacesCommand,
  DescribeSubnetsCommand,
  EC2Client,
  paginateDescribeNetworkInterfaces,
} from '@aws-sdk/client-ec2';
import { excludeCidr } from 'cidr-tools';
import { EniQueryProtocol, scannedPage } from '../../../lambdas/adapters/ec2/eni-reader/eni-query-protocol.ts';
import { openRegion } from '../../../lambdas/adapters/live/open-region.ts';
import { subnetLedgers } from '../../../lambdas/core/assess/context.ts';
import { blockSize, type Cidr, formatIpv4, parseCidr } from '../../../lambdas/core/ip/ipv4.ts';
import { isFull } from '../../../lambdas/core/subnet/ledger.ts';
import { OccupancyBuilder } from '../../../lambdas/core/subnet/occupancy.ts';
import { type Answer, digest } from '../kernel/digest.ts';
import { vpcId } from './region.ts';

const [side, endpoint, vpcs, sequences] = process.argv.slice(2) as [string, string, string, string];
const config = { region: 'us-east-1', endpoint, credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' } };
const vpcIds = Array.from({ length: Number(vpcs) }, (_, index) => vpcId(index));
const filterOf = (id: string) => ({ MaxResults: 1000, Filters: [{ Name: 'vpc-id', Values: [id] }] });

/** Works through the VPCs with so many at once. */
async function eachVpc(work: (id: string) => Promise<void>): Promise<void> {
  const queue = [...vpcIds];
  const worker = async () => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) await work(id);
  };
  await Promise.all(Array.from({ length: Number(sequences) }, worker));
}

/** The product as the observe function has it, on the subnets and interfaces alone. */
async function headroom(): Promise<readonly Answer[]> {
  const source = openRegion({
    ...config,
    now: 0,
    apiShare: 1,
    concurrency: Number(sequences),
    inputs: new Set(['network-interfaces']),
  });
  const facts = await source.facts();
  const builder = new OccupancyBuilder(facts);
  const enis = await source.networkInterfaces(facts, builder);
  if (enis.state !== 'read' || enis.failures.length > 0 || (enis.decodedBySdk ?? 0) > 0)
    throw new Error(`not read whole by the scanner: ${JSON.stringify(enis)}`);
  return [...subnetLedgers(facts, enis, builder.finish()).values()].map(({ ledger }) => {
    if (!isFull(ledger)) throw new Error('no ledger');
    return { used: ledger.usedIps, freePrefixes: ledger.freePrefixes, largest: ledger.largestFreeBlockLength ?? 0 };
  });
}

/** What a careful script does with the SDK and the best library for address blocks. */
async function sdk(): Promise<readonly Answer[]> {
  const client = new EC2Client(config);
  const { Subnets = [] } = await client.send(new DescribeSubnetsCommand({}));
  const held = new Map<string, string[]>(Subnets.map(({ SubnetId }) => [SubnetId as string, []]));
  await eachVpc(async (id) => {
    for await (const page of paginateDescribeNetworkInterfaces({ client }, filterOf(id))) {
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
}

/** Reads the pages of one VPC; counts what was on them. */
async function scanPages(id: string): Promise<number> {
  const client = new EC2Client({ ...config, protocol: EniQueryProtocol });
  let addresses = 0;
  let token: string | undefined;
  do {
    const input = { ...filterOf(id), ...(token === undefined ? {} : { NextToken: token }) };
    const page = scannedPage(await client.send(new DescribeNetworkInterfacesCommand(input)));
    for (const record of page.records) addresses += record.addresses.length + 16 * record.prefixes.length;
    token = page.nextToken;
  } while (token !== undefined);
  return addresses;
}

async function pageThrough(id: string): Promise<number> {
  const client = new EC2Client(config);
  let addresses = 0;
  for await (const page of paginateDescribeNetworkInterfaces({ client }, filterOf(id))) {
    for (const eni of page.NetworkInterfaces ?? []) {
      addresses += (eni.PrivateIpAddresses?.length ?? 0) + 16 * (eni.Ipv4Prefixes?.length ?? 0);
    }
  }
  return addresses;
}

/** The first VPC warms up; processor time of the others counts. */
async function pagesAlone(read: (id: string) => Promise<number>): Promise<{ ms: number; digest: string }> {
  const [first, ...others] = vpcIds as [string, ...string[]];
  await read(first);
  const before = process.cpuUsage();
  let addresses = 0;
  for (const id of others) addresses += await read(id);
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1000, digest: String(addresses) };
}

async function wholeRegion(read: () => Promise<readonly Answer[]>) {
  const start = performance.now();
  const before = process.cpuUsage();
  const answers = await read();
  const { user, system } = process.cpuUsage(before);
  return {
    ms: performance.now() - start,
    cpuMs: (user + system) / 1000,
    peakMb: process.resourceUsage().maxRSS / 1024,
    digest: digest(answers),
  };
}

const SIDES: Readonly<Record<string, () => Promise<object>>> = {
  headroom: () => wholeRegion(headroom),
  sdk: () => wholeRegion(sdk),
  scanner: () => pagesAlone(scanPages),
  paginator: () => pagesAlone(pageThrough),
};
const run = SIDES[side];
if (run === undefined) throw new Error(`no such side: ${side}`);
process.stdout.write(`${JSON.stringify(await run())}\n`);
