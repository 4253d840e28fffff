/** What EC2 says of the VPCs around the subnets, and of the reservations inside them. */

import { Place } from '../../core/input/place.ts';
import type {
  NetworkAclFacts,
  Reservation,
  RouteTableFacts,
  SubnetFacts,
  VpcFacts,
  ZoneFacts,
} from '../../core/subnet/snapshot.ts';
import { decodeZones } from '../describe/availability-zones.ts';
import { decodeReservations } from '../describe/cidr-reservations.ts';
import { decodeNetworkAcls } from '../describe/network-acls.ts';
import { decodeRouteTables } from '../describe/route-tables.ts';
import { decodeVpcs } from '../describe/vpcs.ts';
import { type Part, type ReadingTaps, readPart, type Shard } from '../live/part.ts';
import { chunks } from '../pace.ts';
import type { Ec2Calls } from './ec2-calls.ts';
import { eachPage, FILTER_VALUES, filter, pageSize, SMALL_PAGE_SIZE } from './paging.ts';

/** So many VPCs as one filter takes. */
export interface VpcShard extends Shard {
  readonly vpcIds: readonly string[];
  readonly subnetIds: readonly string[];
}

/** The VPCs of the subnets, cut to filters, each with the subnets that are about it. */
export function vpcShards(subnets: readonly SubnetFacts[]): VpcShard[] {
  const byVpc = new Map<string, string[]>();
  for (const { vpcId, subnetId } of subnets) {
    const ids = byVpc.get(vpcId);
    if (ids === undefined) byVpc.set(vpcId, [subnetId]);
    else ids.push(subnetId);
  }
  return chunks([...byVpc.keys()].sort(), FILTER_VALUES).map((vpcIds) => ({
    vpcIds,
    subnetIds: vpcIds.flatMap((id) => byVpc.get(id) ?? []),
  }));
}

/** A page of calls that filter by VPC. */
export function vpcPage(taps: ReadingTaps, vpcIds: readonly string[], token: string | undefined) {
  return {
    MaxResults: pageSize(taps.pageSize),
    Filters: [filter('vpc-id', vpcIds)],
    ...(token === undefined ? {} : { NextToken: token }),
  };
}

export function readVpcs(ec2: Ec2Calls, taps: ReadingTaps, subnets: readonly SubnetFacts[]): Promise<Part<VpcFacts>> {
  return readPart<VpcShard, VpcFacts>(taps, {
    input: 'vpcs',
    call: 'ec2:DescribeVpcs',
    shards: vpcShards(subnets),
    read: ({ vpcIds }, take) =>
      eachPage(
        (token) => ec2.vpcs(vpcPage(taps, vpcIds, token)),
        (page) => page.NextToken,
        async ({ Vpcs = [] }) => take({ Vpcs }, decodeVpcs({ Vpcs }, Place.of('ec2:DescribeVpcs'))),
      ),
  });
}

export function readRouteTables(
  ec2: Ec2Calls,
  taps: ReadingTaps,
  subnets: readonly SubnetFacts[],
): Promise<Part<RouteTableFacts>> {
  return readPart<VpcShard, RouteTableFacts>(taps, {
    input: 'route-tables',
    call: 'ec2:DescribeRouteTables',
    shards: vpcShards(subnets),
    read: ({ vpcIds }, take) =>
      eachPage(
        (token) =>
          ec2.routeTables({
            ...vpcPage(taps, vpcIds, token),
            MaxResults: pageSize(taps.pageSize, SMALL_PAGE_SIZE),
          }),
        (page) => page.NextToken,
        async ({ RouteTables = [] }) =>
          take({ RouteTables }, decodeRouteTables({ RouteTables }, Place.of('ec2:DescribeRouteTables'))),
      ),
  });
}

export function readNetworkAcls(
  ec2: Ec2Calls,
  taps: ReadingTaps,
  subnets: readonly SubnetFacts[],
): Promise<Part<NetworkAclFacts>> {
  return readPart<VpcShard, NetworkAclFacts>(taps, {
    input: 'network-acls',
    call: 'ec2:DescribeNetworkAcls',
    shards: vpcShards(subnets),
    read: ({ vpcIds }, take) =>
      eachPage(
        (token) => ec2.networkAcls(vpcPage(taps, vpcIds, token)),
        (page) => page.NextToken,
        async ({ NetworkAcls = [] }) =>
          take({ NetworkAcls }, decodeNetworkAcls({ NetworkAcls }, Place.of('ec2:DescribeNetworkAcls'))),
      ),
  });
}

/** One answer: the call has no pages. */
export function readZones(ec2: Ec2Calls, taps: ReadingTaps): Promise<Part<ZoneFacts>> {
  return readPart<Shard, ZoneFacts>(taps, {
    input: 'availability-zones',
    call: 'ec2:DescribeAvailabilityZones',
    shards: [{}],
    read: async (_, take) => {
      const { AvailabilityZones = [] } = await ec2.zones({});
      await take({ AvailabilityZones }, decodeZones({ AvailabilityZones }, Place.of('ec2:DescribeAvailabilityZones')));
    },
  });
}

/**
 * Reservations, by one call for each subnet: EC2 has no call for several, and the SDK no paginator for this one. A subnet without IPv4 has none that matter.
 */
export function readReservations(
  ec2: Ec2Calls,
  taps: ReadingTaps,
  subnets: readonly SubnetFacts[],
): Promise<Part<Reservation>> {
  return readPart<{ readonly subnetIds: readonly [string] }, Reservation>(taps, {
    input: 'cidr-reservations',
    call: 'ec2:GetSubnetCidrReservations',
    shards: subnets.flatMap(({ cidr, subnetId }) => (cidr === undefined ? [] : [{ subnetIds: [subnetId] }])),
    countShards: true,
    read: ({ subnetIds: [SubnetId] }, take) =>
      eachPage(
        (NextToken) =>
          ec2.reservations({
            SubnetId,
            MaxResults: pageSize(taps.pageSize),
            ...(NextToken === undefined ? {} : { NextToken }),
          }),
        (page) => page.NextToken,
        async ({ SubnetIpv4CidrReservations = [], SubnetIpv6CidrReservations = [] }) => {
          const answer = { SubnetIpv4CidrReservations, SubnetIpv6CidrReservations };
          await take(answer, decodeReservations(answer, Place.of('ec2:GetSubnetCidrReservations')));
        },
      ),
  });
}
