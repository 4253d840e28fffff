/** Describe calls of the network around the interfaces: subnets, reservations, VPCs, route tables, ACLs, zones. */
import type * as ec2 from '@aws-sdk/client-ec2';
import { Refusal } from '../refusal.ts';
import type { NetworkAcl, RouteTable, Subnet, Tag, Vpc } from '../world/stored.ts';
import type { View } from '../world/table.ts';
import { type Action, action, type Call, required } from './call.ts';
import { type FieldsOf, matcher } from './filters.ts';
import { type Page, type PageRequest, pageOf, USUAL_BOUNDS } from './paging.ts';

const SUBNET_FIELDS: FieldsOf<Subnet> = {
  'availability-zone': (subnet) => [subnet.AvailabilityZone],
  'availability-zone-id': (subnet) => [subnet.AvailabilityZoneId],
  'available-ip-address-count': (subnet) => [subnet.AvailableIpAddressCount],
  cidr: (subnet) => [subnet.CidrBlock],
  'cidr-block': (subnet) => [subnet.CidrBlock],
  'default-for-az': (subnet) => [subnet.DefaultForAz],
  'ipv6-native': (subnet) => [subnet.Ipv6Native],
  'map-public-ip-on-launch': (subnet) => [subnet.MapPublicIpOnLaunch],
  'outpost-arn': (subnet) => [subnet.OutpostArn],
  'owner-id': (subnet) => [subnet.OwnerId],
  state: (subnet) => [subnet.State],
  'subnet-arn': (subnet) => [subnet.SubnetArn],
  'subnet-id': (subnet) => [subnet.SubnetId],
  'vpc-id': (subnet) => [subnet.VpcId],
};

const VPC_FIELDS: FieldsOf<Vpc> = {
  cidr: (vpc) => [vpc.CidrBlock],
  'cidr-block-association.cidr-block': (vpc) => (vpc.CidrBlockAssociationSet ?? []).map((entry) => entry.CidrBlock),
  'is-default': (vpc) => [vpc.IsDefault],
  'owner-id': (vpc) => [vpc.OwnerId],
  state: (vpc) => [vpc.State],
  'vpc-id': (vpc) => [vpc.VpcId],
};

const ROUTE_TABLE_FIELDS: FieldsOf<RouteTable> = {
  'association.main': (table) => (table.Associations ?? []).map((association) => association.Main),
  'association.route-table-association-id': (table) =>
    (table.Associations ?? []).map((association) => association.RouteTableAssociationId),
  'association.subnet-id': (table) => (table.Associations ?? []).map((association) => association.SubnetId),
  'owner-id': (table) => [table.OwnerId],
  'route-table-id': (table) => [table.RouteTableId],
  'vpc-id': (table) => [table.VpcId],
};

const NETWORK_ACL_FIELDS: FieldsOf<NetworkAcl> = {
  'association.subnet-id': (acl) => (acl.Associations ?? []).map((association) => association.SubnetId),
  default: (acl) => [acl.IsDefault],
  'network-acl-id': (acl) => [acl.NetworkAclId],
  'owner-id': (acl) => [acl.OwnerId],
  'vpc-id': (acl) => [acl.VpcId],
};

export const describeSubnets: Action = action<ec2.DescribeSubnetsRequest>((input, call) => {
  const accept = matcher(input.Filters, SUBNET_FIELDS, (subnet) => subnet.Tags);
  const page = listed(call, call.world.subnets.ago(call.ageMs), input.SubnetIds, subnetNotFound, accept, input);
  return { Subnets: page.items, NextToken: page.NextToken };
});

export const describeVpcs: Action = action<ec2.DescribeVpcsRequest>((input, call) => {
  const accept = matcher(input.Filters, VPC_FIELDS, (vpc) => vpc.Tags);
  const missing = (id: string): Refusal => new Refusal('InvalidVpcID.NotFound', `The vpc ID '${id}' does not exist`);
  const page = listed(call, call.world.vpcs.ago(call.ageMs), input.VpcIds, missing, accept, input);
  return { Vpcs: page.items, NextToken: page.NextToken };
});

