import { describe, expect, test } from '@jest/globals';
import { type } from '../support/fake-terminal.ts';
import { withFolder } from '../support/temp-folder.ts';

const SUBNET = {
  SubnetId: 'subnet-00000000000000001',
  VpcId: 'vpc-00000000000000001',
  CidrBlock: '10.0.0.0/24',
  AvailabilityZone: 'us-east-1a',
  AvailabilityZoneId: 'use1-az1',
  AvailableIpAddressCount: 251,
  State: 'available',
  DefaultForAz: false,
  MapPublicIpOnLaunch: false,
  Tags: [],
};
const HERE = ['--from', 'test/cases/c01-frag-23-377-free'] as const;

describe('a command line that is wrong names what is', () => {
  test.each([
    ['no verb', [], /verb is missing/],
    ['a verb that is none', ['asess'], /Did you mean assess/],
    ['an option that is none', ['assess', ...HERE, '--jsn'], /jsn/],
    ['an option of another verb', ['explain', 'x', ...HERE, '--fail-on', 'warning'], /fail-on/],
    ['an option without its value', ['assess', '--from'], /from/],
    ['an empty value', ['assess', '--from', ''], /--from needs a value/],
    ['an option twice', ['assess', ...HERE, ...HERE], /--from may be given once/],
    ['a folder and a region', ['assess', ...HERE, '--region', 'us-east-1'], /from and region/],
    ['a folder and a profile', ['assess', ...HERE, '--profile', 'p'], /from and profile/],
    ['a time that is none', ['assess', ...HERE, '--now', 'noon'], /--now must be a time/],
    ['a time without its zone', ['assess', ...HERE, '--now', '2026-11-30T09:00:00'], /--now must be a time/],
    ['a day that no calendar has', ['assess', ...HERE, '--now', '2026-02-30'], /--now must be a time/],
    ['a severity that is none', ['assess', ...HERE, '--fail-on', 'info'], /fail-on.*critical.*warning/],
    ['a word too many', ['assess', 'more', ...HERE], /more/],
    ['no subnet to explain', ['explain', ...HERE], /explain SUBNET/],
    ['a subnet nobody knows', ['explain', 'subnet-00010000000000002', ...HERE], /there is subnet-00010000000000001/],
    ['a scope nobody knows', ['assess', ...HERE, '--subnet', 'subnet-1'], /--subnet.*subnet-00010000000000001/],
    ['a VPC nobody knows', ['assess', ...HERE, '--vpc', 'vpc-1'], /--vpc.*vpc-00000000000000001/],
    ['a port that is none', ['simulator', '--port', '70000'], /--port must be/],
    ['nowhere to write', ['observe', '--region', 'us-east-1'], /--out DIR/],
    [
      'a configuration that is not there',
      ['assess', ...HERE, '--config', 'none.yaml'],
      /--config: cannot read none.yaml/,
    ],
  ] as const)('%s', async (_name, argv, said) => {
    const { status, printed, remarks } = await type(...argv);
    expect({ status, printed }).toEqual({ status: 1, printed: '' });
    expect(remarks).toHaveLength(1);
    expect(remarks[0]).toMatch(said);
    expect(remarks[0]).toMatch(/^headroom: /);
  });
});

