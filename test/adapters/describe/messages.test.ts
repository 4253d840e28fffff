import { describe, expect, test } from '@jest/globals';
import { parseConfiguration } from '../../../lambdas/adapters/describe/addon-configuration.ts';
import { decodeCaller } from '../../../lambdas/adapters/describe/caller.ts';
import { decodeReservations } from '../../../lambdas/adapters/describe/cidr-reservations.ts';
import { decodeAddon } from '../../../lambdas/adapters/describe/eks-addon.ts';
import { decodeCluster } from '../../../lambdas/adapters/describe/eks-cluster.ts';
import { decodeDaemonSet } from '../../../lambdas/adapters/describe/kube-daemon-set.ts';
import { decodeNodeClasses } from '../../../lambdas/adapters/describe/kube-node-classes.ts';
import { decodePods } from '../../../lambdas/adapters/describe/kube-pods.ts';
import { toEniRecord } from '../../../lambdas/adapters/describe/network-interfaces.ts';
import { decodeNow } from '../../../lambdas/adapters/describe/now.ts';
import { decodeSubnets } from '../../../lambdas/adapters/describe/subnets.ts';
import { InputError } from '../../../lambdas/core/input/input-error.ts';
import { Place } from '../../../lambdas/core/input/place.ts';

const SUBNET = {
  SubnetId: 'subnet-1',
  VpcId: 'vpc-1',
  AvailabilityZone: 'us-east-1a',
  AvailabilityZoneId: 'use1-az1',
  AvailableIpAddressCount: 11,
  CidrBlock: '10.0.0.0/28',
};
const ENI = {
  NetworkInterfaceId: 'eni-1',
  SubnetId: 'subnet-1',
  VpcId: 'vpc-1',
  PrivateIpAddress: '10.0.0.4',
  PrivateIpAddresses: [{ Primary: true, PrivateIpAddress: '10.0.0.4' }],
};

