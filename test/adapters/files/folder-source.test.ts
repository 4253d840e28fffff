import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { openFolder } from '../../../lambdas/adapters/files/folder-source.ts';
import { withFolder } from '../../support/temp-folder.ts';
import { allFiles, DOCUMENTS, eni, subnet } from './documents.ts';
import { inFolder, readFolder } from './folders.ts';

const CASES = join(import.meta.dirname, '../../cases');

describe('a folder', () => {
  test('of every case is read', async () => {
    const cases = (await readdir(CASES)).filter((name) => /^c\d\d/.test(name));
    expect(cases.length).toBeGreaterThan(20);
    for (const name of cases) {
      const { facts } = await readFolder(join(CASES, name));
      expect(facts.subnets.length).toBeGreaterThan(0);
    }
  });

  test('with every file of the table gives every fact', async () => {
    await withFolder(allFiles(), async (folder) => {
      const { facts, enis, reading } = await readFolder(folder);
      expect(reading).toMatchObject({
        state: 'read',
        managedResourcesIncluded: true,
        failures: [{ subnetIds: ['subnet-2'] }],
      });
      expect(enis.map(({ eniId }) => eniId)).toEqual(['eni-1', 'eni-2', 'eni-3']);
      expect(enis[0]).toEqual({
        eniId: 'eni-1',
        subnetId: 'subnet-1',
        vpcId: 'vpc-1',
        description: 'aws-K8S-i-1 "\\" {[ éÿ☃🙂',
        interfaceType: 'interface',
        status: 'in-use',
        ownerId: '111111111111',
        requesterManaged: false,
        operatorManaged: false,
        attachment: { instanceId: 'i-1', deviceIndex: 1, networkCardIndex: 0 },
        tags: new Map([['node.k8s.amazonaws.com/instance_id', 'i-1']]),
        primary: 0x0a000105,
        addresses: [0x0a000105],
        prefixes: [0x0a0001e0],
      });
      expect(facts).toMatchObject({
        region: 'us-east-1',
        account: '111111111111',
        now: Date.UTC(2026, 10, 30, 12),
        subnets: [{ subnetId: 'subnet-1', cidr: { base: 0x0a000100, length: 24 } }, { subnetId: 'subnet-2' }],
        reservations: { value: [{ reservationId: 'scr-1', cidr: { length: 26 }, type: 'prefix' }] },
        vpcs: { value: [{ vpcId: 'vpc-1', cidrs: [{ base: 0x0a000000, length: 16 }] }] },
        routeTables: {
          value: [{ main: true, subnetIds: ['subnet-1'], routes: ['0.0.0.0/0 -> nat-1', '10.0.0.0/16 -> local'] }],
        },
        networkAcls: {
          value: [{ entries: ['in 00100 allow 6 10.0.0.0/8 443-443', 'out 00100 allow -1 0.0.0.0/0'] }],
        },
        zones: { value: [{ zone: 'us-east-1a', zoneId: 'use1-az1', zoneType: 'availability-zone' }] },
        instances: { value: [{ instanceId: 'i-1', state: 'running' }] },
        instanceTypes: { value: [{ nitro: true, maxEnis: 3, ipv4PerEni: 10, vcpus: 2 }] },
        clusters: { value: [{ name: 'prod', subnetIds: ['subnet-1', 'subnet-2'], ipFamily: 'ipv4', autoMode: false }] },
        nodegroups: { value: [{ cluster: 'prod', name: 'nodes', desiredSize: 3 }] },
        addons: {
          value: [
            {
              env: new Map([
                ['ENABLE_PREFIX_DELEGATION', 'true'],
                ['WARM_PREFIX_TARGET', '1'],
              ]),
            },
          ],
        },
        kubernetes: [
          {
            nodes: { value: [{ instanceId: 'i-0000000000000000a', maxPods: 29, zone: 'us-east-1a' }] },
            pods: { value: [{ hostNetwork: true, phase: 'Running' }] },
            nodeClasses: { value: [{ kind: 'EC2NodeClass', maxPods: 110, ipPrefixCount: 1 }] },
            nodePools: { value: [{ nodeClass: 'default', expireAfter: '72h' }] },
            eniConfigs: { value: [{ name: 'us-east-1a', subnetId: 'subnet-2' }] },
            daemonSet: { value: { version: 'v1.22.1', env: new Map([['ENABLE_PREFIX_DELEGATION', 'true']]) } },
          },
        ],
      });
    });
  });

  test('with subnets alone says of everything else that it is absent', async () => {
    await withFolder({ 'subnets.json': DOCUMENTS.subnets, 'notes.json': 'not ours' }, async (folder) => {
      const { facts, reading } = await readFolder(folder);
      expect(reading).toEqual({ state: 'absent' });
      const { reservations, vpcs, clusters, instances, zones } = facts;
      for (const input of [reservations, vpcs, clusters, instances, zones]) expect(input).toEqual({ state: 'absent' });
      expect(facts.kubernetes).toEqual([]);
      expect(facts).not.toHaveProperty('now');
    });
  });

  test('of several pages, one of them empty, reads them in the order of their numbers', async () => {
    const page = (...numbers: number[]) => ({ NetworkInterfaces: numbers.map((number) => eni(number)) });
    const files = {
      'subnets.page10.json': { Subnets: [subnet(2)] },
      'subnets.page9.json': [{ Subnets: [subnet(1)] }, { Subnets: [] }],
      'network-interfaces.page10.json': page(3, 1),
      'network-interfaces.page2.json': page(),
      'network-interfaces.page1.json': [page(1), page(2), page()],
      'pods.2.json': { items: [{ metadata: { name: 'b' } }] },
      'pods.1.json': { items: [{ metadata: { name: 'a' } }] },
    };
    await withFolder(files, async (folder) => {
      const { facts, enis } = await readFolder(folder);
      expect(facts.subnets.map(({ subnetId }) => subnetId)).toEqual(['subnet-1', 'subnet-2']);
      expect(enis.map(({ eniId }) => eniId)).toEqual(['eni-1', 'eni-2', 'eni-3', 'eni-1']);
      expect(facts.kubernetes[0]?.pods).toMatchObject({ value: [{ name: 'a' }, { name: 'b' }] });
    });
  });

  test('gives no region where its subnets name two', async () => {
    const other = subnet(2, { SubnetArn: 'arn:aws:ec2:eu-west-1:111111111111:subnet/subnet-2' });
    await withFolder({ 'subnets.json': { Subnets: [subnet(1), other] } }, async (folder) => {
      expect((await readFolder(folder)).facts).not.toHaveProperty('region');
    });
  });

  test('has its time overruled by the caller', async () => {
    await withFolder(allFiles(), async (folder) => {
      expect((await openFolder(folder, { now: 5 }).facts()).now).toBe(5);
    });
  });

  test('may have files with a byte order mark', async () => {
    const marked = (document: unknown) => `\ufeff${JSON.stringify(document)}`;
    const files = {
      'subnets.json': marked(DOCUMENTS.subnets),
      'network-interfaces.json': marked(DOCUMENTS['network-interfaces']),
    };
    await withFolder(files, async (folder) => expect((await readFolder(folder)).enis).toHaveLength(3));
  });

  test('tells how many interfaces it has read', async () => {
    await withFolder({ ...allFiles(), 'network-interfaces2.json': { NetworkInterfaces: [eni(4)] } }, async (folder) => {
      const seen: unknown[] = [];
      const source = openFolder(folder, { progress: (input, read) => void seen.push([input, read]) });
      await source.networkInterfaces(await source.facts(), { add: () => {} });
      expect(seen).toContainEqual(['network-interfaces', 3]);
      expect(seen.at(-1)).toEqual(['network-interfaces', 4]);
    });
  });
});

describe('files that contradict each other', () => {
  test('on a subnet', async () => {
    const files = {
      'subnets.json': { Subnets: [subnet(1)] },
      'subnets2.json': { Subnets: [subnet(1, { AvailableIpAddressCount: 3 })] },
    };
    expect(await inFolder(files)).toBe(
      'subnets2.json: says something else of subnet-1 than subnets.json; expected one state of each, all files from one read',
    );
  });

  test('a repeated subnet is one', async () => {
    const files = { 'subnets.json': { Subnets: [subnet(1)] }, 'subnets2.json': { Subnets: [subnet(1)] } };
    await withFolder(files, async (folder) => expect((await readFolder(folder)).facts.subnets).toHaveLength(1));
  });
});
