/** `get-subnet-cidr-reservations`: each item carries its subnet's id, so documents of several subnets need no other order. */
import { wrongValue } from '../../core/input/input-error.ts';
import type { Place } from '../../core/input/place.ts';
import type { Reservation, ReservationType } from '../../core/subnet/snapshot.ts';
import { itemsOf } from './documents.ts';
import { ANY_LENGTH, asObject, cidrAt, defined, type Fields, optionalTextAt, textAt } from './fields.ts';

const SHAPE = { command: 'get-subnet-cidr-reservations', key: 'SubnetIpv4CidrReservations' };

/** The IPv4 reservations of one document; those of IPv6 hold no address of ours. */
export function decodeReservations(document: unknown, place: Place): readonly Reservation[] {
  const fields = asObject(document, place, `the output of ${SHAPE.command}`);
  // A subnet that has IPv6 alone may be answered without the IPv4 list.
  const ipv6Alone = fields[SHAPE.key] === undefined && Array.isArray(fields.SubnetIpv6CidrReservations);
  return ipv6Alone ? [] : itemsOf(document, place, SHAPE, toReservation);
}

function toReservation(fields: Fields, place: Place): Reservation {
  return defined({
    reservationId: textAt(fields, 'SubnetCidrReservationId', place, 'a reservation id'),
    subnetId: textAt(fields, 'SubnetId', place, 'a subnet id'),
    cidr: cidrAt(fields, 'Cidr', place, ANY_LENGTH),
    type: typeAt(fields, place),
    description: optionalTextAt(fields, 'Description', place),
  });
}

/** Closed on purpose: how a reservation of an unknown type takes addresses is not known, so no number may be made from it. */
function typeAt(fields: Fields, place: Place): ReservationType {
  const type = textAt(fields, 'ReservationType', place, '"prefix" or "explicit"');
  if (type === 'prefix' || type === 'explicit') return type;
  throw wrongValue(place.at('ReservationType'), type, 'is no known type', '"prefix" or "explicit"');
}
