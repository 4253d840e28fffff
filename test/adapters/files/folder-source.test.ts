import { chmod, mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { openFolder } from '../../../lambdas/adapters/files/folder-source.ts';
import { InputError } from '../../../lambdas/core/input/input-error.ts';
import type { EniRecord } from '../../../lambdas/core/subnet/snapshot.ts';
import { withFolder } from '../../support/temp-folder.ts';
import { allFiles, DOCUMENTS, eni, subnet } from './documents.ts';

const CASES = join(import.meta.dirname, '../../cases');

async function read(folder: string) {
  const source = openFolder(folder);
  const facts = await source.facts();
  const enis: EniRecord[] = [];
  const reading = await source.networkInterfaces(facts, { add: (record) => void enis.push(record) });
  return { facts, enis, reading };
}

async function messageOf(folder: string): Promise<string> {
  try {
    await read(folder);
  } catch (error) {
    if (error instanceof InputError) return error.message.replaceAll(folder, 'DIR');
    throw error;
  }
  return 'no error';
}

const inFolder = (files: { readonly [name: string]: unknown }) => withFolder(files, messageOf);

describe('a folder', () => {
  test('of every case is read', async () => {
    const cases = (await readdir(CASES)).filter((name) => /^c\d\d/.test(name));
    expect(cases.length).toBeGreaterThan(20);
    for (const name of cases) {
      const { facts } = await read(join(CASES, name));
      expect(facts.subnets.length).toBeGreaterThan(0);
    }
  });

  test('with every file of the table gives every fact', async () => {
    await withFolder(allFiles(), async (folder) => {
      const { facts, enis, reading } = await read(folder);
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
      const { facts, reading } = await read(folder);
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
      const { facts, enis } = await read(folder);
      expect(facts.subnets.map(({ subnetId }) => subnetId)).toEqual(['subnet-1', 'subnet-2']);
      expect(enis.map(({ eniId }) => eniId)).toEqual(['eni-1', 'eni-2', 'eni-3', 'eni-1']);
      expect(facts.kubernetes[0]?.pods).toMatchObject({ value: [{ name: 'a' }, { name: 'b' }] });
    });
  });

  test('gives no region where its subnets name two', async () => {
    const other = subnet(2, { SubnetArn: 'arn:aws:ec2:eu-west-1:111111111111:subnet/subnet-2' });
    await withFolder({ 'subnets.json': { Subnets: [subnet(1), other] } }, async (folder) => {
      expect((await read(folder)).facts).not.toHaveProperty('region');
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
    await withFolder(files, async (folder) => expect((await read(folder)).enis).toHaveLength(3));
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

describe('a folder that cannot be read', () => {
  const wanted = 'expected a folder with subnets.json, the output of describe-subnets';

  test('is not there', async () => {
    expect(await messageOf('/nowhere/at all')).toBe(`DIR: is not there, or is a link to nothing; ${wanted}`);
    await expect(openFolder('').facts()).rejects.toThrow('"": is not there');
  });

  test('is a file', async () => {
    await withFolder({ a: '' }, async (folder) => {
      expect(await messageOf(join(folder, 'a'))).toBe(`DIR: is not a folder; ${wanted}`);
    });
  });

  test('is empty', async () => {
    expect(await inFolder({})).toBe(`DIR: is an empty folder; ${wanted}`);
  });

  test('holds other files only', async () => {
    expect(await inFolder({ 'vpcs.json': DOCUMENTS.vpcs, 'a.txt': '' })).toBe(
      `DIR: holds no subnets*.json (but a.txt, vpcs.json); ${wanted}`,
    );
  });

  test('is a loop of links', async () => {
    await withFolder({}, async (folder) => {
      await symlink('loop', join(folder, 'loop'));
      expect(await messageOf(join(folder, 'loop'))).toBe(`DIR: is a loop of symbolic links; ${wanted}`);
    });
  });

  const asRoot = process.getuid?.() === 0;
  (asRoot ? test.skip : test)('may not be read', async () => {
    await withFolder(allFiles(), async (folder) => {
      await chmod(folder, 0);
      try {
        expect(await messageOf(folder)).toBe(`DIR: may not be read (permission denied); ${wanted}`);
      } finally {
        await chmod(folder, 0o700);
      }
    });
  });
});

describe.each(['subnets', 'network-interfaces', 'vpcs'] as const)('%s.json that cannot be read', (name) => {
  const command = `describe-${name}`;
  const expected = `expected the output of ${command}`;
  const file = `${name}.json`;
  const streamed = name === 'network-interfaces';
  const with_ = (content: unknown) => inFolder({ 'subnets.json': DOCUMENTS.subnets, [file]: content });

  test('is empty, blank, or a list of nothing', async () => {
    expect(await with_('')).toBe(`${file}: is an empty file; ${expected}`);
    expect(await with_(' \n')).toBe(`${file}: is blank; ${expected}`);
    expect(await with_('[]')).toBe(
      `${file}: is an empty list; expected at least one document: the output of ${command}`,
    );
  });

  test('is the output of another command', async () => {
    const key = { subnets: 'Subnets', 'network-interfaces': 'NetworkInterfaces', vpcs: 'Vpcs' }[name];
    expect(await with_(DOCUMENTS.instances)).toBe(
      `${file}: looks like describe-instances output; ${expected}, an object with "${key}"`,
    );
    expect(await with_([DOCUMENTS[name], DOCUMENTS.clusters])).toBe(
      `${file}: [1]: looks like eks describe-cluster output; ${expected}, an object with "${key}"`,
    );
    expect(await with_({ a: 1, b: [], c: null, d: {}, e: '' })).toBe(
      `${file}: is an object with the keys "a", "b", "c", "d", ...; ${expected}, an object with "${key}"`,
    );
    expect(await with_({})).toBe(`${file}: is an object with no keys; ${expected}, an object with "${key}"`);
    expect(await with_({ kind: 'PodList', items: [{ NetworkInterfaces: [] }] })).toBe(
      `${file}: looks like kubectl output of kind "PodList"; ${expected}, an object with "${key}"`,
    );
  });

  test('is no document', async () => {
    for (const [text, what] of [
      ['12', 'the number 12'],
      ['null', 'null'],
      ['"a"', '"a"'],
      ['true', 'the boolean true'],
    ]) {
      const tail = streamed ? expected : `${expected}, an object with`;
      expect(await with_(text)).toContain(`${file}: is ${what}; ${tail}`);
      expect(await with_(`[${text}]`)).toContain(`${file}: [0]: is ${what}; ${tail}`);
    }
  });

  test('is UTF-16, no UTF-8, or compressed', async () => {
    const text = JSON.stringify(DOCUMENTS[name]);
    const wide = `${file}: is UTF-16 text or no text at all; expected UTF-8 (in PowerShell: pipe into "Out-File -Encoding utf8")`;
    expect(await with_(Buffer.from(`\ufeff${text}`, 'utf16le'))).toBe(wide);
    expect(await with_(Buffer.from(text, 'utf16le'))).toBe(wide);
    expect(await with_(Buffer.from(text.replace('vpc-1', 'vpc-\xff'), 'latin1'))).toMatch(
      /has bytes that are no UTF-8/,
    );
    expect(await with_(Buffer.from([0x1f, 0x8b, 8, 1, 2]))).toBe(
      `${file}: is compressed by gzip; expected the JSON itself (gunzip it)`,
    );
  });

  test('is a folder, a loop or a link to nothing', async () => {
    await withFolder({ 'subnets1.json': DOCUMENTS.subnets }, async (folder) => {
      const path = join(folder, file);
      await mkdir(path);
      expect(await messageOf(folder)).toBe(`${file}: is a folder; expected a file with the output of ${command}`);
    });
    await withFolder({ 'subnets1.json': DOCUMENTS.subnets }, async (folder) => {
      await symlink(file, join(folder, file));
      expect(await messageOf(folder)).toBe(`${file}: is a loop of symbolic links; ${expected}`);
    });
    await withFolder({ 'subnets1.json': DOCUMENTS.subnets }, async (folder) => {
      await symlink('gone', join(folder, file));
      expect(await messageOf(folder)).toBe(`${file}: is not there, or is a link to nothing; ${expected}`);
    });
    await withFolder({ 'subnets1.json': DOCUMENTS.subnets }, async (folder) => {
      await symlink('/dev/zero', join(folder, file));
      expect(await messageOf(folder)).toBe(
        `${file}: is no regular file; expected a file with the output of ${command}`,
      );
    });
  });
});

describe('broken JSON', () => {
  test.each([
    ['{\n "Subnets": [\n', 'subnets.json: is no JSON at line 3, column 1: the text ends; expected a value or "]"'],
    [
      '{"Subnets": []} x',
      'subnets.json: is no JSON at line 1, column 17: "x"; expected nothing more after the document',
    ],
    [
      '{"Subnets": []}{}',
      'subnets.json: is no JSON at line 1, column 16: "{"; expected nothing more after the document',
    ],
    ["{'Subnets': []}", `subnets.json: is no JSON at line 1, column 2: "'"; expected a key in double quotes, or "}"`],
    ['{"Subnets": [1,]}', 'subnets.json: is no JSON at line 1, column 16: "]"; expected a value'],
    ['{"Subnets": [1 2]}', 'subnets.json: is no JSON at line 1, column 16: "2"; expected "," or "]"'],
    [
      '{"a": "b\nc"}',
      'subnets.json: is no JSON at line 1, column 9: the line ends; expected the end of the string that began before it',
    ],
    ['{"a" "b"}', 'subnets.json: is no JSON at line 1, column 6: "\\""; expected ":"'],
    ['An error occurred', 'subnets.json: is no JSON at line 1, column 1: "A"; expected a value'],
    ['{"a": "\\x"}', 'subnets.json: is no JSON at line 1, column 9: "x"; expected an escape such as \\n or \\u00e9'],
    ['{"a": 01}', 'subnets.json: is no JSON at line 1, column 8: "1"; expected "," or "}"'],
  ])('%j', async (text, message) => {
    expect(await inFolder({ 'subnets.json': text })).toBe(message);
  });

  test.each([
    [
      '{"NetworkInterfaces": [',
      'network-interfaces.json: NetworkInterfaces[0]: is no JSON at byte 23: the file ends; expected a value or "]"',
    ],
    [
      '{"NetworkInterfaces": [{"a": tru',
      'network-interfaces.json: NetworkInterfaces[0]: is no JSON at byte 29: "t"; expected a value',
    ],
    [
      '{"NetworkInterfaces": [{"a": "b',
      'network-interfaces.json: NetworkInterfaces[0]: is no JSON at byte 31: the file ends; expected the end of a string',
    ],
    [
      '{"NetworkInterfaces": [{"a": [1}]',
      'network-interfaces.json: NetworkInterfaces[0]: is no JSON at byte 31: "}"; expected "," or "]"',
    ],
    [
      '{"NetworkInterfaces": []} x',
      'network-interfaces.json: is no JSON at byte 26: "x"; expected nothing more after the document',
    ],
    [
      '{"NetworkInterfaces": [], }',
      'network-interfaces.json: is no JSON at byte 26: "}"; expected a key in double quotes',
    ],
    ['{"NetworkInterfaces": null}', 'network-interfaces.json: NetworkInterfaces: is null; expected a list'],
    ['{"NetworkInterfaces": {}}', 'network-interfaces.json: NetworkInterfaces: is an object; expected a list'],
    [
      '{"NetworkInterfaces": [], "NetworkInterfaces": []}',
      'network-interfaces.json: NetworkInterfaces: stands twice in one document; expected one list',
    ],
    [
      '{"NetworkInterfaces": [null]}',
      'network-interfaces.json: NetworkInterfaces[0] (in the item at byte 23): is null; expected a network interface',
    ],
    ['An error occurred', 'network-interfaces.json: is no JSON at byte 0: "A"; expected a document'],
    [
      '{"NetworkInterfaces" []}',
      'network-interfaces.json: NetworkInterfaces: is no JSON at byte 21: "["; expected ":"',
    ],
    [
      '{"NetworkInterfaces": [é]}',
      'network-interfaces.json: NetworkInterfaces[0]: is no JSON at byte 23: the byte 0xc3; expected a value or "]"',
    ],
  ])('in interfaces: %s', async (text, message) => {
    expect(await inFolder({ 'subnets.json': DOCUMENTS.subnets, 'network-interfaces.json': text })).toBe(message);
  });

  test('in an interface names its index and byte', async () => {
    const broken = eni(2, { PrivateIpAddresses: [{ PrivateIpAddress: '10.0.0.999' }] });
    const document = { NetworkInterfaces: [eni(1), broken] };
    const byte = Buffer.byteLength(JSON.stringify(document).split('{"Attachment"').slice(0, 2).join('{"Attachment"'));
    expect(await inFolder({ 'subnets.json': DOCUMENTS.subnets, 'network-interfaces.json': document })).toBe(
      `network-interfaces.json: NetworkInterfaces[1].PrivateIpAddresses[0].PrivateIpAddress (in the item at byte ${byte}): ` +
        '"10.0.0.999" is no IPv4 address; expected an IPv4 address such as 10.0.0.4',
    );
  });

  test('an interface whose bracket is missing does not swallow the file', async () => {
    const head = '{"NetworkInterfaces": [{"a": [1, ';
    const text = head + '{"b": 2}, '.repeat(2 * 1024 * 1024);
    expect(await inFolder({ 'subnets.json': DOCUMENTS.subnets, 'network-interfaces.json': text })).toMatch(
      /^network-interfaces\.json: NetworkInterfaces\[0\]: is no JSON at byte \d+: it is longer than 16777216 bytes; expected/,
    );
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
    await withFolder(files, async (folder) => expect((await read(folder)).facts.subnets).toHaveLength(1));
  });
});
