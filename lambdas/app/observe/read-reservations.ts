/** Reservations: read for a few subnets at a time, known for all. */
import { RESERVATIONS_MAX_AGE_MS, reservationsToRead } from '../../core/observe/reservation-plan.ts';
import type { StoredReservations } from '../../core/stored/stored-region.ts';
import type { ReadFailure, Reading, RegionFacts, Reservation, SubnetFacts } from '../../core/subnet/snapshot.ts';
import type { ReadingOptions } from '../../ports/observing.ts';
import { ReadError } from '../../ports/read-error.ts';
import type { ReadContext } from './read-context.ts';

const CALL = 'ec2:GetSubnetCidrReservations';

/** What is known for longer than this, because reading it again keeps failing, is known no more. */
const BELIEVED_MS = 3 * RESERVATIONS_MAX_AGE_MS;

export type KnownReservations = ReadonlyMap<string, StoredReservations>;

export interface ReservationsRead {
  readonly reservations: RegionFacts['reservations'];
  readonly failures: readonly ReadFailure[];
  readonly known: KnownReservations;
}

type Options = (more: Partial<ReadingOptions>) => ReadingOptions;

/** Reads what is due. The result is about every subnet: what is neither known nor read is a failure. */
export async function readReservations(
  context: ReadContext,
  subnets: readonly SubnetFacts[],
  known: KnownReservations,
  options: Options,
): Promise<ReservationsRead> {
  const due = reservationsToRead(subnets, known, context.needs, context.began);
  return readReservationsOf(context, subnets, known, due, options);
}

/** Reads those of certain subnets. */
export async function readReservationsOf(
  context: ReadContext,
  subnets: readonly SubnetFacts[],
  known: KnownReservations,
  ids: readonly string[],
  options: Options,
): Promise<ReservationsRead> {
  const { began } = context;
  const present = new Set(subnets.filter(({ cidr }) => cidr !== undefined).map(({ subnetId }) => subnetId));
  const next = new Map([...known].filter(([id]) => present.has(id)));
  const failed: ReadFailure[] = [];
  if (ids.length > 0) {
    const reading = await readOf(context, ids, options);
    if (reading.state === 'unknown') failed.push(...reading.failures);
    const lost = new Set(failed.flatMap(({ subnetIds }) => subnetIds ?? ids));
    const found = reading.state === 'absent' ? [] : reading.value;
    for (const id of ids) {
      if (lost.has(id)) continue;
      next.set(id, { readAt: began, items: found.filter(({ subnetId }) => subnetId === id) });
    }
  }
  return { ...overall(present, next, failed, began), known: next };
}

async function readOf(
  { world }: ReadContext,
  subnetIds: readonly string[],
  options: Options,
): Promise<Reading<readonly Reservation[]>> {
  try {
    const source = world.open(options({ inputs: new Set(['cidr-reservations']), subnetIds }));
    return (await source.facts()).reservations;
  } catch (error) {
    const code = error instanceof ReadError ? error.code : 'UNEXPECTED';
    const message = error instanceof Error ? error.message : String(error);
    const failure: ReadFailure = { input: 'cidr-reservations', call: CALL, code, subnetIds, message };
    return { state: 'unknown', value: [], failures: [failure] };
  }
}

function overall(
  present: ReadonlySet<string>,
  known: KnownReservations,
  failed: readonly ReadFailure[],
  now: number,
): Omit<ReservationsRead, 'known'> {
  const unknown = new Set([...present].filter((id) => now - (known.get(id)?.readAt ?? -Infinity) > BELIEVED_MS));
  const value = [...known.values()]
    .flatMap(({ items }) => items)
    .sort((a, b) => (a.reservationId < b.reservationId ? -1 : 1));
  if (unknown.size === 0) return { reservations: { state: 'read', value }, failures: [] };
  const told = failed.flatMap((failure): readonly ReadFailure[] => {
    const subnetIds = (failure.subnetIds ?? [...present]).filter((id) => unknown.has(id)).sort();
    return subnetIds.length === 0 ? [] : [{ ...failure, subnetIds }];
  });
  const covered = new Set(told.flatMap(({ subnetIds }) => subnetIds ?? []));
  const waiting = [...unknown].filter((id) => !covered.has(id)).sort();
  const failures: readonly ReadFailure[] =
    waiting.length === 0
      ? told
      : [
          ...told,
          {
            input: 'cidr-reservations',
            call: CALL,
            code: 'NOT_READ_YET',
            subnetIds: waiting,
            message: 'Reservations of so many subnets are read over several scans.',
          },
        ];
  return { reservations: { state: 'unknown', value, failures }, failures };
}