export const describeRouteTables: Action = action<ec2.DescribeRouteTablesRequest>((input, call) => {
  const accept = matcher(input.Filters, ROUTE_TABLE_FIELDS, (table) => table.Tags);
  const missing = (id: string): Refusal =>
    new Refusal('InvalidRouteTableID.NotFound', `The routeTable ID '${id}' does not exist`);
  const page = listed(call, call.world.routeTables.ago(call.ageMs), input.RouteTableIds, missing, accept, input);
  return { RouteTables: page.items, NextToken: page.NextToken };
});

export const describeNetworkAcls: Action = action<ec2.DescribeNetworkAclsRequest>((input, call) => {
  const accept = matcher(input.Filters, NETWORK_ACL_FIELDS, (acl) => acl.Tags);
  const missing = (id: string): Refusal =>
    new Refusal('InvalidNetworkAclID.NotFound', `The networkAcl ID '${id}' does not exist`);
  const page = listed(call, call.world.networkAcls.ago(call.ageMs), input.NetworkAclIds, missing, accept, input);
  return { NetworkAcls: page.items, NextToken: page.NextToken };
});

/** One subnet a call, and its filters do nothing (docs/simulator.md R5); 255 entries where no page size is asked for. */
export const getSubnetCidrReservations: Action = action<ec2.GetSubnetCidrReservationsRequest>((input, call) => {
  const subnetId = required(input.SubnetId, 'subnetId');
  if (call.world.subnets.ago(call.ageMs).get(subnetId) === undefined) throw subnetNotFound(subnetId);
  const bounds = { ...USUAL_BOUNDS, unasked: 255 };
  const view = call.world.reservations.ago(call.ageMs);
  const page = pageOf(view, undefined, (entry) => entry.SubnetId === subnetId, input, bounds, call.quirks);
  const isIpv6 = (entry: { readonly Cidr?: string | undefined }): boolean => entry.Cidr?.includes(':') === true;
  return {
    SubnetIpv4CidrReservations: page.items.filter((entry) => !isIpv6(entry)),
    SubnetIpv6CidrReservations: page.items.filter(isIpv6),
    NextToken: page.NextToken,
  };
});

/** Zones that need opting in are left out unless all are asked for, as far as their data says. */
export const describeAvailabilityZones: Action = action<ec2.DescribeAvailabilityZonesRequest>((input, call) => {
  const accept = matcher<ec2.AvailabilityZone>(
    input.Filters,
    {
      'group-name': (zone) => [zone.GroupName],
      'opt-in-status': (zone) => [zone.OptInStatus],
      'region-name': (zone) => [zone.RegionName],
      state: (zone) => [zone.State],
      'zone-id': (zone) => [zone.ZoneId],
      'zone-name': (zone) => [zone.ZoneName],
      'zone-type': (zone) => [zone.ZoneType],
    },
    () => [],
  );
  const zones = [...call.world.zones.values()].filter(
    (zone) =>
      accept(zone as ec2.AvailabilityZone) &&
      (input.AllAvailabilityZones === true || zone.OptInStatus !== 'not-opted-in') &&
      (input.ZoneNames?.includes(zone.ZoneName ?? '') ?? true) &&
      (input.ZoneIds?.includes(zone.ZoneId ?? '') ?? true),
  );
  for (const name of input.ZoneNames ?? []) {
    if (call.world.zones.get(name) === undefined) {
      throw new Refusal('InvalidParameterValue', `Invalid availability zone: [${name}]`);
    }
  }
  return { AvailabilityZones: zones };
});

function listed<T extends { readonly Tags?: readonly Tag[] | undefined }>(
  call: Call,
  view: View<T>,
  ids: readonly string[] | undefined,
  missing: (id: string) => Refusal,
  accept: (item: T) => boolean,
  request: PageRequest,
): Page<T> {
  if (ids === undefined) return pageOf(view, undefined, accept, request, USUAL_BOUNDS, call.quirks);
  const items = ids.map((id) => {
    const item = view.get(id);
    if (item === undefined) throw missing(id);
    return item;
  });
  return { items: items.filter(accept) };
}

function subnetNotFound(id: string): Refusal {
  return new Refusal('InvalidSubnetID.NotFound', `The subnet ID '${id}' does not exist`);
}
