/** The 200 leaked interfaces of the real case, as a live account: quarantine at the first sight, deletion at a later one, and nothing else touched. */
import { expect, test } from '@jest/globals';
import { loadWorld } from '../../../simulator/index.ts';
import { serve } from '../../simulator/clients.ts';
import { caseFolder } from '../../support/cases.ts';
import { configOf, RemediateGround } from '../../support/remediating.ts';

const HOUR = 3_600_000;

test('exactly the 200 go, after their quarantine; one that is attached between the two looks survives', async () => {
  const world = await loadWorld(caseFolder('c14-leaked-enis-200'));
  const [subnet] = [...world.subnets.values()];
  const subnetId = subnet?.SubnetId ?? '';
  world.account = subnet?.OwnerId ?? world.account;
  const ids = () => world.enisOf(subnetId).map(({ NetworkInterfaceId = '' }) => NetworkInterfaceId);
  const before = ids();
  const at = new RemediateGround(
    await serve(world),
    configOf({
      clusters: { 'cluster-a': {} },
      mode: { cleanLeakedEnis: 'auto' },
      remediation: { limits: { perRun: 10, perDay: 10 } },
    }),
    world.account,
  );
  at.kubernetes = [];

  await at.run();
  const marked = world
    .enisOf(subnetId)
    .filter(({ TagSet = [] }) => TagSet.some(({ Key }) => Key === 'headroom:quarantined-at'));
  expect(marked).toHaveLength(200);
  expect(ids()).toEqual(before);

  at.now += 23 * HOUR;
  await at.run();
  expect(ids()).toHaveLength(before.length);

  const saved = marked[17]?.NetworkInterfaceId ?? '';
  const [node] = world.launch({ subnetId });
  world.attach({ eniId: saved, instanceId: node?.InstanceId ?? '', deviceIndex: 1, networkCardIndex: 0 });
  at.now += 2 * HOUR;
  await at.run();
  const gone = before.filter((id) => !ids().includes(id));
  expect(gone).toHaveLength(199);
  expect(gone.every((id) => marked.some(({ NetworkInterfaceId }) => NetworkInterfaceId === id))).toBe(true);
  expect(ids()).toContain(saved);

  await at.run();
  expect(before.filter((id) => !ids().includes(id))).toEqual(gone);
}, 60_000);

test('one that is attached in the moment between reading and deleting survives too', async () => {
  const world = await loadWorld(caseFolder('c14-leaked-enis-200'));
  const [subnet] = [...world.subnets.values()];
  world.account = subnet?.OwnerId ?? world.account;
  const at = new RemediateGround(
    await serve(world),
    configOf({ clusters: { 'cluster-a': {} }, mode: { cleanLeakedEnis: 'auto' } }),
    world.account,
  );
  at.kubernetes = [];
  await at.run();
  at.now += 25 * HOUR;
  // EC2 itself refuses the fifth deletion, as it does for an interface that is attached.
  at.simulator.fail({
    action: 'DeleteNetworkInterface',
    at: 5,
    code: 'InvalidNetworkInterface.InUse',
    message: 'Interface: [eni-x] in use.',
  });
  await at.run();
  const plan = (await at.plans()).find(
    ({ decision, state }) => state === 'applied' && decision.subject.endsWith('/delete'),
  );
  expect(plan?.history.at(-1)?.why).toContain('1 left out');
  expect(at.simulator.calls.filter(({ action }) => action === 'DeleteNetworkInterface')).toHaveLength(200);
}, 60_000);
