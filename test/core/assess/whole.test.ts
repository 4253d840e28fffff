/** What a reading of a part may not say: that there is none, or which one is picked. */
import { describe, expect, test } from '@jest/globals';
import {
  prefersExhaustedSubnet,
  versionDependentChoice,
  zoneBlockedByOneSubnet,
} from '../../../lambdas/core/assess/rules/consumer-choice.ts';
import type { Rule } from '../../../lambdas/core/assess/rules/rule.ts';
import {
  nodesExpireWithoutReplacement,
  podSubnetZoneMissing,
  selectorMatchesNoSubnet,
} from '../../../lambdas/core/assess/rules/selectors.ts';
import { standby } from '../../../lambdas/core/assess/rules/standby.ts';
import { zoneRoom } from '../../../lambdas/core/assess/rules/zone-room.ts';
import { isAllThatCounts, isWhole } from '../../../lambdas/core/assess/whole.ts';
import { factsInScope } from '../../../lambdas/core/observe/scope.ts';
import type { EniRecord, ReadFailure, RegionFacts, SubnetFacts } from '../../../lambdas/core/subnet/snapshot.ts';
import { eni, region, subnet } from '../../support/builders.ts';
import { contextOf } from '../../support/case-region.ts';
import { cluster, daemonSet, inside, M5_LARGE, nodeClass, nodegroup, read, term } from '../../support/cluster-facts.ts';

const VPC = 'vpc-00000000000000001';
const DISCOVERY = 'karpenter.sh/discovery';
const CNI = 'kubernetes.io/role/cni';

function at(n: number, availableIps: number, tags: Record<string, string> = { [DISCOVERY]: 'a' }): SubnetFacts {
  return subnet(`10.0.${n}.0/24`, { subnetId: `subnet-${n}`, availableIps, tags });
}

const selecting = (...values: string[]) =>
  inside({
    cluster: 'a',
    daemonSet: read(daemonSet({ ENABLE_PREFIX_DELEGATION: 'false' })),
    nodeClasses: read(values.map((value) => nodeClass(`class-${value}`, [term({ [DISCOVERY]: value })]))),
    nodePools: read([{ name: 'pool', nodeClass: `class-${values[0]}`, expireAfter: '72h' }]),
  });

const SMALL = { instanceTypes: read([M5_LARGE]), nodegroups: read([nodegroup('a', [])]) };

/** A /24 with an address in each of its 14 inner blocks, 237 available and not one prefix; Karpenter prefers it to a /25 with six. */
const SCATTERED = eni({
  subnetId: 'subnet-2',
  addresses: Array.from({ length: 14 }, (_, block) => `10.0.2.${16 * (block + 1) + 3}`),
});
const ROOMY = subnet('10.0.3.0/25', { subnetId: 'subnet-3', tags: { [DISCOVERY]: 'a' } });
const PREFIXES = inside({ cluster: 'a', daemonSet: read(daemonSet({ ENABLE_PREFIX_DELEGATION: 'true' })) });

