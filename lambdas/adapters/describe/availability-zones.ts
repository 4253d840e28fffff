/** `describe-availability-zones`, with `--all-availability-zones` or without. */
import type { Place } from '../../core/input/place.ts';
import type { ZoneFacts } from '../../core/subnet/snapshot.ts';
import { itemsOf } from './documents.ts';
import { type Fields, optionalTextAt, textAt } from './fields.ts';

export function decodeZones(document: unknown, place: Place): readonly ZoneFacts[] {
  return itemsOf(document, place, { command: 'describe-availability-zones', key: 'AvailabilityZones' }, toZone);
}

function toZone(fields: Fields, place: Place): ZoneFacts {
  return {
    zone: textAt(fields, 'ZoneName', place, 'a zone name such as us-east-1a'),
    zoneId: textAt(fields, 'ZoneId', place, 'a zone id such as use1-az1'),
    zoneType: optionalTextAt(fields, 'ZoneType', place) ?? 'availability-zone',
  };
}
