/** What a scan makes of plans: kept where nothing may be changed, and an activation that others took back is said. */
import { expect, test } from '@jest/globals';
import { planMemory, publishPlans } from '../../../lambdas/app/observe/publish-plans.ts';
import { look } from '../../../lambdas/app/remediate/look.ts';
import type { ObserveWorld } from '../../../lambdas/ports/observing.ts';
import { serve } from '../../simulator/clients.ts';
import { ACCOUNT, configOf, DISCOVERY, fullSubnet, RemediateGround } from '../../support/remediating.ts';

type Parts = Pick<ObserveWorld, 'state' | 'bus'>;

async function scanned(at: RemediateGround, vpcId: string) {
  const world = at.world();
  const { context, findings } = await look(world, at.subject, vpcId);
  const parts: Parts = { state: world.state, bus: world.bus };
  const memory = await planMemory(parts as ObserveWorld);
  const home = { account: ACCOUNT, region: 'us-east-1' };
  const scan = { home, config: at.config, context, findings, vpcIds: [vpcId], now: at.now };
  await publishPlans(parts as ObserveWorld, memory, scan);
  return memory.reverted(context);
}

test('observe keeps the plans that auto would carry out, and tells nobody', async () => {
  const { world, vpcId, standby } = fullSubnet();
  const at = new RemediateGround(await serve(world), configOf({ mode: 'observe' }));
  expect(await scanned(at, vpcId)).toEqual([]);
  await scanned(at, vpcId);
  expect(await at.plans()).toMatchObject([
    { state: 'planned', decision: { action: 'activateStandby', subnetId: standby } },
  ]);
  expect(at.events).toEqual([]);
  expect(at.writes()).toEqual([]);
});

test('where remediate plans, a scan keeps out of it', async () => {
  const { world, vpcId } = fullSubnet();
  const at = new RemediateGround(await serve(world), configOf({ mode: 'propose' }));
  await scanned(at, vpcId);
  expect(await at.plans()).toEqual([]);
});

test('a tag that somebody else took away from an activated subnet is critical, with the lines that keep it from happening again', async () => {
  const { world, vpcId, standby } = fullSubnet();
  const at = new RemediateGround(await serve(world));
  await at.run();
  expect(await scanned(at, vpcId)).toEqual([]);
  world.untag(standby, DISCOVERY);
  const [finding] = await scanned(at, vpcId);
  expect(finding).toMatchObject({
    code: 'ACTIVATION_REVERTED',
    severity: 'critical',
    subnetId: standby,
    cluster: 'a',
    evidence: { tagKeys: [DISCOVERY] },
  });
  expect(finding?.remedy).toContain('ignore_tags');
});
