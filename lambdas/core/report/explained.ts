/** The document of one subnet, down to its blocks. */
import type { HeadroomDocument } from '../../contract/document.ts';
import { reservationsBySubnet } from '../assess/context.ts';
import { formatCidr } from '../ip/ipv4.ts';
import type { SubnetOccupancy } from '../subnet/occupancy.ts';
import { blocksOf } from './breakers.ts';
import { type DocumentInput, documentOf } from './document.ts';

export interface ExplainInput extends Omit<DocumentInput, 'only' | 'explained'> {
  readonly subnetId: string;
  /** With the subnet's records kept; absent where its interfaces were not read or it has no IPv4. */
  readonly occupancy?: SubnetOccupancy | undefined;
}

export function explainedDocument({ subnetId, occupancy, ...input }: ExplainInput): HeadroomDocument {
  const reservations = reservationsBySubnet(input.facts).get(subnetId);
  const blocks = occupancy === undefined ? {} : { blocks: blocksOf(occupancy, reservations ?? []) };
  return documentOf({
    ...input,
    only: new Set([subnetId]),
    explained: {
      ...blocks,
      reservations:
        reservations?.map(({ reservationId, cidr, type, description }) => ({
          reservationId,
          cidr: formatCidr(cidr),
          type,
          ...(description === undefined ? {} : { description }),
        })) ?? null,
    },
  });
}
