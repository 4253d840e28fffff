/** `describe-instance-types`: the limits that decide how many addresses a node can hold. */
import type { Place } from '../../core/input/place.ts';
import type { InstanceTypeFacts } from '../../core/subnet/snapshot.ts';
import { itemsOf } from './documents.ts';
import {
  asObject,
  countAt,
  defined,
  type Fields,
  flagAt,
  objectAt,
  optionalCountAt,
  optionalListAt,
  optionalObjectAt,
  optionalTextAt,
  textAt,
} from './fields.ts';

export function decodeInstanceTypes(document: unknown, place: Place): readonly InstanceTypeFacts[] {
  return itemsOf(document, place, { command: 'describe-instance-types', key: 'InstanceTypes' }, toInstanceType);
}

function toInstanceType(fields: Fields, place: Place): InstanceTypeFacts {
  const network = objectAt(fields, 'NetworkInfo', place);
  const cpu = optionalObjectAt(fields, 'VCpuInfo', place);
  return defined({
    instanceType: textAt(fields, 'InstanceType', place, 'an instance type such as m5.large'),
    // Bare metal has no hypervisor and is built on Nitro all the same.
    nitro: optionalTextAt(fields, 'Hypervisor', place) === 'nitro' || flagAt(fields, 'BareMetal', place),
    maxEnis: maxEnis(network, place.at('NetworkInfo')),
    ipv4PerEni: countAt(network, 'Ipv4AddressesPerInterface', place.at('NetworkInfo')),
    vcpus: cpu === undefined ? undefined : optionalCountAt(cpu, 'DefaultVCpus', place.at('VCpuInfo')),
  });
}

/** Interfaces of the default card: only those carry pods, and on types of several cards the total is spread over all of them. */
function maxEnis(network: Fields, place: Place): number {
  const total = countAt(network, 'MaximumNetworkInterfaces', place);
  const wanted = optionalCountAt(network, 'DefaultNetworkCardIndex', place) ?? 0;
  for (const [position, item] of optionalListAt(network, 'NetworkCards', place).entries()) {
    const inside = place.at('NetworkCards').at(position);
    const card = asObject(item, inside);
    if ((optionalCountAt(card, 'NetworkCardIndex', inside) ?? position) === wanted) {
      return optionalCountAt(card, 'MaximumNetworkInterfaces', inside) ?? total;
    }
  }
  return total;
}
