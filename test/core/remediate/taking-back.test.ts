/** Whether what was done may be taken back, and whether somebody else did so already. */
import { describe, expect, test } from '@jest/globals';
import type { Decision } from '../../../lambdas/core/remediate/plan.ts';
import { revertedActivations } from '../../../lambdas/core/remediate/reverted.ts';
import { newPlan, type StoredPlan } from '../../../lambdas/core/remediate/stored-plan.ts';
import { type Change, undoVerdict } from '../../../lambdas/core/remediate/undo.ts';
import type { EniRecord, RegionFacts, SubnetFacts } from '../../../lambdas/core/subnet/snapshot.ts';
import { eni } from '../../support/builders.ts';
import { inside, instance, nodeClass, nodegroup, read, term } from '../../support/cluster-facts.ts';
import { at, contextOf, counted, DISCOVERY, decisionsOf, filler, known, NOW, ready } from './planning.ts';

/** The only subnet of cluster `a` is all but full; one that its owner marked stands by. */
const full = () => at(1, { [DISCOVERY]: 'a' });
const standby = (tags: Record<string, string> = {}, n = 2) => at(n, { 'headroom:standby-for': 'a', ...tags });
const WRITTEN = { [DISCOVERY]: 'a', 'headroom:activated-for': 'a', 'headroom:activated-at': '2026-11-30T12:00:00Z' };
const opened = (n = 2) => standby(WRITTEN, n);

const decision = (() => {
  const ground = counted({ facts: known([full(), standby()]), enis: filler(1, 248) });
  const [only] = ready(decisionsOf(ground)).filter(({ action }) => action === 'activateStandby');
  if (only === undefined) throw new Error('the standby is not opened');
  return only;
})();

const tagged = (resourceId: string, written: Record<string, string> = WRITTEN): Change => ({
  kind: 'tags',
  resourceId,
  written,
  previous: Object.fromEntries(Object.keys(written).map((key) => [key, null])),
});

function context(
  subnets: readonly SubnetFacts[],
  enis: readonly EniRecord[] = filler(1, 100),
  fields: Partial<RegionFacts> = {},
) {
  return contextOf(counted({ facts: known(subnets, fields), enis }));
}

describe('an activation that somebody took back', () => {
  const plan = (fields: Partial<StoredPlan> = {}, own: Partial<Decision> = {}): StoredPlan => ({
    ...newPlan({ ...decision, ...own }, NOW, 3600),
    id: 'plan-1',
    state: 'applied',
    ...fields,
  });
  const reverted = (
    subnet: SubnetFacts,
    plans: readonly StoredPlan[] = [plan()],
    changes: readonly Change[] = [tagged('subnet-2')],
  ) => {
    const ledgers = new Map(plans.map(({ id }) => [id, { vpcId: decision.vpcId, at: NOW, changes }]));
    return revertedActivations(context([full(), subnet]), plans, ledgers);
  };
  const gone = standby({ 'headroom:activated-for': 'a' });

  test('is told by the selector tags that are gone or have another value', () => {
    expect(reverted(opened())).toEqual([]);
    expect(reverted(gone)).toMatchObject([
      {
        code: 'ACTIVATION_REVERTED',
        severity: 'critical',
        subnetId: 'subnet-2',
        cluster: 'a',
        observed: 1,
        evidence: { planId: 'plan-1', tagKeys: [DISCOVERY] },
      },
    ]);
    expect(reverted(standby({ ...WRITTEN, [DISCOVERY]: 'b' }))).toMatchObject([{ observed: 1 }]);
  });

  test('is none where only Headroom’s own notes are gone: no consumer goes by them', () => {
    expect(reverted(standby({ [DISCOVERY]: 'a' }))).toEqual([]);
  });

  test.each<[string, readonly StoredPlan[], readonly Change[]]>([
    ['that Headroom itself took back', [plan({ state: 'undone' })], [tagged('subnet-2')]],
    ['that never was', [plan({ state: 'failed' })], [tagged('subnet-2')]],
    ['of another action', [plan({}, { action: 'cleanLeakedEnis' })], [tagged('subnet-2')]],
    ['of a subnet that is gone', [plan({}, { subnetId: 'subnet-9' })], [tagged('subnet-9')]],
    ['that wrote to something else', [plan()], [tagged('eni-1'), { kind: 'interface', eniId: 'eni-2' }]],
    ['that wrote nothing', [plan()], []],
  ])('nothing is said of one %s', (_, plans, changes) => {
    expect(reverted(gone, plans, changes)).toEqual([]);
  });

  test('is said once a subnet, in the order of the subnets', () => {
    const third = plan({ id: 'plan-3' }, { subnetId: 'subnet-3' });
    const ledgers = new Map(
      ['plan-1', 'plan-2', 'plan-3'].map((id) => {
        const changes = [tagged(id === 'plan-3' ? 'subnet-3' : 'subnet-2')];
        return [id, { vpcId: decision.vpcId, at: NOW, changes }] as const;
      }),
    );
    const subnets = [full(), gone, standby({}, 3)];
    const found = revertedActivations(context(subnets), [third, plan(), plan({ id: 'plan-2' })], ledgers);
    expect(found.map(({ subnetId }) => subnetId)).toEqual(['subnet-2', 'subnet-3']);
  });
});

