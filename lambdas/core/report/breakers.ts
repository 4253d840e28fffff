/** Who keeps which /28 of a subnet from being a prefix. */
import type { DocumentBlock } from '../../contract/document.ts';
import { type AddressMap, BLOCK_IPS, BLOCK_LENGTH } from '../ip/address-map.ts';
import { formatIpv4 } from '../ip/ipv4.ts';
import { blockState, reservedSpace } from '../subnet/blocks.ts';
import type { SubnetOccupancy } from '../subnet/occupancy.ts';
import type { Reservation } from '../subnet/snapshot.ts';

export type Breaker = DocumentBlock['breakers'][number];

/** A block that single addresses keep, and the interfaces that hold them. */
export interface BrokenBlock extends DocumentBlock {
  /** Distinct interfaces that would have to let go. */
  readonly interfaces: number;
}

/**
 * Every /28 of the subnet, by address.
 *
 * @param occupancy of a subnet whose records were kept: the holders are taken from them.
 */
export function blocksOf(occupancy: SubnetOccupancy, reservations: readonly Reservation[]): readonly DocumentBlock[] {
  const map = occupancy.map;
  const reserved = reservedSpace(map, reservations);
  const holders = holdersByBlock(occupancy);
  return Array.from({ length: map.blocks }, (_, block) => {
    const state = blockState(map, block);
    const explicit = reserved.explicit[block] !== 0;
    // As in the ledger: any explicit address spoils a block for EC2's own choice, and only a whole one counts as kept for prefixes.
    const reservation = explicit ? 'explicit' : reserved.prefix[block] === 0xffff ? 'prefix' : null;
    return {
      cidr: `${formatIpv4(map.blockBase(block))}/${BLOCK_LENGTH}`,
      state,
      usedIps: map.usedIn(block),
      reservation,
      breakers: state === 'occupied' ? (holders[block] ?? []).toSorted(byAddress).map(({ breaker }) => breaker) : [],
    };
  });
}

interface Held {
  readonly offset: number;
  readonly breaker: Breaker;
}

function byAddress(a: Held, b: Held): number {
  return a.offset - b.offset;
}

function holdersByBlock({ map, records }: SubnetOccupancy): readonly (Held[] | undefined)[] {
  const held: (Held[] | undefined)[] = Array.from({ length: map.blocks });
  for (const { eni, class: eniClass, cluster } of records) {
    const instanceId = eni.attachment?.instanceId;
    for (const address of eni.addresses) {
      if (!isCounted(map, address)) continue;
      const offset = address - map.cidr.base;
      held[offset >>> 4] ??= [];
      held[offset >>> 4]?.push({
        offset,
        breaker: {
          address: formatIpv4(address),
          primary: address === eni.primary,
          eniId: eni.eniId,
          class: eniClass,
          ...(instanceId === undefined ? {} : { instanceId }),
          ...(cluster === undefined ? {} : { cluster }),
        },
      });
    }
  }
  return held;
}

function isCounted(map: AddressMap, address: number): boolean {
  if (!map.contains(address)) return false;
  const offset = address - map.cidr.base;
  return (map.reservedBits(offset >>> 4) & (1 << (offset & (BLOCK_IPS - 1)))) === 0;
}

/**
 * The blocks that single addresses break, the cheapest to win back first: fewest interfaces, then fewest addresses, then by address. Blocks in explicit
 * reservations are left out, since winning them back gives no prefix.
 */
export function cheapestFirst(blocks: readonly DocumentBlock[]): readonly BrokenBlock[] {
  return blocks
    .map((block, at) => ({ ...block, at, interfaces: new Set(block.breakers.map(({ eniId }) => eniId)).size }))
    .filter(({ state, reservation }) => state === 'occupied' && reservation !== 'explicit')
    .sort((a, b) => a.interfaces - b.interfaces || a.usedIps - b.usedIps || a.at - b.at)
    .map(({ at: _, ...block }) => block);
}
