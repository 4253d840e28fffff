/** Reads the interfaces of the VPCs that are due, and takes the maps of the others from their last read. */

import { subnetLedgers } from '../../core/assess/context.ts';
import { formatCidr } from '../../core/ip/ipv4.ts';
import { storeOccupancy } from '../../core/stored/stored-occupancy.ts';
import { restoreAll, type StoredVpc } from '../../core/stored/stored-region.ts';
import { isFull } from '../../core/subnet/ledger.ts';
import { OccupancyBuilder, type RegionOccupancy, type SubnetOccupancy } from '../../core/subnet/occupancy.ts';
import type { EniReading, RegionFacts } from '../../core/subnet/snapshot.ts';
import type { ReadingOptions } from '../../ports/observing.ts';
import type { ReadContext } from './read-context.ts';

/**
 * A VPC whose numbers do not add up is read again by the next tick: EC2's answers lag each other by seconds. After so many reads in a row it is believed: some
 * gaps are there for good, as in a subnet of another account.
 */
export const ODD_READS_BELIEVED = 3;

export interface InterfacesRead {
  readonly enis: EniReading;
  readonly occupancy: RegionOccupancy;
  /** VPCs whose interfaces were read to the end, sorted. */
  readonly vpcsRead: readonly string[];
}

export async function readInterfaces(
  context: ReadContext,
  facts: RegionFacts,
  stored: ReadonlyMap<string, StoredVpc>,
  due: readonly string[],
  options: (more: Partial<ReadingOptions>) => ReadingOptions,
): Promise<InterfacesRead> {
  const dueSubnets = facts.subnets.filter(({ vpcId }) => due.includes(vpcId));
  const dueFacts = { ...facts, subnets: dueSubnets };
  const builder = new OccupancyBuilder(dueFacts);
  const reading =
    due.length === 0
      ? undefined
      : await context.world
          .open(options({ inputs: new Set(['network-interfaces']) }))
          .networkInterfaces(dueFacts, builder);
  const fresh = builder.finish();
  const subnets = new Map<string, SubnetOccupancy>(fresh.subnets);
  let enis = fresh.enis;
  let managedResourcesIncluded = reading?.state === 'read' ? reading.managedResourcesIncluded === true : true;
  for (const [vpcId, vpc] of stored) {
    if (due.includes(vpcId)) continue;
    managedResourcesIncluded &&= vpc.managedResourcesIncluded;
    for (const [id, occupancy] of restoreAll(vpc.subnets, facts)) {
      subnets.set(id, occupancy);
      enis += occupancy.enis;
    }
  }
  const read = reading?.state === 'read' ? reading : undefined;
  const failures = read?.failures ?? [];
  const lost = new Set(failures.flatMap(({ subnetIds }) => subnetIds ?? dueSubnets.map(({ subnetId }) => subnetId)));
  const failed = new Set(dueSubnets.filter(({ subnetId }) => lost.has(subnetId)).map(({ vpcId }) => vpcId));
  const dueIds = new Set(dueSubnets.map(({ subnetId }) => subnetId));
  return {
    enis: {
      state: 'read',
      managedResourcesIncluded,
      ...(read?.decodedBySdk === undefined ? {} : { decodedBySdk: read.decodedBySdk }),
      // The others were read at another time: their count is the one that the gate found unmoved.
      availableIpsAfter: new Map([...(read?.availableIpsAfter ?? [])].filter(([id]) => dueIds.has(id))),
      failures,
    },
    occupancy: { subnets: inOrder(facts, subnets), enis, enisOutsideScope: fresh.enisOutsideScope },
    vpcsRead: due.filter((id) => !failed.has(id)).sort(),
  };
}

/** In the order of the facts, whatever was read and whatever was kept. */
function inOrder(
  facts: RegionFacts,
  found: ReadonlyMap<string, SubnetOccupancy>,
): ReadonlyMap<string, SubnetOccupancy> {
  const ordered = new Map<string, SubnetOccupancy>();
  for (const { subnetId } of facts.subnets) {
    const occupancy = found.get(subnetId);
    if (occupancy !== undefined) ordered.set(subnetId, occupancy);
  }
  return ordered;
}

/** The VPCs that were read to the end, as the next scans will need them. */
export function vpcsToKeep(
  facts: RegionFacts,
  { enis, occupancy, vpcsRead }: InterfacesRead,
  stored: ReadonlyMap<string, StoredVpc>,
  scan: { readonly began: number; readonly factsTag: string },
): readonly StoredVpc[] {
  const after = enis.state === 'read' ? enis.availableIpsAfter : undefined;
  const read = { ...facts, subnets: facts.subnets.filter(({ vpcId }) => vpcsRead.includes(vpcId)) };
  const ledgers = subnetLedgers(read, enis, occupancy);
  return vpcsRead.map((vpcId) => {
    const own = read.subnets.filter((subnet) => subnet.vpcId === vpcId);
    const moved = own.some(({ subnetId, availableIps }) => (after?.get(subnetId) ?? availableIps) !== availableIps);
    const odd = own.some(({ subnetId }) => {
      const ledger = ledgers.get(subnetId)?.ledger;
      return ledger !== undefined && isFull(ledger) && ledger.confidence !== 'exact';
    });
    const oddReads = odd ? (stored.get(vpcId)?.oddReads ?? 0) + 1 : 0;
    return {
      vpcId,
      readAt: scan.began,
      unsettled: moved || (odd && oddReads < ODD_READS_BELIEVED),
      factsTag: scan.factsTag,
      counts: new Map(
        own.flatMap(({ subnetId, cidr, availableIps }) =>
          cidr === undefined
            ? []
            : [[subnetId, { cidr: formatCidr(cidr), availableIps: after?.get(subnetId) ?? availableIps }] as const],
        ),
      ),
      managedResourcesIncluded: enis.state === 'read' && enis.managedResourcesIncluded === true,
      oddReads,
      subnets: own.flatMap(({ subnetId }) => {
        const held = occupancy.subnets.get(subnetId);
        return held === undefined ? [] : [storeOccupancy(held)];
      }),
    };
  });
}