describe('undoing an activation', () => {
  const verdict = (...given: Parameters<typeof context>) =>
    undoVerdict(context(...given), decision, [tagged('subnet-2')]);
  const node = (owned: Record<string, string> = { 'kubernetes.io/cluster/a': 'owned' }) =>
    eni({
      subnetId: 'subnet-2',
      addresses: ['10.0.2.9'],
      tags: owned,
      attachment: { instanceId: 'i-9', deviceIndex: 0 },
    });

  test('is safe where nobody stands there and the zone has room without it', () => {
    expect(verdict([full(), opened()])).toEqual({ safe: true, why: 'no node of a stands in subnet-2', nodes: 0 });
  });

  test('is safe where the subnet is gone, and where the cluster is', () => {
    const nobody = { clusters: read([]), addons: read([]), instances: read([]) };
    const why = 'the subnet or the cluster is gone';
    expect(verdict([full()])).toEqual({ safe: true, why, nodes: 0 });
    expect(verdict([at(1), at(2)], [], nobody)).toEqual({ safe: true, why, nodes: 0 });
    // The subnet alone is there, and a node of the cluster in it.
    expect(verdict([opened()], [node()])).toMatchObject({ safe: false, nodes: 1 });
  });

  test('is not safe with a node or the interface of a pod there, nor where that cannot be known', () => {
    expect(verdict([full(), opened()], [...filler(1, 100), node()])).toEqual({
      safe: false,
      why: '1 node of a would drift: Karpenter would replace it',
      nodes: 1,
    });
    const owned = { 'cluster.k8s.amazonaws.com/name': 'a' };
    const attachment = { instanceId: 'i-1', deviceIndex: 1 };
    const addresses = ['10.0.2.9', '10.0.2.10'];
    const pods = eni({ subnetId: 'subnet-2', addresses, tags: owned, description: 'aws-K8S-i-1', attachment });
    expect(verdict([full(), opened()], [...filler(1, 100), pods])).toMatchObject({ safe: false, nodes: 0 });
    expect(verdict([full(), opened()], filler(1, 100), { instances: { state: 'absent' } })).toMatchObject({
      safe: false,
      nodes: null,
    });
  });

  test('is not safe where the interfaces of the subnet were not read', () => {
    const ground = counted({ facts: known([full(), opened()]), enis: filler(1, 100) });
    const failure = {
      input: 'network-interfaces',
      call: 'ec2:DescribeNetworkInterfaces',
      code: 'InternalError',
      message: 'no',
    } as const;
    const of = (subnetIds: readonly string[]) =>
      undoVerdict(contextOf(ground, undefined, [{ ...failure, subnetIds }]), decision, [tagged('subnet-2')]);
    expect(of(['subnet-2'])).toMatchObject({ safe: false, nodes: null, why: expect.stringContaining('interfaces') });
    expect(of(['subnet-9'])).toMatchObject({ safe: true });
  });

  test('is not safe where the rest of the zone takes no node, or nothing is launched there', () => {
    const noRoom = { safe: false, nodes: 0, why: expect.stringContaining('no subnet left') };
    expect(verdict([full(), opened()], filler(1, 248))).toMatchObject(noRoom);
    expect(verdict([opened()], [])).toMatchObject(noRoom);
    // The other subnet has room, and only pods go there.
    expect(verdict([at(1, { 'kubernetes.io/role/cni': '1' }), opened()], filler(1, 100))).toMatchObject(noRoom);
  });

  test('counts only the zone and the VPC that the subnet is in', () => {
    const zone = { availabilityZone: 'us-east-1b', availabilityZoneId: 'use1-az0' };
    const elsewhere = at(1, { [DISCOVERY]: 'a' }, zone);
    expect(verdict([elsewhere, opened()], filler(1, 100))).toMatchObject({ safe: false });
    const otherVpc = at(1, { [DISCOVERY]: 'a' }, { vpcId: 'vpc-00000000000000000' });
    const group = { nodegroups: read([nodegroup('a', ['subnet-1', 'subnet-2'])]) };
    expect(verdict([otherVpc, opened()], filler(1, 100), group)).toMatchObject({ safe: false });
  });

  test('counts the nodes of whoever finds the subnet by the tag that goes, and of nobody else', () => {
    const owned = { 'kubernetes.io/cluster/b': 'owned', 'karpenter.k8s.aws/ec2nodeclass': 'b' };
    const own = instance('i-1', 'subnet-1', { 'kubernetes.io/cluster/a': 'owned' });
    const instances = read([own, instance('i-9', 'subnet-2', owned)]);
    const by = (terms: Record<string, string>) => {
      const kubernetes = [
        inside({ cluster: 'b', nodeClasses: read([nodeClass('b', [term(terms), term('subnet-1')])]) }),
      ];
      const tags = { ...WRITTEN, tier: 'nodes' };
      return verdict([full(), standby(tags)], filler(1, 100), { instances, kubernetes });
    };
    expect(by({ [DISCOVERY]: 'a' })).toMatchObject({ safe: false, nodes: 1 });
    expect(by({ tier: 'nodes' })).toMatchObject({ safe: true, nodes: 0 });
  });

  test('nodes that no node class is known to own stand there all the same', () => {
    const instances = read([instance('i-9', 'subnet-2', { 'kubernetes.io/cluster/a': 'owned' })]);
    expect(verdict([full(), opened()], filler(1, 100), { instances })).toMatchObject({ safe: false, nodes: 1 });
  });
});

describe('undoing the other actions', () => {
  const of = (action: Decision['action'], changes: readonly Change[] = []) =>
    undoVerdict(context([full(), opened()]), { ...decision, action }, changes);

  test('a quarantine is, a deleted interface is gone for good, though others were only tagged', () => {
    const tag = tagged('eni-1', { 'headroom:quarantined-at': 'x' });
    expect(of('cleanLeakedEnis', [tag])).toMatchObject({ safe: true });
    expect(of('cleanLeakedEnis')).toMatchObject({ safe: true });
    const deleted: Change = { kind: 'interface', eniId: 'eni-2' };
    expect(of('cleanLeakedEnis', [deleted])).toMatchObject({ safe: false, nodes: 0 });
    expect(of('cleanLeakedEnis', [tag, deleted])).toMatchObject({ safe: false, why: expect.stringContaining('gone') });
  });

  test('a reservation is; what a person has to do is not', () => {
    expect(of('reservePrefixes')).toMatchObject({ safe: true });
    expect(of('newSubnet')).toMatchObject({ safe: false });
  });
});
