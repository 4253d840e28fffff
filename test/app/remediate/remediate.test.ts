import { describe, expect, test } from '@jest/globals';
import { remediate } from '../../../lambdas/app/remediate/remediate.ts';
import { serve } from '../../simulator/clients.ts';
import { configOf, DISCOVERY, fullSubnet, NODE_TAGS, RemediateGround } from '../../support/remediating.ts';

const HOUR = 3_600_000;

async function ground(document: Parameters<typeof configOf>[0] = {}, standby?: Record<string, string>) {
  const place = fullSubnet(standby);
  const at = new RemediateGround(await serve(place.world), configOf(document));
  return { ...place, at };
}

const tagOf = (
  tags: readonly { readonly Key?: string | undefined; readonly Value?: string | undefined }[] = [],
  key: string,
) => tags.find(({ Key }) => Key === key)?.Value;

describe('auto', () => {
  test('opens the standby in one call, looks whether it is picked, and tells', async () => {
    const { at, world, standby } = await ground();
    await at.run();
    expect(at.writes()).toEqual([`CreateTags ${standby}`]);
    const { Tags } = world.subnet(standby);
    expect(tagOf(Tags, DISCOVERY)).toBe('a');
    expect(tagOf(Tags, 'headroom:activated-for')).toBe('a');
    expect(tagOf(Tags, 'headroom:activated-at')).toBe('2026-11-30T12:00:00.000Z');
    expect((await at.plans()).map(({ state }) => state)).toEqual(['applied']);
    expect(at.told()).toEqual(['Remediation Planned', 'Remediation Applied']);
  });

  test('a second run writes nothing', async () => {
    const { at } = await ground();
    await at.run();
    await at.run();
    expect(at.writes()).toHaveLength(1);
  });

  test('holds to its limits, and 0 means zero', async () => {
    for (const limits of [
      { perRun: 0, perDay: 4 },
      { perRun: 1, perDay: 0 },
    ]) {
      const { at } = await ground({ remediation: { limits } });
      await at.run();
      expect(at.writes()).toEqual([]);
      expect((await at.plans()).map(({ state }) => state)).toEqual(['planned']);
    }
  });

  test('does nothing while the stop parameter says so, and goes on when it no longer does', async () => {
    const { at } = await ground();
    at.stop = 'stop';
    await at.run();
    expect(at.writes()).toEqual([]);
    at.stop = undefined;
    await at.run();
    expect(at.writes()).toHaveLength(1);
  });

  test('waits for its window', async () => {
    const night = { days: ['mon' as const], from: '22:00', to: '23:00', timeZone: 'UTC' };
    const { at } = await ground({ remediation: { windows: [night] } });
    await at.run();
    expect(at.writes()).toEqual([]);
    // 2026-11-30 is a Monday.
    at.now += 10 * HOUR;
    await at.run();
    expect(at.writes()).toHaveLength(1);
  });

  test('gives up a plan whose standby somebody took in the moment before the write', async () => {
    const { at, world, standby } = await ground();
    const run = at.world();
    const reader = run.reader;
    const tricked = {
      ...run,
      reader: {
        ...reader,
        subnetTags: async (ids: readonly string[]) => {
          world.tag(standby, { [DISCOVERY]: 'b' });
          return reader.subnetTags(ids);
        },
      },
    };
    await remediate(tricked, at.subject, {
      id: 'tricked',
      open: false,
      vpcIds: [...world.vpcs.values()].map(({ VpcId = '' }) => VpcId),
    });
    expect(at.writes()).toEqual([]);
    expect(tagOf(world.subnet(standby).Tags, DISCOVERY)).toBe('b');
    expect(await at.plans()).toMatchObject([{ state: 'failed', errorCode: 'NOTHING_LEFT' }]);
  });

  test('a call that EC2 refuses fails the plan with EC2’s code, and nothing is repeated', async () => {
    const { at, simulator } = await ground().then((made) => ({ ...made, simulator: made.at.simulator }));
    simulator.fail({ action: 'CreateTags', code: 'UnauthorizedOperation', httpStatus: 403 });
    await at.run();
    expect(at.writes()).toHaveLength(1);
    expect(await at.plans()).toMatchObject([{ state: 'failed', errorCode: 'UnauthorizedOperation' }]);
    expect(at.told()).toEqual(['Remediation Planned', 'Remediation Failed']);
    // The cooldown holds the next try back.
    await at.run();
    expect(at.writes()).toHaveLength(1);
    at.now += HOUR;
    await at.run();
    expect(at.writes()).toHaveLength(2);
  });

  test('rolls back at once where the tag reads back and the standby is not picked', async () => {
    const { at, world, standby } = await ground();
    const run = at.world();
    const writer = {
      ...run.writer,
      setTags: async (ids: readonly string[], tags: Record<string, string>) => {
        await run.writer.setTags(ids, tags);
        // Somebody filled the standby meanwhile: Karpenter would go on picking the other one.
        for (let held = 0; held < 245; held += 49) world.addEni({ subnetId: standby, count: 48 });
        world.addEni({ subnetId: standby, count: 3 });
      },
    };
    await remediate({ ...run, writer }, at.subject, {
      id: 'filled',
      open: false,
      vpcIds: [...world.vpcs.values()].map(({ VpcId = '' }) => VpcId),
    });
    expect(at.writes()).toEqual([`CreateTags ${standby}`, `DeleteTags ${standby}`]);
    expect(tagOf(world.subnet(standby).Tags, DISCOVERY)).toBeUndefined();
    expect(tagOf(world.subnet(standby).Tags, 'headroom:standby-for')).toBe('a');
    expect(await at.plans()).toMatchObject([{ state: 'rolledBack', errorCode: 'ROLLED_BACK' }]);
  });
});

