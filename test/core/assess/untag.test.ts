import { describe, expect, test } from '@jest/globals';
import { untagEffect } from '../../../lambdas/core/assess/untag.ts';
import { region, subnet, tags } from '../../support/builders.ts';
import { caseContext, contextOf } from '../../support/case-region.ts';
import { inside, instance, nodeClass, read, term } from '../../support/cluster-facts.ts';

const DISCOVERY = 'karpenter.sh/discovery';
const KARPENTER = { 'karpenter.k8s.aws/ec2nodeclass': 'default' };

test('four nodes drift, the two that select the subnet by id do not', () => {
  const effect = untagEffect(caseContext('c12'), 'subnet-00120000000000001');
  expect(effect).toMatchObject({
    keys: [DISCOVERY],
    replaced: 4,
    nodeClasses: [
      { nodeClass: 'default', stillSelected: false, selectedAfter: 2, replaced: 4 },
      { nodeClass: 'pinned', stillSelected: true, selectedAfter: 1, replaced: 0 },
    ],
    findings: [
      {
        code: 'ACTION_CAUSES_DRIFT',
        subnetId: 'subnet-00120000000000001',
        observed: 4,
        evidence: { action: 'untag', nodes: 4 },
      },
    ],
  });
  expect(effect?.nodeClasses[1]?.nodes).toHaveLength(2);
});

describe('the effect of taking a tag away', () => {
  const subnets = [
    subnet('10.0.0.0/24', { subnetId: 'subnet-1', tags: { [DISCOVERY]: 'a' } }),
    subnet('10.0.1.0/24', { subnetId: 'subnet-2', tags: { [DISCOVERY]: 'a' } }),
    subnet('10.0.2.0/24', { subnetId: 'subnet-3' }),
  ];
  const kubernetes = (terms = [term({ [DISCOVERY]: 'a' })]) => [
    inside({ cluster: 'a', nodeClasses: read([nodeClass('default', terms)]) }),
  ];

  test('is nothing in a subnet without nodes', () => {
    const context = contextOf(region(subnets, { kubernetes: kubernetes(), instances: read([]) }));
    expect(untagEffect(context, 'subnet-2')).toMatchObject({ replaced: 0, findings: [] });
  });

  test('is nothing in a subnet that no selector finds', () => {
    const context = contextOf(region(subnets, { kubernetes: kubernetes() }));
    expect(untagEffect(context, 'subnet-3')).toEqual({
      subnetId: 'subnet-3',
      keys: [],
      nodeClasses: [],
      replaced: 0,
      findings: [],
    });
  });

  test('is not known where instances were not read', () => {
    const context = contextOf(region(subnets, { kubernetes: kubernetes() }));
    const effect = untagEffect(context, 'subnet-1');
    expect(effect?.replaced).toBeNull();
    expect(effect?.findings[0]).toMatchObject({ observed: null, evidence: { nodes: null } });
  });

  test('of the last subnet: nothing drifts, and nothing launches any more', () => {
    const one = subnets.slice(0, 1);
    const instances = read([instance('i-1', 'subnet-1', KARPENTER)]);
    const effect = untagEffect(contextOf(region(one, { kubernetes: kubernetes(), instances })), 'subnet-1');
    expect(effect).toMatchObject({ replaced: 0, nodeClasses: [{ selectedAfter: 0, replaced: 0 }] });
    expect(effect?.findings[0]?.evidence.nodeClassesLeftWithoutSubnet).toEqual(['default']);
  });

  test('keeps a node class that finds the subnet by another tag', () => {
    const both = [
      { ...(subnets[0] as (typeof subnets)[0]), tags: tags({ [DISCOVERY]: 'a', tier: 'nodes' }) },
      subnets[1] as (typeof subnets)[0],
    ];
    const terms = [term({ [DISCOVERY]: 'a' }), term('subnet-1')];
    const instances = read([instance('i-1', 'subnet-1', KARPENTER)]);
    const effect = untagEffect(contextOf(region(both, { kubernetes: kubernetes(terms), instances })), 'subnet-1');
    expect(effect).toMatchObject({ replaced: 0, nodeClasses: [{ stillSelected: true }], findings: [] });
  });

  test('is unknown to a subnet that nobody knows', () => {
    expect(untagEffect(contextOf(region(subnets)), 'subnet-9')).toBeUndefined();
  });
});
