/**
 * `describe-network-interfaces`, record by record. Written for speed, since a region has a hundred thousand of them: no schema object, no place and no
 * intermediate list is made while a record is well-formed.
 */
import { wrongType } from '../../core/input/input-error.ts';
import type { Place } from '../../core/input/place.ts';
import { type Ipv4, parseIpv4 } from '../../core/ip/ipv4.ts';
import type { EniAttachment, EniRecord } from '../../core/subnet/snapshot.ts';
import {
  addressAt,
  asObject,
  cidrAt,
  type Fields,
  flagAt,
  optionalCountAt,
  optionalListAt,
  optionalObjectAt,
  optionalTextAt,
  PREFIX_LENGTHS,
  textAt,
} from './fields.ts';
import { tagListAt } from './tags.ts';

type Writable<T> = { -readonly [K in keyof T]: T[K] };

const NO_ADDRESSES: readonly Ipv4[] = [];

/**
 * One item of `NetworkInterfaces`, as the command line prints it or the SDK returns it.
 *
 * Addresses come primary first. An interface without IPv4 addresses (EFA-only, IPv6-only) has none. Unknown fields, types and states pass.
 * Errors: `MISSING_FIELD` without an interface, subnet or VPC id; `WRONG_TYPE`, `WRONG_VALUE` for what cannot be read.
 */
export function toEniRecord(raw: unknown, place: Place): EniRecord {
  const fields = asObject(raw, place, 'a network interface');
  const eniId = textAt(fields, 'NetworkInterfaceId', place, 'a network interface id');
  const operator = optionalObjectAt(fields, 'Operator', place);
  const addresses = singleAddresses(fields, place);
  const record: Writable<EniRecord> = {
    eniId,
    subnetId: textAt(fields, 'SubnetId', place, 'a subnet id'),
    vpcId: textAt(fields, 'VpcId', place, 'a VPC id'),
    description: optionalTextAt(fields, 'Description', place) ?? '',
    interfaceType: optionalTextAt(fields, 'InterfaceType', place) ?? 'interface',
    status: optionalTextAt(fields, 'Status', place) ?? 'unknown',
    requesterManaged: flagAt(fields, 'RequesterManaged', place),
    operatorManaged: operator !== undefined && flagAt(operator, 'Managed', place.at('Operator')),
    tags: tagListAt(fields, place),
    addresses,
    prefixes: prefixes(fields, place),
  };
  const primary = addresses[0];
  if (primary !== undefined) record.primary = primary;
  const ownerId = optionalTextAt(fields, 'OwnerId', place);
  if (ownerId !== undefined) record.ownerId = ownerId;
  const attachment = optionalObjectAt(fields, 'Attachment', place);
  if (attachment !== undefined) record.attachment = toAttachment(attachment, place);
  return record;
}

function singleAddresses(fields: Fields, place: Place): readonly Ipv4[] {
  const list = optionalListAt(fields, 'PrivateIpAddresses', place);
  const named = fields.PrivateIpAddress;
  const hasNamed = named !== undefined && named !== null && named !== '';
  const named4 = hasNamed ? addressAt(fields, 'PrivateIpAddress', place) : undefined;
  if (list.length === 0) return named4 === undefined ? NO_ADDRESSES : [named4];
  const addresses: Ipv4[] = [];
  let first = -1;
  for (let i = 0; i < list.length; i++) {
    const item = list[i] as Fields | null | undefined;
    if (typeof item !== 'object' || item === null || Array.isArray(item)) {
      throw wrongType(place.at('PrivateIpAddresses').at(i), item, 'an object');
    }
    const text = item.PrivateIpAddress;
    // EC2 leaves the IPv4 address out of entries of interfaces that have none.
    if (text === undefined || text === null) continue;
    const primary = item.Primary;
    if (primary === true && first < 0) first = addresses.length;
    else if (typeof primary !== 'boolean' && primary !== undefined && primary !== null) {
      throw wrongType(place.at('PrivateIpAddresses').at(i).at('Primary'), primary, 'true or false');
    }
    addresses.push(addressIn(item, place, i));
  }
  if (first < 0 && named4 !== undefined) first = addresses.indexOf(named4);
  if (first > 0) addresses.unshift(...addresses.splice(first, 1));
  return addresses;
}

function addressIn(item: Fields, place: Place, index: number): Ipv4 {
  const text = item.PrivateIpAddress;
  const address = typeof text === 'string' ? parseIpv4(text) : undefined;
  // The place is built only here, on the way to the error.
  return address ?? addressAt(item, 'PrivateIpAddress', place.at('PrivateIpAddresses').at(index));
}

function prefixes(fields: Fields, place: Place): readonly Ipv4[] {
  const list = optionalListAt(fields, 'Ipv4Prefixes', place);
  if (list.length === 0) return NO_ADDRESSES;
  return list.map((item, index) => {
    const inside = place.at('Ipv4Prefixes').at(index);
    return cidrAt(asObject(item, inside), 'Ipv4Prefix', inside, PREFIX_LENGTHS).base;
  });
}

function toAttachment(fields: Fields, outer: Place): EniAttachment {
  const place = outer.at('Attachment');
  const attachment: Writable<EniAttachment> = {};
  const instanceId = optionalTextAt(fields, 'InstanceId', place);
  if (instanceId !== undefined) attachment.instanceId = instanceId;
  const deviceIndex = optionalCountAt(fields, 'DeviceIndex', place);
  if (deviceIndex !== undefined) attachment.deviceIndex = deviceIndex;
  const networkCardIndex = optionalCountAt(fields, 'NetworkCardIndex', place);
  if (networkCardIndex !== undefined) attachment.networkCardIndex = networkCardIndex;
  return attachment;
}
