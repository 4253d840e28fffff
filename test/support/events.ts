/** The events of the real cases, and events made for a test. */
import { readdirSync, readFileSync } from 'node:fs';
import { classify } from '../../lambdas/core/react/classify.ts';
import { type ResolvedEvent, resolve } from '../../lambdas/core/react/resolve.ts';
import { type Rooms, roomOf, roomsOf, type SubnetRoom } from '../../lambdas/core/react/rooms.ts';
import { assessCase, caseFolder } from './cases.ts';

/** Documents of a case's event files, by file name. */
export function eventFilesOf(name: string): ReadonlyMap<string, unknown> {
  const folder = caseFolder(name);
  const files = readdirSync(folder).filter((file) => /^(?:e\d+|event[\w.]*)\.json$/.test(file));
  return new Map(files.sort().map((file) => [file, JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')) as unknown]));
}

/** Subnets of a case as its assessment knows them. @param enis subnet by interface. */
export async function roomsOfCase(name: string, enis: ReadonlyMap<string, string> = new Map()): Promise<Rooms> {
  const { report } = await assessCase(name);
  return roomsOf(report.subnets.map(roomOf), enis);
}

export const SUBNET_A = 'subnet-0000000000000000a';
export const SUBNET_B = 'subnet-0000000000000000b';
export const ENI = 'eni-0000000000000000e';

/** Full of free addresses and prefixes, but for what a test says. */
export function room(change: Partial<SubnetRoom> = {}): SubnetRoom {
  return {
    subnetId: SUBNET_A,
    vpcId: 'vpc-00000000000000001',
    availabilityZone: 'us-east-1a',
    availabilityZoneId: 'use1-az1',
    ipv4: true,
    availableIps: 200,
    usableIps: 251,
    freePrefixes: { min: 10, max: 10 },
    confidence: 'exact',
    clusters: ['prod'],
    ...change,
  };
}

/** A record of CloudTrail of a failed `AssignPrivateIpAddresses`, but for what a test says. */
export function record(change: Readonly<Record<string, unknown>> = {}) {
  return {
    eventVersion: '1.09',
    eventTime: '2026-11-30T10:00:00Z',
    eventSource: 'ec2.amazonaws.com',
    eventName: 'AssignPrivateIpAddresses',
    awsRegion: 'us-east-1',
    userAgent: 'amazon-vpc-cni-k8s',
    requestParameters: { networkInterfaceId: ENI, ipv4PrefixCount: 1 },
    responseElements: null,
    eventID: '00000000-0000-0000-0000-000000000001',
    eventType: 'AwsApiCall',
    recipientAccountId: '111111111111',
    ...change,
  };
}

/** The first event of a document, resolved. */
export function resolved(document: unknown, rooms: Rooms = roomsOf([], new Map())): ResolvedEvent {
  const [event] = classify(document);
  if (event === undefined) throw new Error('no event');
  return resolve(event, rooms);
}
