import { Place } from '../../core/input/place.ts';
import type { InstanceFacts, InstanceTypeFacts, NodegroupFacts, SubnetFacts } from '../../core/subnet/snapshot.ts';
import { decodeInstanceTypes } from '../describe/instance-types.ts';
import { decodeInstances } from '../describe/instances.ts';
import { type Part, type ReadingTaps, readPart, type Shard } from '../live/part.ts';
import { chunks } from '../pace.ts';
import type { Ec2Calls } from './ec2-calls.ts';
import { ManagedResources } from './managed-resources.ts';
import { type VpcShard, vpcPage, vpcShards } from './network-parts.ts';
import { eachPage, filter, pageSize, SMALL_PAGE_SIZE } from './paging.ts';

/** The instances of the VPCs: by VPC and not by subnet, since a node's interfaces may lie in other subnets than the node. */
export function readInstances(
  ec2: Ec2Calls,
  taps: ReadingTaps,
  subnets: readonly SubnetFacts[],
): Promise<Part<InstanceFacts>> {
  const managed = new ManagedResources();
  return readPart<VpcShard, InstanceFacts>(taps, {
    input: 'instances',
    call: 'ec2:DescribeInstances',
    shards: vpcShards(subnets),
    read: ({ vpcIds }, take) =>
      eachPage(
        (token) => managed.ask((flag) => ec2.instances({ ...vpcPage(taps, vpcIds, token), ...flag })),
        (page) => page.NextToken,
        async ({ Reservations = [] }) =>
          take({ Reservations }, decodeInstances({ Reservations }, Place.of('ec2:DescribeInstances'))),
      ),
  });
}

/** The types of the instances there are and of those that node groups ask for, sorted. */
export function typesInUse(instances: readonly InstanceFacts[], nodegroups: readonly NodegroupFacts[]): string[] {
  const types = new Set(instances.map(({ instanceType }) => instanceType));
  for (const { instanceTypes } of nodegroups) for (const type of instanceTypes) types.add(type);
  return [...types].sort();
}

/** By filter and not by name, since one name that the region does not know would fail the call for the others. */
export function readInstanceTypes(
  ec2: Ec2Calls,
  taps: ReadingTaps,
  types: readonly string[],
): Promise<Part<InstanceTypeFacts>> {
  return readPart<Shard & { readonly types: readonly string[] }, InstanceTypeFacts>(taps, {
    input: 'instance-types',
    call: 'ec2:DescribeInstanceTypes',
    shards: chunks(types, SMALL_PAGE_SIZE).map((names) => ({ types: names })),
    read: ({ types: names }, take) =>
      eachPage(
        (NextToken) =>
          ec2.instanceTypes({
            MaxResults: pageSize(taps.pageSize, SMALL_PAGE_SIZE),
            Filters: [filter('instance-type', names)],
            ...(NextToken === undefined ? {} : { NextToken }),
          }),
        (page) => page.NextToken,
        async ({ InstanceTypes = [] }) =>
          take({ InstanceTypes }, decodeInstanceTypes({ InstanceTypes }, Place.of('ec2:DescribeInstanceTypes'))),
      ),
  });
}
