/**
 * A run is killed at every write in turn, before it is made and after it was made, and run again: it ends in the same state, and EC2 was changed once.
 * Which calls changed something is told by the simulator's own record of calls.
 */
import { describe, expect, test } from '@jest/globals';
import { TAGS } from '../../../lambdas/contract/tags.ts';
import { serve } from '../../simulator/clients.ts';
import {
  DISCOVERY,
  fullSubnet,
  Killed,
  leaky,
  PREFIX_MODE,
  Reaper,
  RemediateGround,
  scattered,
} from '../../support/remediating.ts';

const HOUR = 3_600_000;
/** Longer than the lease of a dead run. */
const LATER = 700_000;

interface Scene {
  readonly at: RemediateGround;
  /** Whatever comes before the run that is killed. */
  readonly before?: () => Promise<void>;
  /** What EC2 holds at the end, as far as the scene is about it. */
  readonly end: () => unknown;
}

async function activation(): Promise<Scene> {
  const { world, standby } = fullSubnet();
  const at = new RemediateGround(await serve(world));
  const keys = [DISCOVERY, TAGS.activatedFor, TAGS.standbyFor];
  return { at, end: () => world.subnet(standby).Tags?.filter(({ Key }) => keys.includes(Key ?? '')) };
}

async function cleaning(): Promise<Scene> {
  const { world, full } = leaky(4);
  const at = new RemediateGround(await serve(world));
  const before = async () => {
    await at.run();
    at.now += 25 * HOUR;
  };
  return { at, before, end: () => world.enisOf(full).filter(({ Status }) => Status === 'available').length };
}

async function reserving(): Promise<Scene> {
  const { world, light } = scattered();
  const at = new RemediateGround(await serve(world));
  at.kubernetes = PREFIX_MODE;
  return { at, end: () => [...world.reservations.values()].map(({ SubnetId, Cidr }) => [SubnetId === light, Cidr]) };
}

async function undoing(): Promise<Scene> {
  const { world, standby, full } = fullSubnet();
  const at = new RemediateGround(await serve(world));
  const before = async () => {
    await at.run();
    for (const eni of world.enisOf(full))
      if (eni.Status === 'available') world.deleteEni(eni.NetworkInterfaceId as string);
    const [plan] = await at.plans();
    await at.answer('undo', plan!.id);
  };
  return { at, before, end: () => world.subnet(standby).Tags };
}

const ENDS = {
  activation: [
    { Key: 'headroom:standby-for', Value: 'a' },
    { Key: DISCOVERY, Value: 'a' },
    { Key: 'headroom:activated-for', Value: 'a' },
  ],
  cleaning: 0,
  reserving: [[true, '10.0.2.0/25']],
  undoing: [{ Key: 'headroom:standby-for', Value: 'a' }],
} as const;

/** Calls that changed something: asked for and not refused. */
function effective({ simulator }: RemediateGround): readonly string[] {
  return simulator.calls
    .filter(({ action, errorCode }) => !/^(Describe|Get|List)/.test(action) && errorCode === undefined)
    .map(
      ({ action, params }) =>
        `${action} ${JSON.stringify(
          Object.entries(params)
            .filter(([key]) => /^(Resource|Subnet|Network|Cidr|Tag\.\d+\.Key)/.test(key))
            .sort(),
        )}`,
    );
}

describe.each([
  ['activation', activation],
  ['cleaning', cleaning],
  ['reserving', reserving],
  ['undoing', undoing],
] as const)('killed during %s', (name, scene) => {
  test('at every write in turn, it is gone on with to the same end, and no write is made twice', async () => {
    const whole = await scene();
    await whole.before?.();
    const counter = new Reaper();
    await whole.at.run(counter);
    expect(whole.end()).toEqual(ENDS[name]);
    const wanted = [...effective(whole.at)].sort();
    // A look after the work is done, as whoever goes on with a dead run's work has one.
    await whole.at.run();
    expect([...effective(whole.at)].sort()).toEqual(wanted);
    expect(counter.writes).toBeGreaterThan(4);

    for (let n = 1; n <= counter.writes; n++) {
      for (const phase of ['before', 'after'] as const) {
        const { at, before, end } = await scene();
        await before?.();
        const reaper = new Reaper(n, phase);
        await expect(at.run(reaper)).rejects.toThrow();
        expect(reaper.dead).toBe(true);
        at.now += LATER;
        await at.run();
        await at.run();
        const how = { n, phase };
        expect({ ...how, end: end() }).toEqual({ ...how, end: ENDS[name] });
        expect({ ...how, calls: [...effective(at)].sort() }).toEqual({ ...how, calls: wanted });
        expect({ ...how, told: [...at.told()].sort() }).toEqual({ ...how, told: [...whole.at.told()].sort() });
        const states = async (of: RemediateGround) => (await of.plans()).map(({ state }) => state).sort();
        expect({ ...how, states: await states(at) }).toEqual({ ...how, states: await states(whole.at) });
      }
    }
  }, 120_000);
});

describe('an answer that never comes', () => {
  test.each(['before', 'after'] as const)(
    'lost %s the call took effect: settled by reading, never by asking again blindly',
    async (phase) => {
      const { at, end } = await activation();
      at.simulator.fail({ action: 'CreateTags', code: 'Lost', phase, reset: true });
      await expect(at.run()).rejects.toThrow();
      await at.run();
      expect(end()).toEqual(ENDS.activation);
      expect(effective(at)).toHaveLength(phase === 'before' ? 1 : 0);
      expect((await at.plans()).map(({ state }) => state)).toEqual(['applied']);
    },
  );
});

test('a dead run’s lease holds others off until it is over', async () => {
  const { at } = await activation();
  await expect(at.run(new Reaper(6, 'after'))).rejects.toThrow();
  const before = at.writes().length;
  await at.run();
  expect(at.writes()).toHaveLength(before);
  at.now += LATER;
  await at.run();
  expect((await at.plans()).map(({ state }) => state)).toEqual(['applied']);
});

test('a killed run is what it says', () => {
  expect(() => new Reaper(1).die()).toThrow(Killed);
});
