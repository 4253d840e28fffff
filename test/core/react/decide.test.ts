import { describe, expect, test } from '@jest/globals';
import { classify } from '../../../lambdas/core/react/classify.ts';
import { eventFindings } from '../../../lambdas/core/react/event-findings.ts';
import { fold } from '../../../lambdas/core/react/fold.ts';
import { resolve } from '../../../lambdas/core/react/resolve.ts';
import { roomsOf, type SubnetRoom } from '../../../lambdas/core/react/rooms.ts';
import { ENI, record, resolved, room, SUBNET_A, SUBNET_B } from '../../support/events.ts';

const OPEN = {
  errorCode: 'Client.InvalidParameterValue',
  errorMessage: "There aren't sufficient free Ipv4 addresses or prefixes",
};
const inRoom = (...rooms: readonly SubnetRoom[]) => roomsOf(rooms, new Map([[ENI, SUBNET_A]]));
const assign = (ipv4PrefixCount?: number) =>
  record({ ...OPEN, requestParameters: { networkInterfaceId: ENI, ipv4PrefixCount } });
const create = (ipv4PrefixCount: number) =>
  record({ ...OPEN, eventName: 'CreateNetworkInterface', requestParameters: { subnetId: SUBNET_A, ipv4PrefixCount } });

describe('addresses or prefixes, where the error leaves it open', () => {
  const countsOnly = { freePrefixes: null, confidence: 'counts-only' };
  test.each<readonly [string, Partial<SubnetRoom>, object, string]>([
    ['no address is available', { availableIps: 0, freePrefixes: { min: 0, max: 0 } }, assign(1), 'IP_EXHAUSTED'],
    ['no /28 is free', { freePrefixes: { min: 0, max: 0 } }, assign(1), 'PREFIX_EXHAUSTED'],
    [
      'no /28 is free, and what was asked is not known',
      { freePrefixes: { min: 0, max: 0 } },
      assign(),
      'PREFIX_EXHAUSTED',
    ],
    ['fewer /28s than were asked for', { freePrefixes: { min: 2, max: 2 } }, assign(3), 'PREFIX_EXHAUSTED'],
    ['as many /28s as were asked for', { freePrefixes: { min: 3, max: 3 } }, assign(3), 'PREFIX_OR_IP_CAPACITY'],
    ['the range holds both answers', { freePrefixes: { min: 0, max: 4 } }, assign(1), 'PREFIX_OR_IP_CAPACITY'],
    [
      'a count below sixteen that leaves out the /28s of a prefix reservation',
      { availableIps: 15, freePrefixes: { min: 2, max: 2 } },
      assign(1),
      'PREFIX_OR_IP_CAPACITY',
    ],
    [
      'a count below sixteen that is newer than the map',
      { availableIps: 15, freePrefixes: { min: 0, max: 9 }, confidence: 'skewed' },
      assign(1),
      'PREFIX_EXHAUSTED',
    ],
    [
      'a count of sixteen that is newer than the map',
      { availableIps: 16, freePrefixes: { min: 0, max: 9 }, confidence: 'skewed' },
      assign(1),
      'PREFIX_OR_IP_CAPACITY',
    ],
    ['a count below sixteen', { ...countsOnly, availableIps: 15 }, assign(1), 'PREFIX_EXHAUSTED'],
    ['a count that holds the prefix', { ...countsOnly, availableIps: 16 }, assign(1), 'PREFIX_EXHAUSTED'],
    [
      'a count that lacks the first address of the interface',
      { ...countsOnly, availableIps: 16 },
      create(1),
      'PREFIX_OR_IP_CAPACITY',
    ],
    ['a count that holds it too', { ...countsOnly, availableIps: 17 }, create(1), 'PREFIX_EXHAUSTED'],
    [
      'a count that lacks some of two prefixes',
      { ...countsOnly, availableIps: 31 },
      assign(2),
      'PREFIX_OR_IP_CAPACITY',
    ],
    [
      'a count, and what was asked is not known',
      { ...countsOnly, availableIps: 200 },
      assign(),
      'PREFIX_OR_IP_CAPACITY',
    ],
    [
      'no IPv4',
      { ipv4: false, availableIps: null, usableIps: null, freePrefixes: null },
      assign(1),
      'CONFIG_IPV6_ONLY_SUBNET',
    ],
  ])('%s', (_name, change, document, wanted) => {
    expect(resolved(document, inRoom(room(change)))).toMatchObject({ class: wanted, subnets: [SUBNET_A] });
  });

  test('what EC2 says by its code, no ledger unsays', () => {
    const event = resolved(record({ errorCode: 'Client.InsufficientCidrBlocks' }), inRoom(room()));
    expect(event).toMatchObject({ class: 'PREFIX_EXHAUSTED', subnets: [SUBNET_A] });
  });
});