describe('observe', () => {
  test('keeps the plan, tells nobody and changes nothing', async () => {
    const { at } = await ground({ mode: 'observe' });
    await at.run();
    expect(at.writes()).toEqual([]);
    expect(at.events).toEqual([]);
    expect(await at.plans()).toMatchObject([
      { state: 'planned', decision: { mode: 'observe', action: 'activateStandby' } },
    ]);
  });
});

describe('propose', () => {
  const proposed = async () => {
    const made = await ground({ mode: 'propose' });
    await made.at.run();
    const [plan] = await made.at.plans();
    return { ...made, id: plan!.id };
  };

  test('waits for an approver, and keeps who approved and when', async () => {
    const { at, id, standby, vpcId } = await proposed();
    expect(at.writes()).toEqual([]);
    expect(await at.answer('approve', id)).toMatchObject({ ok: true, plan: { state: 'approved' } });
    expect(at.woken).toEqual([vpcId]);
    await at.run();
    expect(at.writes()).toEqual([`CreateTags ${standby}`]);
    const [plan] = await at.plans();
    expect(plan?.history).toMatchObject([
      { what: 'planned' },
      { what: 'approved', by: 'arn:aws:sts::111111111111:assumed-role/on-call/alice' },
      { what: 'begun' },
      { what: 'applied' },
    ]);
    expect(at.told()).toEqual(['Remediation Planned', 'Remediation Approved', 'Remediation Applied']);
  });

  test.each([
    'arn:aws:sts::111111111111:assumed-role/reader/alice',
    'arn:aws:sts::222222222222:assumed-role/on-call/alice',
    'arn:aws:iam::111111111111:user/alice',
  ])('refuses %s', async (by) => {
    const { at, id } = await proposed();
    expect(await at.answer('approve', id, by)).toMatchObject({ ok: false, code: 'FORBIDDEN' });
    await at.run();
    expect(at.writes()).toEqual([]);
  });

  test('a refused plan is not made again before it expires', async () => {
    const { at, id } = await proposed();
    expect(await at.answer('refuse', id)).toMatchObject({ ok: true });
    await at.run();
    expect((await at.plans()).map(({ state }) => state)).toEqual(['refused']);
    at.now += 25 * HOUR;
    await at.run();
    expect((await at.plans()).map(({ state }) => state).sort()).toEqual(['expired', 'planned']);
  });

  test('an approved plan whose facts changed is refused and replaced', async () => {
    const { at, id, world, standby, vpcId } = await proposed();
    await at.answer('approve', id);
    world.untag(standby, 'headroom:standby-for');
    world.addSubnet({ vpcId, cidr: '10.0.3.0/24', zone: 'us-east-1a', tags: { 'headroom:standby-for': 'a' } });
    await at.run();
    expect(at.writes()).toEqual([]);
    const states = (await at.plans()).map((plan) => [plan.id === id, plan.state]);
    expect(states).toContainEqual([true, 'withdrawn']);
    expect(states).toContainEqual([false, 'planned']);
    expect(at.told()).toContain('Remediation Refused');
  });

  test('an expired plan cannot be approved', async () => {
    const { at, id } = await proposed();
    at.now += 24 * HOUR;
    expect(await at.answer('approve', id)).toMatchObject({ ok: false, code: 'CONFLICT' });
  });

  test('an approval that is repeated does no harm', async () => {
    const { at, id } = await proposed();
    await at.answer('approve', id);
    expect(await at.answer('approve', id)).toMatchObject({ ok: true });
    await at.run();
    await at.run();
    expect(at.writes()).toHaveLength(1);
  });
});

