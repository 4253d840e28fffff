/** The series of pages in which the interfaces of a region are read. */
import { blockSize } from '../../core/ip/ipv4.ts';
import type { RegionFacts, SubnetFacts } from '../../core/subnet/snapshot.ts';
import type { RegionScope } from '../live/options.ts';
import type { Shard } from '../live/part.ts';
import { chunks, MAX_IN_FLIGHT } from '../pace.ts';
import { FILTER_VALUES, filter } from './paging.ts';

export interface EniShard extends Shard {
  readonly subnetIds: readonly string[];
  readonly filter: { readonly Name: string; readonly Values: string[] };
}

/** Series beyond one for each VPC, at most. Each costs one call more at most: its last page is seldom full. */
const MORE_SERIES = 5;
/** Addresses in use from which a series is worth cutting in two: pages that are asked for one after the other, each for a token of the one before. */
const WORTH_CUTTING = 10_000;

/**
 * One series for each VPC, the large ones cut by subnets, so that a region whose interfaces lie in one VPC is not read by one call at a time; where the scope names subnets, one for each 200 of them. Never one for each subnet, which
 * would take the account's call rate for nothing. The longest come first.
 *
 * A VPC with subnets that the configuration leaves out stays whole: an interface in one of these may be what shows that an instance is a node.
 */
export function eniShards(
  { subnets, excluded = [] }: Pick<RegionFacts, 'subnets' | 'excluded'>,
  scope: RegionScope,
): readonly EniShard[] {
  if ((scope.subnetIds ?? []).length > 0) {
    return chunks(
      subnets.map(({ subnetId }) => subnetId),
      FILTER_VALUES,
    ).map(bySubnets);
  }
  const vpcs = [...Map.groupBy(subnets, ({ vpcId }) => vpcId)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([vpcId, own]) => ({ vpcId, subnets: own, used: usedIps(own), series: 1 }));
  const whole = new Set(excluded.map(({ vpcId }) => vpcId));
  let best = seriesOf(vpcs);
  for (let more = MORE_SERIES; more > 0; more--) {
    const cuttable = vpcs.filter(({ vpcId, used, series }) => !whole.has(vpcId) && used / series >= WORTH_CUTTING);
    const [longest] = cuttable.sort((one, other) => other.used / other.series - one.used / one.series);
    if (longest === undefined) break;
    longest.series++;
    const next = seriesOf(vpcs);
    // One series more may leave all others waiting for it: of two ways that take as long, the one with fewer calls.
    if (lengthOf(next) < lengthOf(best)) best = next;
  }
  return best.map(({ shard }) => shard);
}

interface Vpc {
  readonly vpcId: string;
  readonly subnets: readonly SubnetFacts[];
  series: number;
}

/** The longest first: who begins with it ends soonest. */
function seriesOf(vpcs: readonly Vpc[]): readonly Weighed[] {
  return vpcs
    .flatMap(({ vpcId, subnets, series }) => shardsOfVpc(vpcId, subnets, series))
    .sort((one, other) => other.used - one.used);
}

/** How long it takes until the last is read, in addresses in use, where each that ends is followed by the next. */
function lengthOf(series: readonly Weighed[]): number {
  const lanes = Array.from({ length: MAX_IN_FLIGHT }, () => 0);
  for (const { used } of series) {
    const free = lanes.indexOf(Math.min(...lanes));
    lanes[free] = (lanes[free] ?? 0) + used;
  }
  return Math.max(...lanes);
}

function bySubnets(subnetIds: string[]): EniShard {
  return { subnetIds, filter: filter('subnet-id', subnetIds) };
}

/** By EC2's own count, which is all that is known before the interfaces are read. */
function usedIps(subnets: readonly SubnetFacts[]): number {
  return subnets.reduce((sum, { cidr, availableIps }) => {
    return cidr === undefined ? sum : sum + Math.max(0, blockSize(cidr.length) - availableIps);
  }, 0);
}

interface Weighed {
  readonly shard: EniShard;
  readonly used: number;
}

/** The subnets of a VPC in so many groups of equal weight, or all together where there are more than the filters of the groups can name. */
function shardsOfVpc(vpcId: string, subnets: readonly SubnetFacts[], series: number): Weighed[] {
  const groups = Array.from({ length: series }, () => ({ used: 0, ids: [] as string[] }));
  const weighed = subnets.map((subnet) => ({ id: subnet.subnetId, used: usedIps([subnet]) }));
  for (const { id, used } of weighed.sort((one, other) => other.used - one.used)) {
    const lightest = groups.reduce((least, group) => (group.used < least.used ? group : least));
    lightest.ids.push(id);
    lightest.used += used;
  }
  const filled = groups.filter(({ ids }) => ids.length > 0);
  const subnetIds = subnets.map(({ subnetId }) => subnetId);
  if (filled.length < 2 || filled.some(({ ids }) => ids.length > FILTER_VALUES)) {
    return [{ shard: { subnetIds, filter: filter('vpc-id', [vpcId]) }, used: usedIps(subnets) }];
  }
  // Where one part fails, all of the VPC is unknown: an interface in it may be what shows that an instance elsewhere is a node.
  return filled.map(({ ids, used }) => ({ shard: { subnetIds, filter: filter('subnet-id', ids) }, used }));
}
