/** The region as it would be once writes were done: the same facts but for them. Lets a plan be judged by the very code that judges the present. */
import { assessContext } from '../assess/assess.ts';
import type { AssessContext } from '../assess/context.ts';
import { coverage, popCount } from '../ip/address-map.ts';
import { blockSize, type Cidr, parseCidr } from '../ip/ipv4.ts';
import type { RegionOccupancy, SubnetOccupancy } from '../subnet/occupancy.ts';
import type { EniReading, Reading, RegionFacts, Reservation, SubnetFacts } from '../subnet/snapshot.ts';
import type { Write } from './plan.ts';

/**
 * Tags and reservations are applied; a reservation lowers EC2's count by the free addresses that it covers, the rule that there is evidence for
 * (docs/adr/0004). Deletions of interfaces are not: `roomAfterRelease` says what they give.
 */
export function afterwards(context: AssessContext, writes: readonly Write[]): AssessContext {
  const facts = writes.reduce((before, write) => afterWrite(before, write, context), context.facts);
  return assessContext(facts, countsAfter(context, writes), occupancyOf(context), context.settings);
}

/** EC2's second count falls as its first one does. */
function countsAfter({ enis, subnets }: AssessContext, writes: readonly Write[]): EniReading {
  if (enis.state === 'absent' || enis.availableIpsAfter === undefined) return enis;
  const counts = new Map(enis.availableIpsAfter);
  for (const write of writes) {
    if (write.kind !== 'createReservation') continue;
    const cidr = parseCidr(write.cidr);
    const count = counts.get(write.subnetId);
    if (cidr === undefined || count === undefined) continue;
    counts.set(write.subnetId, Math.max(0, count - freeIn(subnets.get(write.subnetId)?.occupancy, cidr)));
  }
  return { ...enis, availableIpsAfter: counts };
}

/** The maps that a context was made of. */
export function occupancyOf({ subnets }: AssessContext): RegionOccupancy {
  const kept = new Map<string, SubnetOccupancy>();
  let enis = 0;
  for (const [id, { occupancy }] of subnets) {
    if (occupancy === undefined) continue;
    kept.set(id, occupancy);
    enis += occupancy.enis;
  }
  return { subnets: kept, enis, enisOutsideScope: 0 };
}

function afterWrite(facts: RegionFacts, write: Write, context: AssessContext): RegionFacts {
  switch (write.kind) {
    case 'setTags':
      return withSubnet(facts, write.resourceId, (subnet) => ({
        ...subnet,
        tags: new Map([...stamped(write, facts), ...subnet.tags, ...Object.entries(write.tags)]),
      }));
    case 'createReservation': {
      const cidr = parseCidr(write.cidr);
      if (cidr === undefined) return facts;
      const hidden = freeIn(context.subnets.get(write.subnetId)?.occupancy, cidr);
      const lowered = withSubnet(facts, write.subnetId, (subnet) => ({
        ...subnet,
        availableIps: Math.max(0, subnet.availableIps - hidden),
      }));
      return { ...lowered, reservations: withReservation(facts.reservations, write.subnetId, cidr) };
    }
    case 'deleteInterface':
      return facts;
  }
}

/** A stamp that is there stays. */
function stamped({ stamp }: Extract<Write, { kind: 'setTags' }>, { now }: RegionFacts): readonly [string, string][] {
  return stamp === undefined ? [] : [[stamp, new Date(now ?? 0).toISOString()]];
}

function withSubnet(facts: RegionFacts, id: string, change: (subnet: SubnetFacts) => SubnetFacts): RegionFacts {
  return { ...facts, subnets: facts.subnets.map((subnet) => (subnet.subnetId === id ? change(subnet) : subnet)) };
}

function withReservation(
  reading: Reading<readonly Reservation[]>,
  subnetId: string,
  cidr: Cidr,
): Reading<readonly Reservation[]> {
  const planned: Reservation = { reservationId: 'scr-planned', subnetId, cidr, type: 'prefix' };
  const before = reading.state === 'absent' ? [] : reading.value;
  const value = [...before, planned];
  return reading.state === 'unknown' ? { ...reading, value } : { state: 'read', value };
}

/** Usable addresses of a range that nobody holds: what EC2 takes off its count. */
export function freeIn(occupancy: SubnetOccupancy | undefined, cidr: Cidr): number {
  if (occupancy === undefined) return blockSize(cidr.length);
  const { map } = occupancy;
  const covered = coverage(map, [cidr]);
  let free = 0;
  for (let block = 0; block < map.blocks; block++) {
    const word = covered[block] as number;
    if (word !== 0) free += popCount(word & ~(map.used[block] as number) & ~map.reservedBits(block));
  }
  return free;
}
