/** Which subnets' reservations to read in a scan: EC2 has one call for each subnet, so they are read rarely and spread. */
import type { SubnetFacts } from '../subnet/snapshot.ts';
import { NEED_RESERVATIONS, reservationSubject } from './changes.ts';
import type { Need } from './scan-lock.ts';

/** An hour: people and infrastructure code make reservations, seldom, and each tells of itself where a trail is on. */
export const RESERVATIONS_MAX_AGE_MS = 3_600_000;
/** Subnets whose known reservations are read again in one scan: a thousand subnets come round in 25 ticks. */
const REFRESH_AT_ONCE = 40;
/** Subnets never read before that one scan takes up: at the 20 calls a second that EC2 gives this call, 25 seconds. */
const FIRST_AT_ONCE = 600;

export interface KnownReservations {
  readonly readAt: number;
  readonly items: readonly { readonly reservationId: string }[];
}

/** @returns ids of subnets, those that are asked for first, then those never read, then the oldest. */
export function reservationsToRead(
  subnets: readonly SubnetFacts[],
  known: ReadonlyMap<string, KnownReservations>,
  needs: readonly Need[],
  now: number,
): readonly string[] {
  const addressed = subnets.filter(({ cidr }) => cidr !== undefined).map(({ subnetId }) => subnetId);
  const asked = new Set(needs.map(reservationSubject));
  const everyOne = needs.includes(NEED_RESERVATIONS);
  const chosen = new Set<string>();
  for (const id of addressed) {
    const mine = known.get(id)?.items.some(({ reservationId }) => asked.has(reservationId)) ?? false;
    if (everyOne || asked.has(id) || mine) chosen.add(id);
  }
  const never = addressed.filter((id) => !known.has(id));
  for (const id of never.slice(0, FIRST_AT_ONCE)) chosen.add(id);
  const old = addressed
    .flatMap((id) => {
      const readAt = known.get(id)?.readAt;
      return readAt !== undefined && now - readAt >= RESERVATIONS_MAX_AGE_MS ? [{ id, readAt }] : [];
    })
    .sort((a, b) => a.readAt - b.readAt || (a.id < b.id ? -1 : 1));
  for (const { id } of old.slice(0, REFRESH_AT_ONCE)) chosen.add(id);
  return [...chosen];
}
