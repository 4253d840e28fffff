/** What a stored snapshot knows of the subnets that events speak of. */
import { assessContext } from '../assess/assess.ts';
import type { AssessSettings } from '../assess/settings.ts';
import { subnetReports } from '../assess/subnet-report.ts';
import type { StoredSnapshot } from '../stored/stored-region.ts';
import { roomOf, type SubnetRoom } from './rooms.ts';

/** The ledger of every subnet, and the clusters that may use it: an assessment without its rules. */
export function roomsOfSnapshot(
  { facts, enis, occupancy }: StoredSnapshot,
  settings: AssessSettings,
): readonly SubnetRoom[] {
  return subnetReports(assessContext(facts, enis, occupancy, settings).subnets.values()).map(roomOf);
}
