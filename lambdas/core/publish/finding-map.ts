/** The drawing that goes with a finding on a subnet, so that whoever is told sees at once where the room went. */
import type { Finding, FindingCode } from '../../contract/finding.ts';
import type { AssessContext } from '../assess/context.ts';
import { subnetReports } from '../assess/subnet-report.ts';
import { documentSubnet } from '../report/document.ts';
import { cellsOf } from '../report/map/cell.ts';
import { subnetText } from '../report/map/text-map.ts';

/** What a look at the /28s explains; to all other findings it would add lines and no reason. */
const DRAWN: ReadonlySet<FindingCode> = new Set<FindingCode>([
  'SUBNET_EXHAUSTED',
  'SUBNET_LOW',
  'SUBNET_BELOW_NODE_MINIMUM',
  'SUBNET_TOO_SMALL_FOR_ALB',
  'SUBNET_TOO_SMALL_FOR_INSTANCE',
  'PREFIX_EXHAUSTED',
  'PREFIX_LOW',
  'FRAGMENTED',
  'SINGLE_ADDRESS_BREAKS_BLOCK',
  'RESERVATION_PARTLY_USED',
  'RESERVATION_NOT_EFFECTIVE',
  'RESERVATION_INCLUDES_EDGE_BLOCK',
]);

/**
 * Draws the subnets of findings from what was measured. Draws only when asked: most scans raise nothing.
 *
 * @returns gives `undefined` for a finding that no map explains, and for a subnet whose interfaces were not read.
 */
export function findingMaps({ subnets }: Pick<AssessContext, 'subnets'>) {
  return ({ code, subnetId }: Finding): readonly string[] | undefined => {
    const view = subnetId === undefined || !DRAWN.has(code) ? undefined : subnets.get(subnetId);
    if (view?.occupancy === undefined) return undefined;
    const [report] = subnetReports([view]);
    if (report === undefined) return undefined;
    return subnetText(documentSubnet(report), cellsOf(view.occupancy.map, view.reservations ?? []));
  };
}
