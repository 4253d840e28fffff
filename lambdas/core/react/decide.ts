/** Addresses or prefixes: what was missing, where the error does not say. */
import type { EventClass } from '../../contract/event-class.ts';
import { BLOCK_IPS } from '../ip/address-map.ts';
import type { Asked } from './asked.ts';
import type { SubnetRoom } from './rooms.ts';

/** A failure, as far as the decision needs it. */
export interface OpenFailure {
  readonly class: EventClass;
  readonly code?: string;
  readonly asked: Asked;
}

/**
 * The class of a failure in the subnet that it speaks of.
 *
 * - No IPv4 at all: the request was wrong.
 * - Open, and no address is available: addresses.
 * - Open, addresses are available, and no /28 can be free, or fewer than were asked for: prefixes. A ledger says it, those in prefix reservations among them,
 *   which the count leaves out. Without a ledger, or with one whose count is newer than its map, a count below sixteen proves the first; with a count alone,
 *   enough addresses for all that was asked rule out that those were missing.
 * - Else it stays open.
 */
export function decide(failure: OpenFailure, room: SubnetRoom | undefined): EventClass {
  if (room === undefined) return failure.class;
  if (!room.ipv4) return wantsIpv4(failure) ? 'CONFIG_IPV6_ONLY_SUBNET' : failure.class;
  if (failure.class !== 'PREFIX_OR_IP_CAPACITY' || room.availableIps === null) return failure.class;
  if (room.availableIps === 0) return 'IP_EXHAUSTED';
  return noPrefix(failure.asked, room, room.availableIps) ? 'PREFIX_EXHAUSTED' : failure.class;
}

const ROOM: ReadonlySet<EventClass> = new Set<EventClass>([
  'IP_EXHAUSTED',
  'PREFIX_EXHAUSTED',
  'PREFIX_OR_IP_CAPACITY',
]);

/** EC2 refuses IPv4 of an IPv6-only subnet as a wrong parameter; a group or an image that does not exist is something else. */
function wantsIpv4({ class: found, code }: OpenFailure): boolean {
  return ROOM.has(found) || (found === 'CONFIG' && /^(?:Client\.)?InvalidParameter/.test(code ?? ''));
}

function noPrefix(asked: Asked, { freePrefixes, confidence }: SubnetRoom, available: number): boolean {
  if (freePrefixes !== null) {
    if (freePrefixes.max < Math.max(1, asked.prefixes)) return true;
    return confidence === 'skewed' && available < BLOCK_IPS;
  }
  return available < BLOCK_IPS || (asked.prefixes > 0 && available >= asked.addresses + BLOCK_IPS * asked.prefixes);
}
