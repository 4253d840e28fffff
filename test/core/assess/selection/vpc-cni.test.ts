import { describe, expect, test } from '@jest/globals';
import {
  type CniRule,
  cniRule,
  cniSubnetOrder,
  discoveredSubnets,
  isCandidate,
} from '../../../../lambdas/core/assess/selection/vpc-cni.ts';
import { subnet } from '../../../support/builders.ts';

describe('the rule in force', () => {
  test.each<[string | undefined, boolean | undefined, CniRule | undefined]>([
    // ENABLE_SUBNET_DISCOVERY came with v1.18.0 (CNI README).
    ['1.17.1', undefined, 'off'],
    ['v1.18.0', undefined, 'key'],
    ['v1.18.0-eksbuild.1', true, 'key'],
    // v1.18.0 - v1.21.2: `validTag` tests the presence of the key.
    ['1.21.2', undefined, 'key'],
    // Git tag v1.22.0: value, and the prefix kubernetes.io/cluster/.
    ['1.22.0', undefined, 'legacy-scope'],
    // v1.22.1, PR #3647: value, and the prefix cni.networking.k8s.aws/cluster/.
    ['1.22.1', undefined, 'value'],
    ['1.23.1', undefined, 'value'],
    ['2.0.0', undefined, 'value'],
    ['1.23.1', false, 'off'],
    [undefined, false, 'off'],
    [undefined, true, undefined],
    ['latest', undefined, undefined],
  ])('version %s, discovery %s: %s', (version, subnetDiscovery, rule) => {
    expect(cniRule({ version, subnetDiscovery })).toBe(rule);
  });
});

const KEY = 'kubernetes.io/role/cni';
const SCOPE_A = 'cni.networking.k8s.aws/cluster/a';
const SCOPE_B = 'cni.networking.k8s.aws/cluster/b';
const LEGACY_A = 'kubernetes.io/cluster/a';
const LEGACY_B = 'kubernetes.io/cluster/b';

/** Rows: the subnet's tags, whether it is the node's own, CLUSTER_NAME, and the answer of [off, key, legacy-scope, value]. */
const ROWS: readonly (readonly [string, Record<string, string>, boolean, string, readonly boolean[]])[] = [
  ['no tag, the node’s own: always used', {}, true, 'a', [true, true, true, true]],
  ['no tag, another one: never used', {}, false, 'a', [false, false, false, false]],
  ['value 1', { [KEY]: '1' }, false, 'a', [false, true, true, true]],
  ['value 0 opts in by the key alone, and out from v1.22.0', { [KEY]: '0' }, false, 'a', [false, true, false, false]],
  ['value 0 on the node’s own excludes it from v1.22.0', { [KEY]: '0' }, true, 'a', [true, true, false, false]],
  ['an empty value counts as none from v1.22.0', { [KEY]: '' }, false, 'a', [false, true, false, false]],
  ['an empty value on the node’s own', { [KEY]: '' }, true, 'a', [true, true, true, true]],
  ['the scope of this cluster', { [KEY]: '1', [SCOPE_A]: '' }, false, 'a', [false, true, true, true]],
  ['the scope of another cluster', { [KEY]: '1', [SCOPE_B]: 'shared' }, false, 'a', [false, true, true, false]],
  ['the scopes of both', { [KEY]: '1', [SCOPE_A]: '', [SCOPE_B]: '' }, false, 'a', [false, true, true, true]],
  [
    'another scope, CLUSTER_NAME empty: not looked at',
    { [KEY]: '1', [SCOPE_B]: '' },
    false,
    '',
    [false, true, true, true],
  ],
  ['another scope on an untagged own subnet: not looked at', { [SCOPE_B]: '' }, true, 'a', [true, true, true, true]],
  ['another scope on a tagged own subnet', { [KEY]: '1', [SCOPE_B]: '' }, true, 'a', [true, true, true, false]],
  ['legacy tag of this cluster', { [KEY]: '1', [LEGACY_A]: 'shared' }, false, 'a', [false, true, true, true]],
  [
    'legacy tag of another: only v1.22.0 looks',
    { [KEY]: '1', [LEGACY_B]: 'shared' },
    false,
    'a',
    [false, true, false, true],
  ],
  ['legacy tag of another on an untagged own subnet', { [LEGACY_B]: 'owned' }, true, 'a', [true, true, false, true]],
  [
    'legacy tag, CLUSTER_NAME empty: v1.22.0 looks all the same',
    { [KEY]: '1', [LEGACY_B]: '' },
    false,
    '',
    [false, true, false, true],
  ],
];

describe('whether a new interface may be put into a subnet', () => {
  test.each(ROWS)('%s', (_name, tags, own, clusterName, answers) => {
    const at = subnet('10.0.0.0/24', { tags });
    const rules: readonly CniRule[] = ['off', 'key', 'legacy-scope', 'value'];
    const got = rules.map((rule) => isCandidate(rule, { clusterName }, at, own ? at.subnetId : 'subnet-of-the-node'));
    expect(got).toEqual(answers);
  });

  test('by a tag key of one’s own', () => {
    const at = subnet('10.0.0.0/24', { tags: { 'pods/here': '1' } });
    expect(isCandidate('value', { cniTag: 'pods/here' }, at, '')).toBe(true);
    expect(isCandidate('value', {}, at, '')).toBe(false);
  });
});

describe('the order in which subnets are tried', () => {
  const node = subnet('10.0.0.0/24', { subnetId: 'subnet-node', availableIps: 5 });
  const tagged = (subnetId: string, availableIps: number, fields: object = {}) =>
    subnet('10.0.1.0/24', { subnetId, availableIps, tags: { [KEY]: '1' }, ...fields });
  const all = [
    node,
    tagged('subnet-small', 3),
    tagged('subnet-first-of-equals', 100),
    tagged('subnet-second-of-equals', 100),
    tagged('subnet-empty', 0),
    tagged('subnet-elsewhere', 200, { availabilityZone: 'us-east-1b', availabilityZoneId: 'use1-az2' }),
    tagged('subnet-other-vpc', 200, { vpcId: 'vpc-00000000000000002' }),
  ];

  test('most available first, stable, in the zone and VPC of the node, with no minimum', () => {
    expect(cniSubnetOrder('value', {}, node, all).map(({ subnetId }) => subnetId)).toEqual([
      'subnet-first-of-equals',
      'subnet-second-of-equals',
      'subnet-node',
      'subnet-small',
      'subnet-empty',
    ]);
  });

  test('only the node’s own without discovery', () => {
    expect(cniSubnetOrder('off', {}, node, all)).toEqual([node]);
  });

  test('none by discovery under custom networking: the ENIConfig decides', () => {
    expect(cniSubnetOrder('value', { customNetworking: true }, node, all)).toEqual([]);
  });
});

test('a cluster of unknown version is held to the newest rule', () => {
  const subnets = [
    subnet('10.0.0.0/24', { subnetId: 'subnet-1', tags: { [KEY]: '0' } }),
    subnet('10.0.1.0/24', { subnetId: 'subnet-2', tags: { [KEY]: '1' } }),
    subnet('10.0.2.0/24', { subnetId: 'subnet-3' }),
  ];
  const found = (version?: string) =>
    discoveredSubnets({ vpcId: 'vpc-00000000000000001', cni: { version }, cniTag: KEY }, subnets).map(
      (s) => s.subnetId,
    );
  expect(found()).toEqual(['subnet-2']);
  expect(found('1.20.0')).toEqual(['subnet-1', 'subnet-2']);
});