describe('undo', () => {
  const applied = async () => {
    const made = await ground();
    await made.at.run();
    const [plan] = await made.at.plans();
    return { ...made, id: plan!.id };
  };

  test('is done where no node stands: only Headroom’s own tags go, only where they are as written', async () => {
    const { at, id, world, standby } = await applied();
    world.launch({ subnetId: standby });
    await at.answer('undo', id);
    // The other subnet has room again: else the zone would lose its last one.
    for (const eni of world.enisOf((await at.plans())[0]?.decision.relieves ?? '')) {
      if (eni.Status === 'available') world.deleteEni(eni.NetworkInterfaceId as string);
    }
    await at.run();
    expect(at.writes().at(-1)).toBe(`DeleteTags ${standby}`);
    expect(world.subnet(standby).Tags).toEqual([{ Key: 'headroom:standby-for', Value: 'a' }]);
    expect((await at.plans()).find((plan) => plan.id === id)?.state).toBe('undone');
    expect(at.told()).toContain('Remediation Undone');
  });

  test('is refused with the number of nodes that would drift', async () => {
    const { at, id, world, standby } = await applied();
    world.launch({ subnetId: standby, tags: NODE_TAGS, minCount: 3, maxCount: 3 });
    await at.answer('undo', id);
    await at.run();
    expect(at.writes()).toHaveLength(1);
    const plan = (await at.plans()).find((one) => one.id === id);
    expect(plan?.state).toBe('applied');
    expect(plan?.history.at(-1)).toMatchObject({
      what: 'undo refused',
      why: expect.stringContaining('3 nodes of a would drift'),
    });
  });

  test('is refused where the zone would lose its last subnet', async () => {
    const { at, id } = await applied();
    await at.answer('undo', id);
    await at.run();
    expect(at.writes()).toHaveLength(1);
    expect((await at.plans()).find((one) => one.id === id)?.history.at(-1)?.why).toContain('no subnet left');
  });
});

describe('runs at the same time', () => {
  test('one works, the other leaves a mark and is done; nothing is written twice', async () => {
    const { at } = await ground();
    await Promise.all([at.run(), at.run()]);
    expect(at.writes()).toHaveLength(1);
    expect((await at.plans()).map(({ state }) => state)).toEqual(['applied']);
  });
});
