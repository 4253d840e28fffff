/** `describe-instances`. */
import type { Place } from '../../core/input/place.ts';
import type { InstanceFacts } from '../../core/subnet/snapshot.ts';
import { itemsOf } from './documents.ts';
import { asObject, defined, type Fields, objectAt, optionalListAt, optionalTextAt, textAt } from './fields.ts';
import { tagListAt } from './tags.ts';

export function decodeInstances(document: unknown, place: Place): readonly InstanceFacts[] {
  return itemsOf(document, place, { command: 'describe-instances', key: 'Reservations' }, ofReservation).flat();
}

function ofReservation(fields: Fields, place: Place): readonly InstanceFacts[] {
  return optionalListAt(fields, 'Instances', place).map((item, index) => {
    const inside = place.at('Instances').at(index);
    return toInstance(asObject(item, inside), inside);
  });
}

function toInstance(fields: Fields, place: Place): InstanceFacts {
  return defined({
    instanceId: textAt(fields, 'InstanceId', place, 'an instance id'),
    instanceType: textAt(fields, 'InstanceType', place, 'an instance type such as m5.large'),
    state: textAt(objectAt(fields, 'State', place), 'Name', place.at('State'), 'a state such as running'),
    subnetId: optionalTextAt(fields, 'SubnetId', place),
    vpcId: optionalTextAt(fields, 'VpcId', place),
    tags: tagListAt(fields, place),
  });
}
