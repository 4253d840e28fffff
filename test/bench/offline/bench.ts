/**
 * Files: the command itself on S2 as one exported file of about 330 MB, on the same with ten times as many interfaces in the same subnets, and on a small case for its start (goals of reading files in
 * docs/performance.md).
 */

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataSet } from '../kernel/data.ts';
import { type Spread, spread } from '../measure.ts';

const ROOT = join(import.meta.dirname, '../../..');
const COMMAND = join(ROOT, 'bin/headroom.js');
const ENIS_PER_SUBNET = 100;

export interface OfflineResult {
  readonly name: string;
  readonly megabytes: number;
  readonly ms: Spread;
  readonly peakMb: Spread;
}

const hex = (n: number, digits: number) => n.toString(16).padStart(digits, '0');

/** One interface as `aws ec2 describe-network-interfaces` prints it, indented by four. */
function interfaceJson(
  serial: number,
  subnet: number,
  addresses: readonly string[],
  prefix: string | undefined,
): string {
  const instance = `i-0${hex(Math.floor(serial / 3), 16)}`;
  const raw = {
    Attachment: {
      AttachTime: '2026-11-29T10:00:00.000Z',
      AttachmentId: `eni-attach-0${hex(serial, 16)}`,
      DeleteOnTermination: true,
      DeviceIndex: serial % 4,
      NetworkCardIndex: 0,
      InstanceId: instance,
      InstanceOwnerId: '111111111111',
      Status: 'attached',
    },
    AvailabilityZone: 'us-east-1a',
    Description: `aws-K8S-${instance}`,
    Groups: [{ GroupName: 'nodes', GroupId: 'sg-00000000000000007' }],
    InterfaceType: 'interface',
    Ipv6Addresses: [],
    MacAddress: '02:00:00:00:00:01',
    NetworkInterfaceId: `eni-0${hex(serial, 16)}`,
    OwnerId: '111111111111',
    PrivateDnsName: 'ip-x.ec2.internal',
    PrivateIpAddress: addresses[0],
    PrivateIpAddresses: addresses.map((address, index) => ({
      Primary: index === 0,
      PrivateDnsName: `ip-${address.replaceAll('.', '-')}.ec2.internal`,
      PrivateIpAddress: address,
    })),
    ...(prefix === undefined ? {} : { Ipv4Prefixes: [{ Ipv4Prefix: prefix }] }),
    RequesterManaged: false,
    SourceDestCheck: true,
    Status: 'in-use',
    SubnetId: `subnet-0${hex(subnet, 16)}`,
    TagSet: [
      { Key: 'cluster.k8s.amazonaws.com/name', Value: `prod-${serial % 9}` },
      { Key: 'node.k8s.amazonaws.com/instance_id', Value: instance },
    ],
    VpcId: `vpc-0${hex(Math.floor(subnet / 50), 16)}`,
  };
  return JSON.stringify(raw, null, 4);
}

/** @param times so often each interface, each time with another id: more interfaces, the same subnets and addresses. */
async function writeRegion(folder: string, times: number): Promise<number> {
  mkdirSync(folder);
  const region = dataSet('S2');
  const subnets = region.map(({ cidr }, index) => ({
    AvailabilityZone: 'us-east-1a',
    AvailabilityZoneId: 'use1-az1',
    AvailableIpAddressCount: 0,
    CidrBlock: cidr,
    State: 'available',
    SubnetId: `subnet-0${hex(index, 16)}`,
    VpcId: `vpc-0${hex(Math.floor(index / 50), 16)}`,
    OwnerId: '111111111111',
  }));
  writeFileSync(join(folder, 'subnets.json'), JSON.stringify({ Subnets: subnets }));
  const file = createWriteStream(join(folder, 'network-interfaces.json'));
  let serial = 0;
  file.write('{\n"NetworkInterfaces": [');
  for (let round = 0; round < times; round++) {
    for (const [index, { addresses, prefixes }] of region.entries()) {
      const per = Math.max(1, Math.floor(addresses.length / ENIS_PER_SUBNET));
      for (let i = 0; i < ENIS_PER_SUBNET && i * per < addresses.length; i++) {
        const own = addresses.slice(i * per, (i + 1) * per);
        const text = `${serial === 0 ? '' : ','}\n${interfaceJson(serial, index, own, prefixes[i])}`;
        serial++;
        if (!file.write(text)) await once(file, 'drain');
      }
    }
  }
  file.end('\n]\n}\n');
  await once(file, 'finish');
  return file.bytesWritten / 1e6;
}

const PEAK = join(import.meta.dirname, 'report-peak.ts');

function runCommand(args: readonly string[]): { ms: number; peakMb: number } {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ['--import', PEAK, COMMAND, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  const ms = performance.now() - start;
  const peak = /^peak (\d+)$/m.exec(stderr);
  // 2: done, with critical findings, which a region this full has.
  if (peak === null || (status !== 0 && status !== 2))
    throw new Error(`${args.join(' ')} ended with status ${status}: ${stderr}`);
  return { ms, peakMb: Number(peak[1]) / 1024 };
}

export async function benchOffline(rounds: number): Promise<readonly OfflineResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'headroom-bench-'));
  try {
    const one = join(folder, 'one');
    const many = join(folder, 'many');
    const small = join(ROOT, 'test/cases/c01-frag-23-377-free');
    const sides = [
      { name: 'one case', megabytes: 0, args: ['assess', '--from', small, '--json'] },
      { name: '100,000 interfaces', megabytes: await writeRegion(one, 1), args: ['assess', '--from', one] },
      { name: '1,000,000 interfaces', megabytes: await writeRegion(many, 10), args: ['assess', '--from', many] },
    ];
    const runs = sides.map(() => [] as { ms: number; peakMb: number }[]);
    for (let round = 0; round < rounds; round++) {
      for (const [index, { args }] of sides.entries()) runs[index]?.push(runCommand(args));
    }
    return sides.map(({ name, megabytes }, index) => ({
      name,
      megabytes: Math.round(megabytes),
      ms: spread((runs[index] ?? []).map(({ ms }) => ms)),
      peakMb: spread((runs[index] ?? []).map(({ peakMb }) => peakMb)),
    }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