/** Each with facts that it speaks of when they are all there is. */
const SAYS_NONE: readonly (readonly [string, Rule, RegionFacts, (readonly EniRecord[])?])[] = [
  [
    'prefersExhaustedSubnet',
    prefersExhaustedSubnet,
    region([at(2, 237), ROOMY], { kubernetes: [PREFIXES] }),
    [SCATTERED],
  ],
  ['selectorMatchesNoSubnet', selectorMatchesNoSubnet, region([at(1, 9)], { kubernetes: [selecting('b')] })],
  [
    'nodesExpireWithoutReplacement',
    nodesExpireWithoutReplacement,
    region([at(1, 9)], { kubernetes: [selecting('b')] }),
  ],
  [
    'podSubnetZoneMissing',
    podSubnetZoneMissing,
    region([at(1, 9)], {
      kubernetes: [
        inside({
          cluster: 'a',
          nodeClasses: read([
            nodeClass('auto', [term({ [DISCOVERY]: 'a' })], {
              kind: 'NodeClass',
              podSubnetSelectorTerms: [term({ pods: 'yes' })],
            }),
          ]),
        }),
      ],
    }),
  ],
  ['zoneRoom', zoneRoom, region([at(1, 0)], { kubernetes: [selecting('a')], ...SMALL })],
  ['standby', standby, region([at(1, 0)], { kubernetes: [selecting('a')], ...SMALL })],
  [
    'zoneBlockedByOneSubnet',
    zoneBlockedByOneSubnet,
    region([at(1, 0), at(2, 99, { [DISCOVERY]: 'b' })], { kubernetes: [selecting('a', 'b')] }),
  ],
  [
    'versionDependentChoice',
    versionDependentChoice,
    region([at(1, 9), at(2, 99, { [CNI]: '0' })], {
      clusters: read([cluster('a')]),
      nodegroups: read([nodegroup('a', ['subnet-1'])]),
    }),
  ],
];

const BROKEN: ReadFailure = {
  input: 'subnets',
  call: 'ec2:DescribeSubnets',
  code: 'RequestLimitExceeded',
  message: '',
};

describe.each(SAYS_NONE)('%s', (_name, rule, facts, enis) => {
  const says = (change: Partial<RegionFacts>) => rule(contextOf({ ...facts, ...change }, enis)).length > 0;

  test.each<readonly [boolean, string, Partial<RegionFacts>]>([
    [true, 'the whole region', {}],
    [true, 'the whole VPC', { scope: { vpcIds: [VPC], subnetIds: [] } }],
    [false, 'single subnets', { scope: { vpcIds: [VPC], subnetIds: facts.subnets.map(({ subnetId }) => subnetId) } }],
    [false, 'a list that broke off', { failures: [BROKEN] }],
    [true, 'a list without a subnet that does not exist', { failures: [{ ...BROKEN, code: 'NOT_FOUND' }] }],
  ])('says it: %s, of %s', (expected, _what, change) => {
    expect(says(change)).toBe(expected);
  });
});

describe('what the configuration leaves out', () => {
  const scope = { vpcs: [], subnets: [], clusters: [], excludeSubnets: ['subnet-2'], excludeTags: {}, tags: {} };
  const facts = region([at(1, 9), at(2, 9, { [DISCOVERY]: 'b' })], { kubernetes: [selecting('b')] });

  test('is known to a selector that means it, and to nothing else', () => {
    const left = factsInScope(scope, facts);
    expect(left.subnets.map(({ subnetId }) => subnetId)).toEqual(['subnet-1']);
    expect(selectorMatchesNoSubnet(contextOf(left))).toEqual([]);
    expect(selectorMatchesNoSubnet(contextOf({ ...left, excluded: [] }))).toHaveLength(1);
  });

  test('does not count, where it names the subnets to look at', () => {
    const named = { ...facts, scope: { vpcIds: [], subnetIds: ['subnet-1', 'subnet-2'] } };
    expect([isWhole(named, VPC), isAllThatCounts(named, VPC)]).toEqual([false, false]);
    const configured = factsInScope({ ...scope, excludeSubnets: [] }, named);
    expect([isWhole(configured, VPC), isAllThatCounts(configured, VPC)]).toEqual([false, true]);
    expect(isAllThatCounts({ ...configured, failures: [BROKEN] }, VPC)).toBe(false);
  });

  test('of a cluster whose VPC nobody knows, only the whole region tells', () => {
    expect(isWhole(facts, undefined)).toBe(true);
    expect(isWhole({ ...facts, scope: { vpcIds: [VPC], subnetIds: [] } }, undefined)).toBe(false);
    expect(isWhole({ ...facts, scope: { vpcIds: ['vpc-2'], subnetIds: [] } }, VPC)).toBe(false);
  });
});
