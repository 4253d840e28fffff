import { Place } from '../../core/input/place.ts';
import type { ReadFailure, SubnetFacts } from '../../core/subnet/snapshot.ts';
import { ReadError } from '../../ports/read-error.ts';
import { type AskedAs, fatalError } from '../aws-error.ts';
import { decodeSubnets } from '../describe/subnets.ts';
import type { RegionScope } from '../live/options.ts';
import { type Part, type ReadingTaps, readPart } from '../live/part.ts';
import { chunks } from '../pace.ts';
import type { Ec2Calls } from './ec2-calls.ts';
import { eachPage, FILTER_VALUES, filter, pageSize } from './paging.ts';

const PLACE = Place.of('ec2:DescribeSubnets');

interface SubnetShard {
  readonly subnetIds: readonly string[];
  readonly filters: readonly { readonly Name: string; readonly Values: string[] }[];
}

/** Failures of a shard by VPC speak of no subnet by id: which ones the VPCs hold is just what is not known. */
function shardsOf(scope: RegionScope): SubnetShard[] {
  const { vpcIds = [], subnetIds = [] } = scope;
  if (subnetIds.length > 0) {
    return chunks(subnetIds, FILTER_VALUES).map((ids) => ({ subnetIds: ids, filters: [filter('subnet-id', ids)] }));
  }
  if (vpcIds.length > 0) {
    return chunks(vpcIds, FILTER_VALUES).map((ids) => ({ subnetIds: [], filters: [filter('vpc-id', ids)] }));
  }
  return [{ subnetIds: [], filters: [] }];
}

/** The subnets in scope, whatever could be read of them. */
export async function readSubnets(ec2: Ec2Calls, taps: ReadingTaps, scope: RegionScope): Promise<Part<SubnetFacts>> {
  const vpcs = new Set(scope.vpcIds ?? []);
  const inScope = (vpcId: string) => vpcs.size === 0 || vpcs.has(vpcId);
  return readPart<SubnetShard, SubnetFacts>(taps, {
    input: 'subnets',
    call: 'ec2:DescribeSubnets',
    shards: shardsOf(scope),
    read: ({ filters }, take) =>
      eachPage(
        (NextToken) =>
          ec2.subnets({
            MaxResults: pageSize(taps.pageSize),
            ...(filters.length === 0 ? {} : { Filters: [...filters] }),
            ...(NextToken === undefined ? {} : { NextToken }),
          }),
        (page) => page.NextToken,
        async (page) => {
          const Subnets = (page.Subnets ?? []).filter((subnet) => inScope(subnet.VpcId ?? ''));
          await take({ Subnets }, decodeSubnets({ Subnets }, PLACE));
        },
      ),
  });
}

/**
 * Throws where no subnet was read: the call failed, or there is none. @returns a failure for each part of the scope that does not exist, where others do.
 */
export function missingFromScope(part: Part<SubnetFacts>, scope: RegionScope, asked: AskedAs): ReadFailure[] {
  if (part.items.length === 0 && part.failures.length > 0)
    throw fatalError(part.firstError, 'ec2:DescribeSubnets', asked);
  const where = asked.region ?? 'the region';
  const { vpcIds = [], subnetIds = [] } = scope;
  const found = new Set<string>();
  for (const { subnetId, vpcId } of part.items) found.add(subnetId).add(vpcId);
  const unread = new Set(part.failures.flatMap((failure) => failure.subnetIds ?? []));
  const lost = subnetIds.filter((id) => !found.has(id) && !unread.has(id));
  // A VPC is missed only where it was asked for as such and every call about VPCs had an answer.
  const empty = subnetIds.length > 0 || part.failures.length > 0 ? [] : vpcIds.filter((id) => !found.has(id));
  if (part.items.length === 0) {
    const sought = subnetIds.length > 0 ? `subnet ${subnetIds.join(', ')}` : `subnet in ${vpcIds.join(', ')}`;
    throw new ReadError(
      'NOT_FOUND',
      `There is no ${vpcIds.length + subnetIds.length > 0 ? sought : 'subnet'} in ${where}.`,
      {
        remedy: 'Check the ids, the region and the account.',
      },
    );
  }
  const failure = (ids: readonly string[], message: string): ReadFailure => ({
    input: 'subnets',
    call: 'ec2:DescribeSubnets',
    code: 'NOT_FOUND',
    subnetIds: ids,
    message: `${message} in ${where}.`,
  });
  return [
    ...(lost.length === 0 ? [] : [failure(lost, `There is no subnet ${lost.join(', ')}`)]),
    ...(empty.length === 0 ? [] : [failure([], `There is no subnet in ${empty.join(', ')}`)]),
  ];
}
