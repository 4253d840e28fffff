/** What becomes of a plan where something goes amiss on the way: refusals in the middle, a stop, facts that change, a run that dies while it takes back. */
import { describe, expect, test } from '@jest/globals';
import { movePlan } from '../../../lambdas/app/remediate/plan-book.ts';
import { remediate } from '../../../lambdas/app/remediate/remediate.ts';
import type { NetworkWriter, RemediateWorld } from '../../../lambdas/ports/remediating.ts';
import type { StateTable } from '../../../lambdas/ports/state-table.ts';
import { World } from '../../../simulator/index.ts';
import { serve } from '../../simulator/clients.ts';
import {
  ACCOUNT,
  configOf,
  DISCOVERY,
  fullSubnet,
  leaky,
  NODE_TAGS,
  PREFIX_MODE,
  type Reaper,
  RemediateGround,
  scattered,
} from '../../support/remediating.ts';

const HOUR = 3_600_000;
/** Longer than the lease of a dead run. */
const LATER = 700_000;

/** Runs once in a world that is a little other than the ground's. */
async function runIn(at: RemediateGround, change: (world: RemediateWorld) => RemediateWorld, reaper?: Reaper) {
  const vpcIds = [...at.simulator.world.vpcs.values()].map(({ VpcId = '' }) => VpcId);
  await remediate(change(at.world(reaper)), at.subject, { id: `changed-${at.now}`, vpcIds, open: true });
}

function writing(change: (writer: NetworkWriter) => Partial<NetworkWriter>) {
  return (world: RemediateWorld): RemediateWorld => ({
    ...world,
    writer: { ...world.writer, ...change(world.writer) },
  });
}

const states = async (at: RemediateGround) =>
  (await at.plans()).map(({ decision, state, errorCode = '' }) => [decision.action, state, errorCode].join(' ')).sort();
const tagOf = (world: World, id: string, key: string) => world.subnet(id).Tags?.find(({ Key }) => Key === key)?.Value;

describe('an interface that goes away by itself', () => {
  const ground = async () => {
    const { world, full: subnetId } = leaky(3);
    const at = new RemediateGround(await serve(world));
    const leaks = () => world.enisOf(subnetId).filter(({ Status }) => Status === 'available');
    return { world, at, leaks };
  };

  test('before it is marked: the others are, and it is left out', async () => {
    const { at } = await ground();
    at.simulator.fail({
      action: 'CreateTags',
      code: 'InvalidNetworkInterfaceID.NotFound',
      match: (params) => params['ResourceId.1']?.startsWith('eni-') === true,
    });
    await at.run();
    expect(await states(at)).toContain('cleanLeakedEnis applied ');
    const plan = (await at.plans()).find(({ decision }) => decision.action === 'cleanLeakedEnis');
    expect(plan?.history.at(-1)?.why).toContain('1 left out');
  });

  test('after it was marked: that is what was wanted', async () => {
    const { at, world } = await ground();
    await runIn(
      at,
      writing((writer) => ({
        setTags: async (ids, tags) => {
          await writer.setTags(ids, tags);
          for (const id of ids) if (id.startsWith('eni-')) world.deleteEni(id);
        },
      })),
    );
    expect(await states(at)).toContain('cleanLeakedEnis applied ');
  });

  test('one that is in use by now is left out; a refusal of the whole is the plan’s', async () => {
    const { at } = await ground();
    await at.run();
    at.now += 25 * HOUR;
    at.simulator.fail({ action: 'DeleteNetworkInterface', code: 'InvalidParameterValue' });
    at.simulator.fail({ action: 'DeleteNetworkInterface', at: 3, code: 'UnauthorizedOperation', httpStatus: 403 });
    await at.run();
    expect(await states(at)).toContain('cleanLeakedEnis failed UnauthorizedOperation');
  });
});

test('a reservation that EC2 refuses fails with EC2’s code, whatever the code means elsewhere', async () => {
  const { world } = scattered();
  const at = new RemediateGround(await serve(world));
  at.kubernetes = PREFIX_MODE;
  at.simulator.fail({ action: 'CreateSubnetCidrReservation', code: 'InvalidParameterValue' });
  await at.run();
  expect(await states(at)).toContain('reservePrefixes failed InvalidParameterValue');
});

test('the stop parameter stops between two writes, and what was begun is gone on with', async () => {
  const { world, full: subnetId } = leaky(4);
  const at = new RemediateGround(await serve(world));
  await at.run();
  at.now += 25 * HOUR;
  let deleted = 0;
  await runIn(
    at,
    writing((writer) => ({
      deleteInterface: async (id) => {
        await writer.deleteInterface(id);
        if (++deleted === 2) at.stop = 'stop';
      },
    })),
  );
  const left = () => world.enisOf(subnetId).filter(({ Status }) => Status === 'available').length;
  expect(left()).toBe(2);
  expect(await states(at)).toContain('cleanLeakedEnis applying ');
  await at.run();
  expect(left()).toBe(2);
  at.stop = undefined;
  await at.run();
  expect(left()).toBe(0);
  expect(await states(at)).not.toContain('cleanLeakedEnis applying ');
});

