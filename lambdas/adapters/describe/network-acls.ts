/** `describe-network-acls`: only what tells whether two subnets let the same through. */

import { wrongType } from '../../core/input/input-error.ts';
import type { Place } from '../../core/input/place.ts';
import type { NetworkAclFacts } from '../../core/subnet/snapshot.ts';
import { itemsOf } from './documents.ts';
import { asObject, type Fields, flagAt, optionalListAt, optionalObjectAt, optionalTextAt, textAt } from './fields.ts';

export function decodeNetworkAcls(document: unknown, place: Place): readonly NetworkAclFacts[] {
  return itemsOf(document, place, { command: 'describe-network-acls', key: 'NetworkAcls' }, toNetworkAcl);
}

function toNetworkAcl(fields: Fields, place: Place): NetworkAclFacts {
  const subnetIds = optionalListAt(fields, 'Associations', place).flatMap((item, index) => {
    const inside = place.at('Associations').at(index);
    return optionalTextAt(asObject(item, inside), 'SubnetId', inside) ?? [];
  });
  const entries = optionalListAt(fields, 'Entries', place).map((item, index) =>
    toEntry(item, place.at('Entries').at(index)),
  );
  return {
    networkAclId: textAt(fields, 'NetworkAclId', place, 'a network ACL id'),
    vpcId: textAt(fields, 'VpcId', place, 'a VPC id'),
    isDefault: flagAt(fields, 'IsDefault', place),
    subnetIds: subnetIds.sort(),
    entries: entries.sort(),
  };
}

/** `in 100 allow 6 10.0.0.0/8 443-443`: direction, rule number, action, IANA protocol (-1: all), source or destination, ports or ICMP type/code. */
function toEntry(raw: unknown, place: Place): string {
  const fields = asObject(raw, place);
  const direction = flagAt(fields, 'Egress', place) ? 'out' : 'in';
  const block = optionalTextAt(fields, 'CidrBlock', place) ?? optionalTextAt(fields, 'Ipv6CidrBlock', place) ?? 'any';
  const ports = optionalObjectAt(fields, 'PortRange', place);
  const icmp = optionalObjectAt(fields, 'IcmpTypeCode', place);
  const parts = [
    direction,
    // Fixed width: the sorted list is then in the order in which EC2 evaluates.
    numberAt(fields, 'RuleNumber', place).padStart(5, '0'),
    textAt(fields, 'RuleAction', place, '"allow" or "deny"'),
    textAt(fields, 'Protocol', place, 'a protocol number such as "6"'),
    block,
  ];
  const range = (of: Fields, from: string, to: string, inside: Place) =>
    `${numberAt(of, from, inside)}-${numberAt(of, to, inside)}`;
  if (ports !== undefined) parts.push(range(ports, 'From', 'To', place.at('PortRange')));
  if (icmp !== undefined) parts.push(`icmp ${range(icmp, 'Type', 'Code', place.at('IcmpTypeCode'))}`);
  return parts.join(' ');
}

/** A whole number of any sign: -1 stands for every port, type or code. */
function numberAt(fields: Fields, key: string, place: Place): string {
  const value = fields[key];
  if (typeof value !== 'number' || !Number.isSafeInteger(value))
    throw wrongType(place.at(key), value, 'a whole number');
  return String(value);
}
