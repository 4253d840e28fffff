import { expect, test } from '@jest/globals';
import { untagEffect } from '../../../lambdas/core/assess/untag.ts';
import { untagPlan } from '../../../lambdas/core/remediate/untag-plan.ts';
import type { RegionFacts } from '../../../lambdas/core/subnet/snapshot.ts';
import { region, subnet } from '../../support/builders.ts';
import { caseContext, contextOf } from '../../support/case-region.ts';
import { inside, instance, nodeClass, read, term } from '../../support/cluster-facts.ts';

const DISCOVERY = 'karpenter.sh/discovery';
const NODE = instance('i-1', 'subnet-1', { 'karpenter.k8s.aws/ec2nodeclass': 'default' });
const SUBNETS = [1, 2].map((n) =>
  subnet(`10.0.${n}.0/24`, { subnetId: `subnet-${n}`, tags: n === 1 ? { [DISCOVERY]: 'a' } : {} }),
);

function planOf(context: ReturnType<typeof contextOf>, subnetId: string) {
  const effect = untagEffect(context, subnetId);
  if (effect === undefined) throw new Error(`no ${subnetId}`);
  return untagPlan(context, effect);
}

function plan(terms: readonly ReturnType<typeof term>[], fields: Partial<RegionFacts> = {}, subnetId = 'subnet-1') {
  const kubernetes = [inside({ cluster: 'a', nodeClasses: read([nodeClass('default', terms)]) })];
  return planOf(contextOf(region(SUBNETS, { kubernetes, instances: read([NODE]), ...fields })), subnetId);
}

const BY_TAG = term({ [DISCOVERY]: 'a' });
const BY_ID = [term('subnet-1'), term('subnet-2')];

test('says how many nodes go and how many stay, and is never carried out', () => {
  const made = planOf(caseContext('c12'), 'subnet-00120000000000001');
  expect(made).toMatchObject({
    action: 'untag',
    mode: 'observe',
    writes: [],
    effect: { nodesReplaced: { before: 0, after: 4 }, nodesKept: { before: 2, after: 2 } },
    commands: [`aws ec2 delete-tags --resources subnet-00120000000000001 --tags Key=${DISCOVERY}`],
    risk: 'Pods are evicted at the pace of the disruption budgets.',
  });
  expect(made.summary).toContain('Karpenter replaces 4 nodes.');
  expect(made.reason).toBe(
    'default selects 2 subnets afterwards, not this one (4 nodes there); pinned still selects it (2 nodes stay)',
  );
});

test('is without risk where the node class goes on selecting the subnet', () => {
  expect(plan([BY_TAG, ...BY_ID])).toMatchObject({
    effect: { nodesReplaced: { after: 0 }, nodesKept: { after: 1 } },
    cost: 'None.',
    risk: 'None: no node is replaced.',
  });
});

test('nodes that were not read are not none', () => {
  const instances = { state: 'absent' } as const;
  const stays = plan([BY_TAG, ...BY_ID], { instances });
  expect(stays).toMatchObject({ effect: { nodesReplaced: { after: 0 }, nodesKept: { before: null, after: null } } });
  expect(stays.reason).toContain('an unknown number of nodes stay');
  const goes = plan([BY_TAG, term('subnet-2')], { instances });
  expect(goes).toMatchObject({ effect: { nodesReplaced: { after: null }, nodesKept: { after: 0 } } });
  expect(goes.summary).toContain('Karpenter replaces an unknown number of nodes.');
});

test('warns of a node class that is left with nothing', () => {
  expect(plan([BY_TAG])).toMatchObject({
    effect: { nodesReplaced: { after: 0 } },
    risk: 'default would select no subnet any more: nothing launches, and expiry goes on.',
  });
});

test('does not say so where the reading was of single subnets', () => {
  const made = plan([BY_TAG], { scope: { vpcIds: [], subnetIds: ['subnet-1'] } });
  expect(made).toMatchObject({ effect: { nodesReplaced: { after: null } } });
  expect(made.risk).toContain('disruption budgets');
  expect(made.reason).toBe(
    'default selects none of the subnets that were read afterwards, not this one (1 node there)',
  );
});

test('of a subnet that no selector finds there is nothing to take away', () => {
  const made = plan([BY_TAG], {}, 'subnet-2');
  expect(made).toMatchObject({ reason: 'No Karpenter selector that is known finds it.', commands: [], findingIds: [] });
  expect(made.summary).toContain('there is none to take away');
  expect(plan(BY_ID)).toMatchObject({ commands: [], effect: { nodesKept: { after: 1 } } });
});
