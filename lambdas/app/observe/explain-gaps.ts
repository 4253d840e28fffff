/** A gap between map and count may be a reservation that was made since: they are read again before anything is said of it. */
import { subnetLedgers } from '../../core/assess/context.ts';
import type { StoredVpc } from '../../core/stored/stored-region.ts';
import { isFull } from '../../core/subnet/ledger.ts';
import type { RegionFacts } from '../../core/subnet/snapshot.ts';
import type { ReadingOptions } from '../../ports/observing.ts';
import type { ReadContext } from './read-context.ts';
import { type InterfacesRead, ODD_READS_BELIEVED } from './read-interfaces.ts';
import { type KnownReservations, type ReservationsRead, readReservationsOf } from './read-reservations.ts';

export interface Explained {
  readonly facts: RegionFacts;
  readonly known: KnownReservations;
}

/** @param base the facts without reservations. */
export async function explainGaps(
  context: ReadContext,
  base: RegionFacts,
  read: ReservationsRead,
  interfaces: InterfacesRead,
  stored: ReadonlyMap<string, StoredVpc>,
  options: (more: Partial<ReadingOptions>) => ReadingOptions,
): Promise<Explained> {
  const facts = withReservations(base, read);
  const fresh = { ...facts, subnets: facts.subnets.filter(({ vpcId }) => interfaces.vpcsRead.includes(vpcId)) };
  const gaps: string[] = [];
  for (const [id, { ledger }] of subnetLedgers(fresh, interfaces.enis, interfaces.occupancy)) {
    if (!isFull(ledger) || ledger.unaccountedIps === 0) continue;
    const known = read.known.get(id);
    const old = (stored.get(ledger.vpcId)?.oddReads ?? 0) >= ODD_READS_BELIEVED;
    if (!old && known !== undefined && known.readAt < context.began) gaps.push(id);
  }
  if (gaps.length === 0) return { facts, known: read.known };
  const again = await readReservationsOf(context, base.subnets, read.known, gaps, options);
  return { facts: withReservations(base, again), known: again.known };
}

function withReservations(base: RegionFacts, { reservations, failures }: ReservationsRead): RegionFacts {
  return { ...base, reservations, failures: [...base.failures, ...failures] };
}
