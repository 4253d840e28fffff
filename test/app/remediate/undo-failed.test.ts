/** A plan that failed may have left something standing: a person takes it back by the same verb as what was applied. */
import { expect, test } from '@jest/globals';
import { remediate } from '../../../lambdas/app/remediate/remediate.ts';
import { serve } from '../../simulator/clients.ts';
import { ALICE, DISCOVERY, fullSubnet, NODE_TAGS, RemediateGround } from '../../support/remediating.ts';

/** The standby fills up while it is opened, and EC2 refuses to have the tags taken back: they stand, and the plan has failed. */
async function leftStanding() {
  const { world, vpcId, full, standby } = fullSubnet();
  const at = new RemediateGround(await serve(world));
  at.simulator.fail({ action: 'DeleteTags', code: 'UnauthorizedOperation', httpStatus: 403, at: 1 });
  const run = at.world();
  const fillers: string[] = [];
  const setTags: typeof run.writer.setTags = async (ids, tags) => {
    await run.writer.setTags(ids, tags);
    for (const count of [48, 48, 48, 48, 48, 3])
      fillers.push(world.addEni({ subnetId: standby, count }).NetworkInterfaceId as string);
  };
  await remediate({ ...run, writer: { ...run.writer, setTags } }, at.subject, {
    id: 'filled',
    vpcIds: [vpcId],
    open: true,
  });
  for (const id of fillers) world.deleteEni(id);
  const [plan] = await at.plans();
  expect(plan).toMatchObject({ state: 'failed', errorCode: 'NOT_VERIFIED' });
  const tag = () => world.subnet(standby).Tags?.find(({ Key }) => Key === DISCOVERY)?.Value;
  expect(tag()).toBe('a');
  const now = async () => (await at.plans()).find(({ id }) => id === plan?.id);
  return { at, world, full, standby, id: plan?.id as string, now, tag };
}

test('what a failed plan left standing is taken back when somebody asks for it', async () => {
  const { at, world, full, id, now, tag } = await leftStanding();
  // The zone has another subnet with room: else the undo would be refused.
  for (const { Status, NetworkInterfaceId } of world.enisOf(full))
    if (Status === 'available') world.deleteEni(NetworkInterfaceId as string);
  expect(await at.answer('undo', id)).toMatchObject({ ok: true, plan: { state: 'undoing' } });
  await at.run();
  expect(tag()).toBeUndefined();
  const plan = await now();
  expect(plan).toMatchObject({
    state: 'undone',
    history: expect.arrayContaining([expect.objectContaining({ by: ALICE })]),
  });
  expect(plan).not.toHaveProperty('errorCode');
  expect(at.told()).toContain('Remediation Undone');
});

test('where that is refused, the plan has failed as before', async () => {
  const { at, world, standby, id, now, tag } = await leftStanding();
  world.launch({ subnetId: standby, tags: NODE_TAGS });
  await at.answer('undo', id);
  await at.run();
  expect(tag()).toBe('a');
  expect(await now()).toMatchObject({ state: 'failed', errorCode: 'NOT_VERIFIED' });
  expect((await now())?.history.at(-1)).toMatchObject({ what: 'undo refused', why: expect.stringContaining('1 node') });
});

test('one that failed before it had changed anything has nothing to undo', async () => {
  const at = new RemediateGround(await serve(fullSubnet().world));
  at.simulator.fail({ action: 'CreateTags', code: 'UnauthorizedOperation', httpStatus: 403 });
  await at.run();
  const [plan] = await at.plans();
  expect(plan?.state).toBe('failed');
  expect(await at.answer('undo', plan?.id as string)).toEqual({
    ok: false,
    code: 'CONFLICT',
    message: `${plan?.id} failed before it had changed anything`,
  });
  expect((await at.plans())[0]?.state).toBe('failed');
});