describe('facts that change on the way', () => {
  test('a plan that was begun and whose guards fail by now is not gone on with', async () => {
    const { world, standby } = fullSubnet();
    const at = new RemediateGround(await serve(world));
    at.simulator.fail({ action: 'CreateTags', code: 'Lost', reset: true });
    await expect(at.run()).rejects.toThrow();
    expect(await states(at)).toEqual(['activateStandby applying ']);
    world.untag(standby, 'headroom:standby-for');
    at.now += LATER;
    await at.run();
    expect(at.writes()).toHaveLength(1);
    expect(tagOf(world, standby, DISCOVERY)).toBeUndefined();
    expect(await states(at)).toContain('activateStandby failed NOTHING_LEFT');
  });

  test('each plan of a run is held against a look that is younger than the writes of the one before', async () => {
    const world = new World({ seed: 5, account: ACCOUNT, region: 'us-east-1' });
    const vpcId = world.addVpc({ cidr: '10.0.0.0/16' }).VpcId as string;
    const standbys = ['us-east-1a', 'us-east-1b'].map((zone, n) => {
      const add = (part: number, tags: Record<string, string>) =>
        world.addSubnet({ vpcId, cidr: `10.0.${10 * n + part}.0/24`, zone, tags }).SubnetId as string;
      const full = add(1, { [DISCOVERY]: 'a' });
      world.launch({ subnetId: full, tags: NODE_TAGS });
      for (let held = 0; held < 245; held += 49) world.addEni({ subnetId: full, count: 48 });
      return add(2, { 'headroom:standby-for': 'a' });
    });
    const at = new RemediateGround(await serve(world));
    await runIn(
      at,
      writing((writer) => ({
        setTags: async (ids, tags) => {
          await writer.setTags(ids, tags);
          // Its owner thinks better of the other one.
          for (const id of standbys) if (!ids.includes(id)) world.untag(id, 'headroom:standby-for');
        },
      })),
    );
    expect(at.writes()).toHaveLength(1);
    expect(await states(at)).toEqual(['activateStandby applied ', 'activateStandby planned ']);
  });
});

describe('taking back', () => {
  /** Applied, and the other subnet has room again. */
  const undoable = async () => {
    const { world, standby, full } = fullSubnet();
    const at = new RemediateGround(await serve(world));
    await at.run();
    for (const eni of world.enisOf(full)) {
      if (eni.Status === 'available') world.deleteEni(eni.NetworkInterfaceId as string);
    }
    const [plan] = await at.plans();
    return { world, standby, at, id: plan?.id ?? '' };
  };

  test('an undo that EC2 refuses is told of, keeps nothing waiting, and may be asked for again', async () => {
    const { at, id, world, standby } = await undoable();
    at.simulator.fail({ action: 'DeleteTags', code: 'UnauthorizedOperation', httpStatus: 403 });
    await at.answer('undo', id);
    await at.run();
    const plan = (await at.plans()).find((one) => one.id === id);
    expect(plan).toMatchObject({ state: 'applied' });
    expect(plan?.history.at(-1)).toMatchObject({ what: 'undo failed', why: expect.stringContaining('Unauthorized') });
    expect(at.events.at(-1)).toMatchObject({
      type: 'Remediation Failed',
      detail: { errorCode: 'UnauthorizedOperation', reason: expect.stringMatching(/^not undone: /) },
    });
    await at.answer('undo', id);
    await at.run();
    expect(tagOf(world, standby, DISCOVERY)).toBeUndefined();
    expect((await at.plans()).find((one) => one.id === id)?.state).toBe('undone');
  });

  test('an answer to it that never comes is asked for once more by the next run, by reading', async () => {
    const { at, id } = await undoable();
    at.simulator.fail({ action: 'DeleteTags', code: 'Lost', phase: 'after', reset: true });
    await at.answer('undo', id);
    await expect(at.run()).rejects.toThrow();
    at.now += LATER;
    await at.run();
    expect(at.writes().filter((write) => write.startsWith('DeleteTags'))).toHaveLength(1);
    expect((await at.plans()).find((one) => one.id === id)?.state).toBe('undone');
  });

  /** The standby fills up while it is opened, so that it is taken back; how the call that takes it back ends is up to the test. */
  const rollingBack = async (removeTags: (remove: () => Promise<void>) => Promise<void>) => {
    const { world, standby } = fullSubnet();
    const at = new RemediateGround(await serve(world));
    const fillers: string[] = [];
    const run = runIn(
      at,
      writing((writer) => ({
        setTags: async (ids, tags) => {
          await writer.setTags(ids, tags);
          for (const count of [48, 48, 48, 48, 48, 3])
            fillers.push(world.addEni({ subnetId: standby, count }).NetworkInterfaceId as string);
        },
        removeTags: (ids, tags) => removeTags(() => writer.removeTags(ids, tags)),
      })),
    );
    const died = await run.then(
      () => false,
      () => true,
    );
    // There is room again: the plan would be made once more.
    for (const id of fillers) world.deleteEni(id);
    at.now += LATER;
    return { at, world, standby, died };
  };

  test('a run that died after it took back is gone on with to the same end, and the tags are not written again', async () => {
    const { at, died } = await rollingBack(async (remove) => {
      await remove();
      throw new Error('killed');
    });
    expect(died).toBe(true);
    const before = at.writes();
    expect(before.map((write) => write.split(' ')[0])).toEqual(['CreateTags', 'DeleteTags']);
    await at.run();
    expect(at.writes()).toEqual(before);
    expect(await states(at)).toEqual(['activateStandby rolledBack ROLLED_BACK']);
  });

  test('one that died before it comes too late: nodes may stand there', async () => {
    const { at, world, standby, died } = await rollingBack(async () => {
      throw new Error('killed');
    });
    expect(died).toBe(true);
    await at.run();
    expect(at.writes()).toHaveLength(1);
    expect(tagOf(world, standby, DISCOVERY)).toBe('a');
    expect(await states(at)).toEqual(['activateStandby failed NOT_VERIFIED']);
    expect((await at.plans())[0]?.history.at(-1)?.why).toContain('not taken back in time');
  });

  test('where EC2 refuses it, the plan has failed and says so', async () => {
    const { world, standby } = fullSubnet();
    const at = new RemediateGround(await serve(world));
    at.simulator.fail({ action: 'DeleteTags', code: 'UnauthorizedOperation', httpStatus: 403 });
    await runIn(
      at,
      writing((writer) => ({
        setTags: async (ids, tags) => {
          await writer.setTags(ids, tags);
          for (const count of [48, 48, 48, 48, 48, 3]) world.addEni({ subnetId: standby, count });
        },
      })),
    );
    expect(await states(at)).toEqual(['activateStandby failed NOT_VERIFIED']);
    expect((await at.plans())[0]?.history.at(-1)?.why).toContain('could not be taken back');
  });
});

