/** `describe-subnets`. */
import type { Place } from '../../core/input/place.ts';
import type { SubnetFacts } from '../../core/subnet/snapshot.ts';
import { itemsOf } from './documents.ts';
import {
  cidrAt,
  countAt,
  defined,
  type Fields,
  flagAt,
  optionalListAt,
  optionalTextAt,
  SUBNET_LENGTHS,
  textAt,
} from './fields.ts';
import { tagListAt } from './tags.ts';

/** One page of `describe-subnets` (or of `DescribeSubnets` by the SDK). */
export function decodeSubnets(document: unknown, place: Place): readonly SubnetFacts[] {
  return itemsOf(document, place, { command: 'describe-subnets', key: 'Subnets' }, toSubnet);
}

/** An IPv6-only subnet has no `CidrBlock`: it says so itself, or has IPv6 blocks and nothing else. */
function isIpv6Only(fields: Fields, place: Place): boolean {
  const cidr = fields.CidrBlock;
  if (cidr !== undefined && cidr !== null && cidr !== '') return false;
  return flagAt(fields, 'Ipv6Native', place) || optionalListAt(fields, 'Ipv6CidrBlockAssociationSet', place).length > 0;
}

function toSubnet(fields: Fields, place: Place): SubnetFacts {
  return defined({
    subnetId: textAt(fields, 'SubnetId', place, 'a subnet id'),
    vpcId: textAt(fields, 'VpcId', place, 'a VPC id'),
    cidr: isIpv6Only(fields, place) ? undefined : cidrAt(fields, 'CidrBlock', place, SUBNET_LENGTHS),
    availabilityZone: textAt(fields, 'AvailabilityZone', place, 'a zone name such as us-east-1a'),
    availabilityZoneId: textAt(fields, 'AvailabilityZoneId', place, 'a zone id such as use1-az1'),
    availableIps: countAt(fields, 'AvailableIpAddressCount', place),
    state: optionalTextAt(fields, 'State', place) ?? 'available',
    ownerId: optionalTextAt(fields, 'OwnerId', place),
    outpostArn: optionalTextAt(fields, 'OutpostArn', place),
    defaultForAz: flagAt(fields, 'DefaultForAz', place),
    mapPublicIpOnLaunch: flagAt(fields, 'MapPublicIpOnLaunch', place),
    tags: tagListAt(fields, place),
  });
}

/** The regions that the subnets of a document name, in their ARNs or else in their zone names; for one that holds together, a set of one. */
export function regionsOfSubnets(document: unknown, place: Place): ReadonlySet<string> {
  const regions = new Set<string>();
  for (const region of itemsOf(document, place, { command: 'describe-subnets', key: 'Subnets' }, toRegion)) {
    if (region !== undefined) regions.add(region);
  }
  return regions;
}

function toRegion(fields: Fields, place: Place): string | undefined {
  const arn = optionalTextAt(fields, 'SubnetArn', place);
  const fromArn = arn === undefined ? undefined : /^arn:[\w-]+:ec2:([a-z0-9-]+):/.exec(arn)?.[1];
  if (fromArn !== undefined) return fromArn;
  // Local Zones and Wavelength zones carry more behind the region: us-west-2-lax-1a, us-west-2-wl1-las-wlz-1.
  const zone = optionalTextAt(fields, 'AvailabilityZone', place);
  return zone === undefined ? undefined : /^([a-z]{2,3}(?:-[a-z]+)+-\d+)(?:[a-z]$|-)/.exec(zone)?.[1];
}
