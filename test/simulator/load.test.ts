import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as ec2 from '@aws-sdk/client-ec2';
import * as eks from '@aws-sdk/client-eks';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { LoadError, loadWorld, type RunOptions } from '../../simulator/index.ts';
import { runSimulator } from '../../simulator/run.ts';
import { ec2Client, eksClient, errorOf, idOf, serve } from './clients.ts';

const SUBNET = {
  SubnetId: 'subnet-1',
  VpcId: 'vpc-1',
  CidrBlock: '10.0.1.0/24',
  AvailabilityZone: 'eu-west-1a',
  AvailableIpAddressCount: 100,
  OwnerId: '333333333333',
};

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simulator-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function put(files: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
}

const eni = (number: number) => ({
  NetworkInterfaceId: `eni-${number}`,
  SubnetId: 'subnet-1',
  VpcId: 'vpc-1',
  Status: 'available',
  PrivateIpAddress: `10.0.1.${number}`,
  PrivateIpAddresses: [
    {
      Primary: true,
      PrivateIpAddress: `10.0.1.${number}`,
      Association: { PublicIp: '198.51.100.7', IpOwnerId: 'amazon', AllocationId: 'eipalloc-1' },
    },
  ],
  Attachment: { AttachmentId: `a-${number}`, AttachTime: '2026-11-29T10:00:00+00:00', Status: 'attached' },
  Groups: [{ GroupId: 'sg-1', GroupName: 'nodes' }],
  Operator: { Managed: true, Principal: 'eks.amazonaws.com' },
  Ipv6Addresses: [{ Ipv6Address: '2001:db8::1', IsPrimaryIpv6: false }],
  TagSet: [],
});

describe('a folder', () => {
  test('may have one document, an array of them, and numbered files, in their order', async () => {
    await put({
      'subnets.json': { Subnets: [SUBNET] },
      'network-interfaces.page2.json': { NetworkInterfaces: [eni(12)] },
      'network-interfaces.page10.json': [{ NetworkInterfaces: [eni(13)] }, { NetworkInterfaces: [eni(14)] }],
      'network-interfaces.page1.json': { NetworkInterfaces: [eni(11)] },
      'notes.json': 'left alone',
      'expected.json': '[1, 2',
    });
    const world = await loadWorld(folder);
    const client = ec2Client(await serve(world));
    const { NetworkInterfaces } = await client.send(new ec2.DescribeNetworkInterfacesCommand({}));
    const time = { AttachTime: new Date('2026-11-29T10:00:00Z') };
    expect(NetworkInterfaces).toEqual(
      [11, 12, 13, 14].map((number) => ({ ...eni(number), Attachment: { ...eni(number).Attachment, ...time } })),
    );
    expect([world.account, world.region]).toEqual(['333333333333', 'eu-west-1']);
  });

  test('keeps the count of its files until something moves, and then moves it by the rule', async () => {
    await put({ 'subnets.json': { Subnets: [SUBNET] }, 'network-interfaces.json': { NetworkInterfaces: [eni(20)] } });
    const world = await loadWorld(folder);
    expect(world.availableIps('subnet-1')).toBe(100);
    const added = world.addEni({ subnetId: 'subnet-1', prefixCount: 1 });
    expect(world.availableIps('subnet-1')).toBe(83);
    world.deleteEni(idOf(added.NetworkInterfaceId));
    expect(world.availableIps('subnet-1')).toBe(100);
  });

  test('stands still at its own time', async () => {
    await put({ 'subnets.json': { Subnets: [] }, 'now.json': { now: '2026-01-02T03:04:05Z' } });
    expect((await loadWorld(folder)).clock()).toBe(Date.UTC(2026, 0, 2, 3, 4, 5));
  });

  test('has EKS documents with their times, and a cluster that only a node group names', async () => {
    await put({
      'subnets.json': { Subnets: [] },
      'clusters.json': [
        { cluster: { name: 'one', createdAt: '2026-01-02T03:04:05+00:00', health: { issues: [] } } },
        { cluster: { name: 'two' } },
      ],
      'nodegroups.json': { nodegroup: { clusterName: 'three', nodegroupName: 'n' } },
      'addons.json': { addon: { clusterName: 'one', addonName: 'vpc-cni', addonVersion: 'v1.22.1-eksbuild.1' } },
    });
    const client = eksClient(await serve(await loadWorld(folder), { pageSize: 2 }));
    const names: string[] = [];
    for await (const page of eks.paginateListClusters({ client }, {})) names.push(...(page.clusters ?? []));
    expect(names).toEqual(['one', 'three', 'two']);
    const { cluster } = await client.send(new eks.DescribeClusterCommand({ name: 'one' }));
    expect(cluster).toMatchObject({ createdAt: new Date('2026-01-02T03:04:05Z'), health: { issues: [] } });
    const { addons } = await client.send(new eks.ListAddonsCommand({ clusterName: 'one' }));
    expect(addons).toEqual(['vpc-cni']);
    const { addon } = await client.send(new eks.DescribeAddonCommand({ clusterName: 'one', addonName: 'vpc-cni' }));
    expect(addon?.addonVersion).toBe('v1.22.1-eksbuild.1');
    const { nodegroups } = await client.send(new eks.ListNodegroupsCommand({ clusterName: 'three' }));
    expect(nodegroups).toEqual(['n']);
    const missing = await errorOf(client.send(new eks.DescribeAddonCommand({ clusterName: 'two', addonName: 'x' })));
    expect(missing).toMatchObject({ name: 'ResourceNotFoundException', status: 404 });
    const nowhere = await errorOf(client.send(new eks.DescribeClusterCommand({ name: 'four' })));
    expect(nowhere.name).toBe('ResourceNotFoundException');
  });

  test.each([
    [{}, 'no subnets*.json'],
    [{ 'subnets.json': '{"Subnets": [' }, 'subnets.json: not readable as JSON'],
    [{ 'subnets.json': { Vpcs: [] } }, 'subnets.json: no list "Subnets"'],
    [{ 'subnets.json': { Subnets: [null] } }, 'subnets.json: Subnets[0] is no JSON object'],
    [{ 'subnets.json': { Subnets: [{}] } }, 'subnets.json: an entry without its id'],
    [{ 'subnets.json': [{ Subnets: [] }, 7] }, 'subnets.json: document 1 is no JSON object'],
    [{ 'subnets.json': { Subnets: [] }, 'network-interfaces-3.json': {} }, 'network-interfaces-3.json: no list'],
    [{ 'subnets.json': { Subnets: [] }, 'clusters.json': {} }, 'clusters.json: no object "cluster"'],
    [{ 'subnets.json': { Subnets: [] }, 'now.json': { now: 'soon' } }, 'now.json: "now" is no ISO time'],
  ])('that is broken is refused by the name of its file: %j', async (files, message) => {
    await put(files);
    const loading = loadWorld(folder);
    await expect(loading).rejects.toThrow(LoadError);
    await expect(loading).rejects.toThrow(message);
  });
});