function messageOf(decode: (document: unknown, place: Place) => unknown, document: unknown): string {
  try {
    decode(document, Place.of('x.json'));
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  return 'no error';
}

const subnet = (change: object) => ({ Subnets: [SUBNET, { ...SUBNET, ...change }] });
const eni = (change: object) => ({ ...ENI, ...change });

describe('the message of a bad document', () => {
  const cases: [string, (document: unknown, place: Place) => unknown, unknown, string][] = [
    [
      'host bits',
      decodeSubnets,
      subnet({ CidrBlock: '10.0.0.5/24' }),
      'x.json: Subnets[1].CidrBlock: "10.0.0.5/24" has host bits set; expected an IPv4 CIDR such as 10.0.0.0/24',
    ],
    [
      'no CIDR at all',
      decodeSubnets,
      subnet({ CidrBlock: '10.0.0/24' }),
      'x.json: Subnets[1].CidrBlock: "10.0.0/24" is no IPv4 CIDR; expected an IPv4 CIDR such as 10.0.0.0/24',
    ],
    [
      'a CIDR no subnet can have',
      decodeSubnets,
      subnet({ CidrBlock: '10.0.0.0/8' }),
      'x.json: Subnets[1].CidrBlock: "10.0.0.0/8" is a /8; expected a length of /16 to /28, in a CIDR such as 10.0.0.0/24',
    ],
    [
      'a subnet with neither IPv4 nor IPv6',
      decodeSubnets,
      subnet({ CidrBlock: undefined }),
      'x.json: Subnets[1].CidrBlock: is missing; expected an IPv4 CIDR such as 10.0.0.0/24',
    ],
    [
      'a count below zero',
      decodeSubnets,
      subnet({ AvailableIpAddressCount: -1 }),
      'x.json: Subnets[1].AvailableIpAddressCount: the number -1 is no count; expected a whole number, 0 or more',
    ],
    [
      'a fraction',
      decodeSubnets,
      subnet({ AvailableIpAddressCount: 1.5 }),
      'x.json: Subnets[1].AvailableIpAddressCount: the number 1.5 is no count; expected a whole number, 0 or more',
    ],
    [
      'a count as text',
      decodeSubnets,
      subnet({ AvailableIpAddressCount: '11' }),
      'x.json: Subnets[1].AvailableIpAddressCount: is "11"; expected a whole number, 0 or more',
    ],
    ['null in a list', decodeSubnets, { Subnets: [null] }, 'x.json: Subnets[0]: is null; expected an object'],
    ['null for a list', decodeSubnets, { Subnets: null }, 'x.json: Subnets: is null; expected a list'],
    [
      'another command',
      decodeSubnets,
      { Reservations: [] },
      'x.json: looks like describe-instances output; expected the output of describe-subnets, an object with "Subnets"',
    ],
    [
      'an empty id',
      decodeSubnets,
      subnet({ SubnetId: '' }),
      'x.json: Subnets[1].SubnetId: "" is empty; expected a subnet id',
    ],
    [
      'null among the tags',
      decodeSubnets,
      subnet({ Tags: [{ Key: 'a', Value: 'b' }, null] }),
      'x.json: Subnets[1].Tags[1]: is null; expected a tag',
    ],
    [
      'an address that is none',
      toEniRecord,
      eni({ PrivateIpAddresses: [{ Primary: true, PrivateIpAddress: '10.0.0.256' }] }),
      'x.json: PrivateIpAddresses[0].PrivateIpAddress: "10.0.0.256" is no IPv4 address; expected an IPv4 address such as 10.0.0.4',
    ],
    [
      'a prefix off its boundary',
      toEniRecord,
      eni({ Ipv4Prefixes: [{ Ipv4Prefix: '10.0.0.8/28' }] }),
      'x.json: Ipv4Prefixes[0].Ipv4Prefix: "10.0.0.8/28" has host bits set; expected an IPv4 CIDR such as 10.0.0.16/28',
    ],
    [
      'a prefix of another length',
      toEniRecord,
      eni({ Ipv4Prefixes: [{ Ipv4Prefix: '10.0.0.0/27' }] }),
      'x.json: Ipv4Prefixes[0].Ipv4Prefix: "10.0.0.0/27" is a /27; expected a length of /28, in a CIDR such as 10.0.0.16/28',
    ],
    [
      'null among the addresses',
      toEniRecord,
      eni({ PrivateIpAddresses: [null] }),
      'x.json: PrivateIpAddresses[0]: is null; expected an object',
    ],
    [
      'an interface without a subnet',
      toEniRecord,
      eni({ SubnetId: undefined }),
      'x.json: SubnetId: is missing; expected a subnet id',
    ],
    [
      'a reservation of an unknown type',
      decodeReservations,
      {
        SubnetIpv4CidrReservations: [
          { SubnetCidrReservationId: 'scr-1', SubnetId: 's', Cidr: '10.0.0.0/30', ReservationType: 'new' },
        ],
      },
      'x.json: SubnetIpv4CidrReservations[0].ReservationType: "new" is no known type; expected "prefix" or "explicit"',
    ],
    [
      'a list of names for a cluster',
      decodeCluster,
      { clusters: ['a'] },
      'x.json: looks like eks list-clusters output; expected the output of eks describe-cluster',
    ],
    [
      'add-on configuration that is neither JSON nor YAML',
      (document, place) => decodeAddon(document, place, parseConfiguration),
      { addon: { clusterName: 'a', addonName: 'vpc-cni', configurationValues: '{"env": [' } },
      /^x\.json: addon\.configurationValues: cannot be parsed \(.+\); expected JSON or YAML$/.source,
    ],
    [
      'nodes for pods',
      decodePods,
      { kind: 'List', items: [{ kind: 'Node', metadata: { name: 'a' } }] },
      'x.json: items[0]: is of kind "Node"; expected the output of kubectl get pods -o json, objects of kind Pod',
    ],
    [
      'a class of no kind',
      decodeNodeClasses,
      { items: [{ metadata: { name: 'a' } }] },
      'x.json: items[0].kind: is missing; expected "EC2NodeClass" or "NodeClass"',
    ],
    [
      'another DaemonSet',
      decodeDaemonSet,
      { kind: 'DaemonSet', metadata: { name: 'kube-proxy' } },
      'x.json: holds "kube-proxy"; expected the DaemonSet aws-node, as kubectl get daemonset aws-node -n kube-system -o json prints it',
    ],
    [
      'an account with letters',
      decodeCaller,
      { Account: '11111111111x' },
      'x.json: Account: "11111111111x" is no account id; expected an account id of 12 digits',
    ],
    [
      'a time without a zone',
      decodeNow,
      { now: '2026-11-30T12:00:00' },
      'x.json: now: "2026-11-30T12:00:00" is no time; expected an ISO time such as 2026-11-30T12:00:00Z',
    ],
  ];
  test.each(cases)('%s', (_name, decode, document, message) => {
    const got = messageOf(decode, document);
    if (message.startsWith('^')) expect(got).toMatch(new RegExp(message));
    else expect(got).toBe(message);
  });
});