describe('a function whose time is nearly over', () => {
  /** So many times there is time enough. */
  const hurried = (enough: number) => {
    let asked = 0;
    return (world: RemediateWorld): RemediateWorld => ({
      ...world,
      clock: { ...world.clock, remaining: () => (asked++ < enough ? 600_000 : 89_999) },
    });
  };
  const ground = async () => new RemediateGround(await serve(fullSubnet().world));

  test('takes up no further VPC: the queue brings it again', async () => {
    const at = await ground();
    await expect(runIn(at, hurried(0))).rejects.toThrow(/no time left/);
    expect(at.table.writes).toEqual([]);
    await at.run();
    expect(await states(at)).toEqual(['activateStandby applied ']);
  });

  test('begins no plan, and takes no slot of the day for it', async () => {
    const at = await ground();
    await runIn(at, hurried(1));
    expect(await states(at)).toEqual(['activateStandby planned ']);
    expect(await at.table.list('day')).toEqual(new Map());
  });
});

test('an approval whose answer from the table was lost is an approval all the same', async () => {
  const { world } = fullSubnet();
  const at = new RemediateGround(await serve(world), configOf({ mode: 'propose' }));
  await at.run();
  const [plan] = await at.plans();
  let lost = false;
  const table: StateTable = {
    get: (kind, subject) => at.table.get(kind, subject),
    list: (kind) => at.table.list(kind),
    remove: (kind, subject, expected) => at.table.remove(kind, subject, expected),
    put: async (kind, subject, value, options) => {
      const done = await at.table.put(kind, subject, value, options);
      if (lost) return done;
      lost = true;
      return false;
    },
  };
  const event = { at: at.now, what: 'approved', by: 'alice' };
  const move = () => movePlan(table, plan?.id ?? '', ['planned'], 'approved', event);
  expect(await move()).toMatchObject({ state: 'approved', history: [{ what: 'planned' }, event] });
  // Somebody else's is not.
  expect(await move()).toBeUndefined();
});

test('a lock whose answer was lost is the run’s own all the same', async () => {
  const { world } = fullSubnet();
  const at = new RemediateGround(await serve(world));
  let lost = false;
  await runIn(at, (of) => ({
    ...of,
    state: {
      ...of.state,
      put: async (kind, subject, value, options) => {
        const done = await of.state.put(kind, subject, value, options);
        if (kind !== 'vpc' || lost) return done;
        // The client asks again after a broken connection, and finds that the item is no longer as it was read.
        lost = true;
        return false;
      },
    },
  }));
  expect(await states(at)).toEqual(['activateStandby applied ']);
});
