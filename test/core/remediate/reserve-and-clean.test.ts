import { describe, expect, test } from '@jest/globals';
import { reportOf } from '../../../lambdas/core/assess/assess.ts';
import { failedGuards } from '../../../lambdas/core/remediate/plan.ts';
import { decide } from '../../../lambdas/core/remediate/plans.ts';
import { PLAN_DEFAULTS } from '../../../lambdas/core/remediate/settings.ts';
import { eni } from '../../support/builders.ts';
import { caseRegion } from '../../support/case-region.ts';
import { addon, read } from '../../support/cluster-facts.ts';
import { at, contextOf, counted, DISCOVERY, decisionsOf, known, NOW, ready } from './planning.ts';

const OURS = '111111111111';

describe('reserving prefixes', () => {
  const prefixMode = { addons: read([addon('a', { ENABLE_PREFIX_DELEGATION: 'true' }, 'v1.22.1')]) };
  /** Subnet 1 is scattered: one address in each of its inner /28s. */
  const scattered = Array.from({ length: 14 }, (_, n) => `10.0.1.${(n + 1) * 16 + 8}`);
  const ground = (tags: Record<string, string>) =>
    counted({
      facts: known([at(1, { [DISCOVERY]: 'a' }), at(2, tags)], prefixMode),
      enis: [eni({ subnetId: 'subnet-1', addresses: scattered, attachment: { instanceId: 'i-1' } })],
    });

  test('on the lightly used subnet that Karpenter picks, with EC2’s count before and after', () => {
    const [reserve] = decisionsOf(ground({ [DISCOVERY]: 'a' })).filter(({ action }) => action === 'reservePrefixes');
    expect(reserve).toMatchObject({
      subnetId: 'subnet-2',
      writes: [{ kind: 'createReservation', subnetId: 'subnet-2', cidr: '10.0.2.0/25' }],
      effect: {
        availableIps: { before: 251, after: 127 },
        protectedPrefixes: { before: 0, after: 7 },
        freeSingleAddresses: { before: 251, after: 127 },
      },
    });
  });

  test('not where the count that is left would send Karpenter back to the scattered subnet', () => {
    // 251 - 14 = 237 addresses of the scattered subnet rank before the 127 that a reservation leaves.
    const [reserve] = decisionsOf(ground({ [DISCOVERY]: 'a' })).filter(({ action }) => action === 'reservePrefixes');
    expect(failedGuards(reserve!).map(({ name }) => name)).toEqual(['pick-changes', 'zone-kept']);
  });

  test('never a second time on one subnet', () => {
    const of = ground({ [DISCOVERY]: 'a' });
    const reservations = read([
      { reservationId: 'scr-1', subnetId: 'subnet-2', cidr: { base: 0x0a000200, length: 25 }, type: 'prefix' as const },
    ]);
    const decisions = decisionsOf(counted({ ...of, facts: { ...of.facts, reservations } }));
    expect(decisions.filter(({ action }) => action === 'reservePrefixes')).toEqual([]);
  });

  test('and opening one subnet in one run: only the opening stands', () => {
    const decisions = decisionsOf(ground({ 'headroom:standby-for': 'a' }));
    expect(
      decisions
        .filter(({ subnetId, writes }) => subnetId === 'subnet-2' && writes.length > 0)
        .map(({ action }) => action),
    ).toEqual(['activateStandby']);
  });
});

describe('the 200 leaked interfaces of the real case', () => {
  const { facts, enis } = caseRegion('c14');
  // In the account of its subnet, and later than any of its interfaces was made.
  const owner = facts.subnets[0]?.ownerId ?? OURS;
  const own = facts.subnets.map((one) => ({ ...one, ownerId: owner }));
  const context = contextOf({ facts: { ...facts, subnets: own, account: owner, now: NOW }, enis });
  const findings = reportOf(context).findings;

  test('go into quarantine first, exactly they', () => {
    const [decision] = decide({ context, findings }).filter(({ action }) => action === 'cleanLeakedEnis');
    const leaked = new Set(findings.find(({ code }) => code === 'LEAKED_ENI')?.eniIds);
    expect(leaked.size).toBe(200);
    expect(decision?.writes.map((write) => (write.kind === 'setTags' ? write.resourceId : '')).sort()).toEqual(
      [...leaked].sort(),
    );
    expect(
      decision?.writes.every((write) => write.kind === 'setTags' && write.stamp === 'headroom:quarantined-at'),
    ).toBe(true);
  });
});

describe('leaked interfaces', () => {
  const leak = (n: number, tags: Record<string, string> = {}) =>
    eni({
      id: `eni-${n}`,
      subnetId: 'subnet-1',
      addresses: [`10.0.1.${4 + n}`],
      status: 'available',
      description: 'aws-K8S-i-gone',
      tags: {
        'node.k8s.amazonaws.com/instance_id': 'i-gone',
        'node.k8s.amazonaws.com/createdAt': '2026-11-29T09:00:00Z',
        ...tags,
      },
    });
  const quarantined = (hours: number) => ({
    'headroom:quarantined-at': new Date(Date.UTC(2026, 10, 30, 12) - hours * 3_600_000).toISOString(),
  });
  const clean = (enis: ReturnType<typeof leak>[], settings = PLAN_DEFAULTS) =>
    ready(decisionsOf(counted({ facts: known([at(1)]), enis }), settings)).flatMap(({ writes }) => writes);

  test('are deleted once the quarantine is over, not a second before', () => {
    expect(clean([leak(1, quarantined(24))])).toEqual([{ kind: 'deleteInterface', eniId: 'eni-1' }]);
    expect(clean([leak(1, quarantined(23.999))])).toEqual([]);
  });

  test('with a quarantine tag that is no time begin anew', () => {
    expect(clean([leak(1, { 'headroom:quarantined-at': 'yesterday' })])).toMatchObject([
      { kind: 'setTags', resourceId: 'eni-1' },
    ]);
  });

  test('are left alone when protected, unmanaged by wish, or of a cluster that is not configured', () => {
    const configured = { ...PLAN_DEFAULTS, configured: new Map([['a', {}]]) };
    expect(
      clean([leak(1, { 'headroom:protected': '' }), leak(2, { 'node.k8s.amazonaws.com/no_manage': 'true' })]),
    ).toEqual([]);
    expect(clean([leak(3, { 'cluster.k8s.amazonaws.com/name': 'other' })], configured)).toEqual([]);
    expect(clean([leak(3, { 'cluster.k8s.amazonaws.com/name': 'a' })], configured)).toHaveLength(1);
  });

  test('of a protected subnet are left alone', () => {
    const decisions = decisionsOf(counted({ facts: known([at(1, { 'headroom:protected': '' })]), enis: [leak(1)] }));
    expect(decisions.flatMap(({ guards }) => guards.filter(({ passed }) => !passed).map(({ name }) => name))).toEqual([
      'not-protected',
    ]);
  });
});
