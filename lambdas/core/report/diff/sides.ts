/** What a comparison needs of one reading of a region. */
import type { HeadroomDocument } from '../../../contract/document.ts';
import { reservationsBySubnet } from '../../assess/context.ts';
import type { RegionOccupancy, SubnetOccupancy } from '../../subnet/occupancy.ts';
import type { RegionFacts } from '../../subnet/snapshot.ts';
import { cellsOf } from '../map/cell.ts';

/** One interface and what it holds. */
export interface HeldInterface {
  readonly eniId: string;
  readonly class: string;
  readonly cluster?: string;
  readonly ips: readonly number[];
  readonly prefixes: readonly number[];
}

export interface Side {
  readonly document: HeadroomDocument;
  /** By subnet id; a subnet whose map is not known is not in it. */
  readonly cells: ReadonlyMap<string, Uint8Array>;
  /** By subnet id, then by interface id; absent where records were not kept. */
  readonly interfaces: ReadonlyMap<string, ReadonlyMap<string, HeldInterface>>;
}

/** The maps of every subnet that has one. */
export function regionCells(
  document: HeadroomDocument,
  facts: RegionFacts,
  occupancy: RegionOccupancy,
): ReadonlyMap<string, Uint8Array> {
  const reservations = reservationsBySubnet(facts);
  const known = document.subnets.filter((subnet) => subnet.applicable && subnet.confidence !== 'counts-only');
  return new Map(
    known.flatMap(({ subnetId }) => {
      const found = occupancy.subnets.get(subnetId);
      return found === undefined ? [] : [[subnetId, cellsOf(found.map, reservations.get(subnetId) ?? [])] as const];
    }),
  );
}

/** @param occupancy with the records of every subnet kept; where they were not, who held what counts as not known. */
export function sideOf(document: HeadroomDocument, facts: RegionFacts, occupancy: RegionOccupancy): Side {
  const cells = regionCells(document, facts, occupancy);
  const interfaces = [...cells.keys()].flatMap((id) => {
    const found = occupancy.subnets.get(id) as SubnetOccupancy;
    return hasRecords(found) ? [[id, held(found)] as const] : [];
  });
  return { document, cells, interfaces: new Map(interfaces) };
}

/** Whether every interface is in the records: what is read back from storage has none. */
export function hasRecords({ records, enis }: SubnetOccupancy): boolean {
  return records.length > 0 || enis === 0;
}

function held({ records }: SubnetOccupancy): ReadonlyMap<string, HeldInterface> {
  return new Map(
    records.map(({ eni, class: eniClass, cluster }) => [
      eni.eniId,
      {
        eniId: eni.eniId,
        class: eniClass,
        ...(cluster === undefined ? {} : { cluster }),
        ips: [...eni.addresses].sort((a, b) => a - b),
        prefixes: [...eni.prefixes].sort((a, b) => a - b),
      },
    ]),
  );
}
