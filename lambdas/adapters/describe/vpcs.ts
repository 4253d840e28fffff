/** `describe-vpcs`. */
import type { Place } from '../../core/input/place.ts';
import type { Cidr } from '../../core/ip/ipv4.ts';
import type { VpcFacts } from '../../core/subnet/snapshot.ts';
import { itemsOf } from './documents.ts';
import {
  asObject,
  cidrAt,
  defined,
  type Fields,
  optionalListAt,
  optionalObjectAt,
  optionalTextAt,
  SUBNET_LENGTHS,
  textAt,
} from './fields.ts';
import { tagListAt } from './tags.ts';

export function decodeVpcs(document: unknown, place: Place): readonly VpcFacts[] {
  return itemsOf(document, place, { command: 'describe-vpcs', key: 'Vpcs' }, toVpc);
}

function toVpc(fields: Fields, place: Place): VpcFacts {
  return defined({
    vpcId: textAt(fields, 'VpcId', place, 'a VPC id'),
    cidrs: cidrs(fields, place),
    ownerId: optionalTextAt(fields, 'OwnerId', place),
    tags: tagListAt(fields, place),
  });
}

/** The associated IPv4 blocks; a block that was taken away stays listed for a while. */
function cidrs(fields: Fields, place: Place): readonly Cidr[] {
  const found: Cidr[] = [];
  const inside = place.at('CidrBlockAssociationSet');
  for (const [index, item] of optionalListAt(fields, 'CidrBlockAssociationSet', place).entries()) {
    const association = asObject(item, inside.at(index));
    const state = optionalObjectAt(association, 'CidrBlockState', inside.at(index));
    const name = state && optionalTextAt(state, 'State', inside.at(index).at('CidrBlockState'));
    if (name === undefined || name === 'associated' || name === 'associating') {
      found.push(cidrAt(association, 'CidrBlock', inside.at(index), SUBNET_LENGTHS));
    }
  }
  if (found.length === 0) found.push(cidrAt(fields, 'CidrBlock', place, SUBNET_LENGTHS));
  return found;
}