describe('a wrong request', () => {
  const wrong = (errorCode: string, requestParameters: object) =>
    record({ eventName: 'RunInstances', errorCode, errorMessage: '', requestParameters });
  const six = room({ ipv4: false, availableIps: null, usableIps: null, freePrefixes: null });

  test('with a wrong parameter, in a subnet with IPv6 alone, wants IPv4 of it', () => {
    expect(resolved(wrong('Client.InvalidParameterValue', { subnetId: SUBNET_A }), inRoom(six))).toMatchObject({
      class: 'CONFIG_IPV6_ONLY_SUBNET',
      subnets: [SUBNET_A],
    });
  });
  test('about something else stays a wrong request', () => {
    expect(resolved(wrong('Client.InvalidAMIID.NotFound', { subnetId: SUBNET_A }), inRoom(six)).class).toBe('CONFIG');
  });
  test('that names several subnets does not say which it was wrong about', () => {
    const both = { subnets: [SUBNET_A, SUBNET_B] };
    expect(
      resolved(wrong('Client.InvalidParameterValue', both), inRoom(six, room({ subnetId: SUBNET_B }))),
    ).toMatchObject({ class: 'CONFIG', subnets: [] });
  });
});

describe('an error that names none of several subnets', () => {
  const lambda = record({
    eventSource: 'lambda.amazonaws.com',
    eventName: 'Invoke',
    errorCode: 'SubnetIPAddressLimitReachedException',
    requestParameters: { vpcConfig: { subnetIds: [SUBNET_A, SUBNET_B] } },
  });

  test('is about those with no address left', () => {
    const event = resolved(lambda, inRoom(room(), room({ subnetId: SUBNET_B, availableIps: 0 })));
    expect(event).toMatchObject({ class: 'IP_EXHAUSTED', subnets: [SUBNET_B] });
  });

  test('accuses none where all have some, and has all read again', () => {
    const event = resolved(lambda, inRoom(room(), room({ subnetId: SUBNET_B })));
    expect(event).toMatchObject({ class: 'IP_EXHAUSTED', subnets: [], items: [{ suspects: [SUBNET_A, SUBNET_B] }] });
    expect(fold([event], inRoom())).toEqual([]);
  });
});

describe('the finding', () => {
  const findingsOf = (documents: readonly object[], ...rooms: readonly SubnetRoom[]) => {
    const known = inRoom(...rooms);
    return eventFindings(
      fold(
        documents.flatMap(classify).map((event) => resolve(event, known)),
        known,
      ),
    );
  };

  test('of a prefix that was refused where no address is left is the one that a scan makes', () => {
    const found = findingsOf([record({ errorCode: 'Client.InsufficientCidrBlocks' })], room({ availableIps: 0 }));
    expect(found.map(({ id }) => id)).toEqual([`SUBNET_EXHAUSTED/${SUBNET_A}`]);
  });

  test('of what stays open says so', () => {
    const found = findingsOf([assign(1)], room());
    expect(found).toMatchObject([
      {
        code: 'PREFIX_EXHAUSTED',
        evidence: { confidence: 'inferred-from-event; the subnet is read again to confirm' },
      },
    ]);
  });

  test('is not made of what may have been neither', () => {
    expect(findingsOf([assign()], room())).toEqual([]);
  });

  test('of a subnet that nobody knows has its id and no zone', () => {
    const errorMessage = `There are not enough free addresses in subnet '${SUBNET_B}' to satisfy the requested number of instances.`;
    const [found] = findingsOf([record({ errorCode: 'Client.InsufficientFreeAddressesInSubnet', errorMessage })]);
    expect(found).toMatchObject({ id: `SUBNET_EXHAUSTED/${SUBNET_B}`, subnetId: SUBNET_B, observed: null });
    expect(found).not.toHaveProperty('zone');
  });

  test('is a warning where only another service asks, of a subnet that no cluster may use', () => {
    const other = {
      eventName: 'CreateNetworkInterface',
      requestParameters: { subnetId: SUBNET_A },
      errorCode: 'Client.InsufficientFreeAddressesInSubnet',
    };
    const byLambda = record({ ...other, userIdentity: { invokedBy: 'lambda.amazonaws.com' } });
    const byCni = record({ ...other, eventID: 'second' });
    const unused = room({ availableIps: 0, clusters: [] });
    expect(findingsOf([byLambda], unused)[0]?.severity).toBe('warning');
    expect(findingsOf([byLambda], room({ availableIps: 0 }))[0]?.severity).toBe('critical');
    expect(findingsOf([byLambda, byCni], unused)[0]?.severity).toBe('critical');
  });

  test('of a storm names twenty events and counts them all', () => {
    const storm = Array.from({ length: 5000 }, (_, i) =>
      record({ errorCode: 'Client.InsufficientCidrBlocks', eventID: `event-${i}` }),
    );
    const found = findingsOf(storm, room());
    expect(found).toHaveLength(1);
    expect(found[0]?.evidence).toMatchObject({ count: 5000 });
    expect(found[0]?.evidence.eventIds).toHaveLength(20);
  });
});