describe('by hand', () => {
  async function run(options: RunOptions, whileRunning: (lines: readonly string[]) => Promise<void> = async () => {}) {
    const lines: string[] = [];
    const errors: string[] = [];
    const stop = Promise.withResolvers<void>();
    const host = {
      out: (line: string) => {
        lines.push(line);
        if (line.startsWith('AWS_SECRET')) void whileRunning(lines).finally(() => stop.resolve());
      },
      err: (line: string) => errors.push(line),
      stopped: stop.promise,
    };
    return { status: await runSimulator(options, host), lines, errors };
  }

  test('prints where it is and what to set, and ends with 0', async () => {
    await put({ 'subnets.json': { Subnets: [SUBNET] } });
    let body = '';
    const { status, lines } = await run({ port: 0, from: folder, region: 'eu-west-1' }, async (printed) => {
      const query = new URLSearchParams({ Action: 'DescribeSubnets', Version: '2016-11-15' });
      body = await (await fetch(idOf(printed[0]), { method: 'POST', body: query })).text();
    });
    expect(status).toBe(0);
    expect(body).toContain('<subnetId>subnet-1</subnetId>');
    const url = idOf(lines[0]);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(lines.slice(1)).toEqual([
      `AWS_ENDPOINT_URL_EC2=${url}`,
      `AWS_ENDPOINT_URL_EKS=${url}`,
      `AWS_ENDPOINT_URL_STS=${url}`,
      'AWS_REGION=eu-west-1',
      'AWS_ACCESS_KEY_ID=simulated',
      'AWS_SECRET_ACCESS_KEY=simulated',
    ]);
  });

  test('a busy port and a bad folder are one line and status 1', async () => {
    const busy = await serve(await emptyWorld());
    expect(await run({ port: busy.port })).toEqual({
      status: 1,
      lines: [],
      errors: [`port ${busy.port} is in use: choose another with --port, or 0 for any`],
    });
    const nowhere = join(folder, 'nowhere');
    const bad = await run({ port: 0, from: nowhere });
    expect(bad).toMatchObject({
      status: 1,
      lines: [],
      errors: [expect.stringContaining(`cannot read folder ${nowhere}`)],
    });
    expect(await run({ port: 70_000 })).toMatchObject({ status: 1, errors: ['port 70000 is none: 0 to 65535'] });
  });

  async function emptyWorld() {
    await put({ 'subnets.json': { Subnets: [] } });
    return loadWorld(folder);
  }
});
