import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { eniShards } from '../../../lambdas/adapters/ec2/interface-shards.ts';
import type { SubnetFacts } from '../../../lambdas/core/subnet/snapshot.ts';
import { subnet } from '../../support/builders.ts';

/** A /18 of a VPC with so many of its addresses in use. */
const large = (vpc: number, at: number, used: number): SubnetFacts =>
  subnet('10.0.0.0/18', { vpcId: `vpc-${vpc}`, subnetId: `subnet-${vpc}-${at}`, availableIps: 16_384 - used });

const filters = (subnets: readonly SubnetFacts[], scope = {}) =>
  eniShards({ subnets }, scope).map((shard) => shard.filter);

describe('the series in which interfaces are read', () => {
  test('are one for each VPC where little is in use, the longer ones first', () => {
    expect(filters([large(1, 1, 900), large(2, 1, 9_000), large(1, 2, 100)])).toEqual([
      { Name: 'vpc-id', Values: ['vpc-2'] },
      { Name: 'vpc-id', Values: ['vpc-1'] },
    ]);
  });

  test('cut a large VPC by its subnets, in parts of like weight', () => {
    expect(filters([5_000, 8_000, 7_000, 6_000].map((used, at) => large(1, at, used)))).toEqual([
      { Name: 'subnet-id', Values: ['subnet-1-3', 'subnet-1-0'] },
      { Name: 'subnet-id', Values: ['subnet-1-1'] },
      { Name: 'subnet-id', Values: ['subnet-1-2'] },
    ]);
  });

  test('cut the largest first', () => {
    const subnets = [1, 2, 3].flatMap((vpc) => Array.from({ length: 20 }, (_, at) => large(vpc, at, vpc * 4_000)));
    const vpcOf = ({ Values }: { Values: readonly string[] }) => (Values[0] as string).split('-')[1];
    const counts = Map.groupBy(filters(subnets), vpcOf);
    // 80,000 addresses each: a further cut would end no sooner.
    expect(['1', '2', '3'].map((vpc) => counts.get(vpc)?.length)).toEqual([1, 2, 3]);
  });

  test('are no more than end together: a ninth one would be waited for by the other eight', () => {
    const vpcs = (count: number) =>
      Array.from({ length: count }, (_, vpc) => [0, 1].map((at) => large(vpc, at, 10_000))).flat();
    // Eight in flight: seven and a half VPCs' worth of time would be lost by a cut.
    expect(filters(vpcs(8))).toHaveLength(8);
    expect(filters(vpcs(16))).toHaveLength(16);
    // Twenty whole ones are three rounds; sixteen and four halved ones are two and a half.
    expect(filters(vpcs(20))).toHaveLength(24);
    expect(filters(vpcs(1))).toHaveLength(2);
    // The most there may be: a single VPC, six series.
    expect(filters(Array.from({ length: 40 }, (_, at) => large(1, at, 10_000)))).toHaveLength(6);
  });

  test('never name more subnets than a filter may hold: such a VPC stays whole', () => {
    const subnets = Array.from({ length: 2_000 }, (_, at) => large(1, at, 1_000));
    expect(filters(subnets)).toEqual([{ Name: 'vpc-id', Values: ['vpc-1'] }]);
  });

  test('leave a VPC whole of which the configuration leaves subnets out: what lies there may tell nodes', () => {
    const subnets = [1, 2].flatMap((vpc) => [large(vpc, 1, vpc * 8_000), large(vpc, 2, vpc * 8_000)]);
    const shards = eniShards({ subnets, excluded: [large(1, 3, 10)] }, {});
    expect(shards.map(({ filter }) => filter)).toEqual([
      { Name: 'vpc-id', Values: ['vpc-1'] },
      { Name: 'subnet-id', Values: ['subnet-2-1'] },
      { Name: 'subnet-id', Values: ['subnet-2-2'] },
    ]);
  });

  test('are by 200 subnets where the scope names subnets', () => {
    const subnets = Array.from({ length: 450 }, (_, at) => large(at % 3, at, 16_000));
    const lengths = filters(subnets, { subnetIds: ['named'] }).map(({ Name, Values }) => [Name, Values.length]);
    expect(lengths).toEqual([200, 200, 50].map((length) => ['subnet-id', length]));
  });

  test('hold each subnet once, with or without IPv4', () => {
    const any = fc.record({
      vpc: fc.integer({ min: 1, max: 4 }),
      used: fc.integer({ min: 0, max: 16_379 }),
      ipv4: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 60 }), (specs) => {
        const subnets = specs.map(({ vpc, used, ipv4 }, at) => {
          const whole = large(vpc, at, used);
          return ipv4 ? whole : subnet(null, { vpcId: whole.vpcId, subnetId: whole.subnetId });
        });
        const shards = eniShards({ subnets }, {});
        const vpcs = new Set(subnets.map(({ vpcId }) => vpcId));
        expect(shards.length).toBeLessThanOrEqual(vpcs.size + 5);
        const idsOf = (vpc: string | undefined) => subnets.flatMap((one) => (one.vpcId === vpc ? [one.subnetId] : []));
        const asked = shards.flatMap(({ filter }) =>
          filter.Name === 'vpc-id' ? idsOf(filter.Values[0]) : filter.Values,
        );
        expect(asked.sort()).toEqual(subnets.map((one) => one.subnetId).sort());
        // What is unknown if a series fails is the whole VPC.
        for (const { subnetIds } of shards) {
          const vpc = subnets.find(({ subnetId }) => subnetId === subnetIds[0])?.vpcId;
          expect(subnetIds).toEqual(idsOf(vpc));
        }
      }),
    );
  });
});
