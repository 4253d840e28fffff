/** Which range of a subnet to reserve for prefixes: the one that yields most whole free /28s and leaves single addresses outside. */
import { BLOCK_LENGTH, coverage, popCount } from '../ip/address-map.ts';
import { blockSize, type Cidr } from '../ip/ipv4.ts';
import { isAssignable, reservedSpace } from '../subnet/blocks.ts';
import type { SubnetOccupancy } from '../subnet/occupancy.ts';
import type { Reservation } from '../subnet/snapshot.ts';

export interface ReservationRange {
  readonly cidr: Cidr;
  /** Whole free /28s inside, which prefix delegation can be given at once. */
  readonly freeBlocks: number;
  /** /28s inside that single addresses hold; they stay blocked until those go. */
  readonly occupiedBlocks: number;
  /** /28s inside with an address that AWS reserves: never a prefix. */
  readonly edgeBlocks: number;
  /** Free addresses inside: what `AvailableIpAddressCount` falls by. */
  readonly hiddenIps: number;
  /** Free addresses outside every reservation afterwards. */
  readonly singlesLeft: number;
}

/**
 * The best range: most free /28s, then the fewest occupied and the fewest edge ones, then the smaller range, then the lower address. A range is an aligned block
 * of the subnet that touches no reservation (EC2 refuses one that does), at most half of the subnet.
 *
 * @param floor free single addresses that must stay outside.
 * @returns `undefined` where no range keeps the floor and holds a free /28.
 */
export function bestRange(
  occupancy: SubnetOccupancy,
  reservations: readonly Reservation[],
  floor: number,
): ReservationRange | undefined {
  const { map } = occupancy;
  const reserved = reservedSpace(map, reservations);
  const taken = coverage(
    map,
    reservations.map(({ cidr }) => cidr),
  );
  // Running sums over the blocks: any range is then four subtractions, whatever its size.
  const sums = { free: [0], occupied: [0], unused: [0], open: [0], taken: [0], edge: [0] };
  const push = (name: keyof typeof sums, value: number) => sums[name].push((sums[name].at(-1) as number) + value);
  for (let block = 0; block < map.blocks; block++) {
    const used = map.used[block] as number;
    const usable = 0xffff & ~map.reservedBits(block);
    push('free', isAssignable(map, reserved, block) ? 1 : 0);
    push('occupied', used !== 0 && !map.isDelegated(block) ? 1 : 0);
    push('unused', popCount(usable & ~used));
    push('open', popCount(usable & ~used & ~(taken[block] as number)));
    push('taken', taken[block] === 0 ? 0 : 1);
    push('edge', map.isEdge(block) ? 1 : 0);
  }
  const between = (name: keyof typeof sums, from: number, to: number) =>
    (sums[name][to] as number) - (sums[name][from] as number);
  const open = sums.open.at(-1) as number;
  let best: ReservationRange | undefined;
  for (let length = map.cidr.length + 1; length <= BLOCK_LENGTH; length++) {
    const width = blockSize(length) / 16;
    for (let from = 0; from < map.blocks; from += width) {
      const to = from + width;
      if (between('taken', from, to) > 0) continue;
      const hiddenIps = between('unused', from, to);
      const range: ReservationRange = {
        cidr: { base: map.blockBase(from), length },
        freeBlocks: between('free', from, to),
        occupiedBlocks: between('occupied', from, to),
        edgeBlocks: between('edge', from, to),
        hiddenIps,
        singlesLeft: open - hiddenIps,
      };
      if (range.freeBlocks === 0 || range.singlesLeft < floor) continue;
      if (best === undefined || isBetter(range, best)) best = range;
    }
  }
  return best;
}

function isBetter(a: ReservationRange, b: ReservationRange): boolean {
  return (
    (b.freeBlocks - a.freeBlocks ||
      a.occupiedBlocks - b.occupiedBlocks ||
      a.edgeBlocks - b.edgeBlocks ||
      b.cidr.length - a.cidr.length ||
      a.cidr.base - b.cidr.base) < 0
  );
}