describe('a folder that is wrong is told in one line: file, place, what was there, what was expected', () => {
  const subnets = (change: object) => ({ 'subnets.json': { Subnets: [{ ...SUBNET, ...change }] } });
  test.each([
    ['nothing in it', {}, /subnets\*?\.json/],
    ['truncated JSON', { 'subnets.json': '{"Subnets": [{"SubnetId": ' }, /subnets\.json.*expected/],
    ['a file of another command', { 'subnets.json': { Vpcs: [] } }, /subnets\.json.*describe-vpcs.*describe-subnets/],
    [
      'host bits',
      subnets({ CidrBlock: '10.0.0.5/24' }),
      /subnets\.json: Subnets\[0\]\.CidrBlock.*10\.0\.0\.5\/24.*host bits/,
    ],
    [
      'more available than the subnet can hold',
      subnets({ AvailableIpAddressCount: 252 }),
      /subnets\.json: Subnets\[0\]\.AvailableIpAddressCount: the number 252 is more than a \/24 has; expected at most 251/,
    ],
    [
      'a day that no calendar has',
      { ...subnets({}), 'now.json': { now: '2026-02-30T00:00:00Z' } },
      /now\.json.*is no time/,
    ],
    ['null in a list', { 'subnets.json': { Subnets: [SUBNET, null] } }, /subnets\.json: Subnets\[1\].*null/],
    [
      'an address that is none',
      {
        ...subnets({}),
        'network-interfaces.json': {
          NetworkInterfaces: [
            {
              NetworkInterfaceId: 'eni-00000000000000001',
              SubnetId: SUBNET.SubnetId,
              VpcId: SUBNET.VpcId,
              Status: 'in-use',
              InterfaceType: 'interface',
              Description: '',
              RequesterManaged: false,
              TagSet: [],
              PrivateIpAddresses: [{ Primary: true, PrivateIpAddress: '10.0.0.999' }],
            },
          ],
        },
      },
      /network-interfaces\.json.*PrivateIpAddress.*10\.0\.0\.999/,
    ],
  ] as const)('%s', async (_name, files, said) => {
    await withFolder(files, async (folder) => {
      const { status, printed, remarks } = await type('assess', '--from', folder);
      expect({ status, printed }).toEqual({ status: 1, printed: '' });
      expect(remarks).toHaveLength(1);
      expect(remarks[0]).toMatch(said);
    });
  });

  test('every mistake in a configuration has its own line', async () => {
    await withFolder({ 'h.yaml': 'thresholds: {zoneLowNodes: few, elbFreeIps: -1}' }, async (folder) => {
      const { status, remarks } = await type('assess', ...HERE, '--config', `${folder}/h.yaml`);
      expect(status).toBe(1);
      expect(remarks.join('\n')).toMatch(/h\.yaml.*\n.*zoneLowNodes.*\n.*elbFreeIps/);
    });
  });
});

test('thresholds of a configuration count', async () => {
  await withFolder(
    { 'h.yaml': 'thresholds: {fragmentedRatio: 1, subnetLowIps: 60000, subnetLowPercent: 100}' },
    async (folder) => {
      const { printed } = await type('assess', ...HERE, '--json', '--config', `${folder}/h.yaml`);
      const codes = (JSON.parse(printed) as { findings: { code: string }[] }).findings.map(({ code }) => code);
      expect(codes).toContain('SUBNET_LOW');
    },
  );
});

describe('hostile names', () => {
  const NAME = '\u001b[31mroot\u001b[0m\u202e\n\u0007\u009b2J子网'.padEnd(300, 'x');

  test('reach no output raw, and break no page', async () => {
    const files = {
      'subnets.json': {
        Subnets: [{ ...SUBNET, AvailableIpAddressCount: 0, Tags: [{ Key: 'Name', Value: NAME }] }],
      },
      'network-interfaces.json': {
        NetworkInterfaces: [
          {
            NetworkInterfaceId: 'eni-00000000000000001',
            SubnetId: SUBNET.SubnetId,
            VpcId: SUBNET.VpcId,
            Status: 'in-use',
            InterfaceType: 'interface',
            Description: NAME,
            RequesterManaged: false,
            TagSet: [{ Key: 'cluster.k8s.amazonaws.com/name', Value: NAME }],
            PrivateIpAddresses: [{ Primary: true, PrivateIpAddress: '10.0.0.99' }],
          },
        ],
      },
      'cidr-reservations.json': {
        SubnetIpv4CidrReservations: [
          {
            SubnetCidrReservationId: 'scr-00000000000000001',
            SubnetId: SUBNET.SubnetId,
            Cidr: '10.0.0.32/28',
            ReservationType: 'prefix',
            Description: NAME,
          },
        ],
      },
    };
    await withFolder(files, async (folder) => {
      for (const json of [[], ['--json']]) {
        for (const verb of [['assess'], ['explain', SUBNET.SubnetId]]) {
          const { printed } = await type(...verb, '--from', folder, ...json);
          expect(printed).toContain('root');
          expect(printed.replaceAll('\n', '')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
          if (json.length > 0) expect(JSON.parse(printed)).toMatchObject({ subnets: [{ name: NAME }] });
          else for (const line of printed.split('\n')) expect([...line].length).toBeLessThanOrEqual(100);
        }
      }
    });
  });
});
