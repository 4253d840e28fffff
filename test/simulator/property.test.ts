import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Refusal, World } from '../../simulator/index.ts';
import { idOf, NOON } from './clients.ts';
import { NaiveSubnet } from './naive-subnet.ts';

const BASE = '10.0.1.';

type Step =
  | { readonly do: 'create' | 'assign'; readonly pick: number; readonly count: number; readonly prefixCount: number }
  | { readonly do: 'createAt' | 'assignAt'; readonly pick: number; readonly address: number }
  | { readonly do: 'assignPrefixAt'; readonly pick: number; readonly block: number }
  | { readonly do: 'unassign' | 'delete' | 'launch' | 'terminate'; readonly pick: number }
  | { readonly do: 'reserve'; readonly block: number; readonly length: number; readonly type: 'prefix' | 'explicit' }
  | { readonly do: 'unreserve'; readonly pick: number };

const pick = fc.nat({ max: 1_000 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('create' as const, 'assign' as const),
      pick,
      count: fc.nat({ max: 12 }),
      prefixCount: fc.nat({ max: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('createAt' as const, 'assignAt' as const),
      pick,
      address: fc.nat({ max: 127 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('assignPrefixAt' as const), pick, block: fc.nat({ max: 7 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('unassign' as const, 'delete' as const, 'launch' as const, 'terminate' as const),
      pick,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('reserve' as const),
      block: fc.nat({ max: 7 }),
      length: fc.constantFrom(26, 27, 28, 29, 31),
      type: fc.constantFrom('prefix' as const, 'explicit' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('unreserve' as const), pick }) },
);

/** A /25 and what was done to it, kept in step with a model that knows nothing of the simulator's code. */
class Pair {
  readonly world = new World({ seed: 3, now: () => NOON });
  readonly naive = new NaiveSubnet(BASE, 128);
  readonly subnetId: string;

  constructor() {
    const vpcId = idOf(this.world.addVpc({ cidr: '10.0.0.0/16' }).VpcId);
    this.subnetId = idOf(this.world.addSubnet({ vpcId, cidr: `${BASE}0/25` }).SubnetId);
  }

  run(step: Step): void {
    const { world, subnetId } = this;
    const enis = world.enisOf(subnetId);
    const eni = 'pick' in step ? enis[step.pick % Math.max(1, enis.length)] : undefined;
    const eniId = eni?.NetworkInterfaceId ?? 'eni-none';
    switch (step.do) {
      case 'create':
        world.addEni({ subnetId, count: step.count, prefixCount: step.prefixCount });
        break;
      case 'assign':
        world.assign(eniId, { count: step.count, prefixCount: step.prefixCount });
        break;
      case 'createAt':
        world.addEni({ subnetId, primary: `${BASE}${step.address}` });
        break;
      case 'assignAt':
        world.assign(eniId, { addresses: [`${BASE}${step.address}`] });
        break;
      case 'assignPrefixAt':
        world.assign(eniId, { prefixes: [`${BASE}${16 * step.block}/28`] });
        break;
      case 'unassign': {
        const singles = (eni?.PrivateIpAddresses ?? []).filter((entry) => entry.Primary !== true);
        const some = singles.slice(0, 1 + (step.pick % 4)).map((entry) => idOf(entry.PrivateIpAddress));
        const prefixes = (eni?.Ipv4Prefixes ?? []).slice(0, step.pick % 2).map((entry) => idOf(entry.Ipv4Prefix));
        world.unassign(eniId, some, prefixes);
        break;
      }
      case 'delete':
        world.deleteEni(eniId);
        break;
      case 'launch':
        world.launch({ subnetId, prefixCount: step.pick % 2, maxCount: 3 });
        break;
      case 'terminate': {
        const running = [...world.instances.values()].filter((instance) => instance.State?.Name === 'running');
        world.terminate(running[step.pick % Math.max(1, running.length)]?.InstanceId ?? 'i-none');
        break;
      }
      case 'reserve': {
        const size = 2 ** (32 - step.length);
        const first = 16 * step.block - ((16 * step.block) % size);
        world.addReservation({ subnetId, cidr: `${BASE}${first}/${step.length}`, type: step.type });
        break;
      }
      case 'unreserve': {
        const all = [...world.reservations.values()];
        world.deleteReservation(all[step.pick % Math.max(1, all.length)]?.SubnetCidrReservationId ?? 'scr-none');
        break;
      }
    }
  }

  check(): void {
    const { world, subnetId } = this;
    const problems = this.naive.problems(world.enisOf(subnetId));
    expect(problems).toEqual([]);
    const expected = this.naive.available(world.enisOf(subnetId), [...world.reservations.values()]);
    expect(world.availableIps(subnetId)).toBe(expected);
    expect(expected).toBeGreaterThanOrEqual(0);
  }
}

test('whatever happens, no address is held twice and the count says what is free', () => {
  let done = 0;
  let refused = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 50, size: 'max' }), (steps) => {
      const pair = new Pair();
      for (const each of steps) {
        const before = JSON.stringify([...pair.world.interfaces.values()]);
        try {
          pair.run(each);
          done++;
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          refused++;
          // What is refused has changed nothing.
          expect(JSON.stringify([...pair.world.interfaces.values()])).toBe(before);
        }
        pair.check();
      }
    }),
    { numRuns: 80 },
  );
  // Neither all refused nor all allowed: the walk meets both.
  expect(done).toBeGreaterThan(200);
  expect(refused).toBeGreaterThan(20);
});

test('EC2 picks nothing from a reservation that is not meant for it', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat({ max: 120 }), fc.nat({ max: 6 }), (seed, count, prefixCount) => {
      const world = new World({ seed, now: () => NOON });
      const vpcId = idOf(world.addVpc({ cidr: '10.0.0.0/16' }).VpcId);
      const subnetId = idOf(world.addSubnet({ vpcId, cidr: '10.0.1.0/24' }).SubnetId);
      world.addReservation({ subnetId, cidr: '10.0.1.64/26', type: 'prefix' });
      world.addReservation({ subnetId, cidr: '10.0.1.128/27', type: 'explicit' });
      const eniId = idOf(world.addEni({ subnetId, primary: '10.0.1.5' }).NetworkInterfaceId);
      const { PrivateIpAddresses, Ipv4Prefixes } = world.addEni({ subnetId, primary: '10.0.1.4', count });
      const claimed = world.assign(eniId, { prefixCount: Math.min(4, prefixCount) });
      expect(Ipv4Prefixes).toBeUndefined();
      for (const entry of PrivateIpAddresses ?? []) {
        const last = Number(entry.PrivateIpAddress?.split('.')[3]);
        expect(last >= 64 && last < 160).toBe(false);
      }
      // Four blocks are reserved for prefixes, and they go first.
      for (const prefix of claimed.prefixes) expect((prefix & 0xff) >= 64 && (prefix & 0xff) < 128).toBe(true);
    }),
  );
});

test('single addresses fall evenly enough that every address of a subnet is met', () => {
  const met = new Set<string>();
  for (let seed = 0; seed < 400; seed++) {
    const world = new World({ seed, now: () => NOON });
    const vpcId = idOf(world.addVpc({ cidr: '10.0.0.0/16' }).VpcId);
    const subnetId = idOf(world.addSubnet({ vpcId, cidr: '10.0.1.0/26' }).SubnetId);
    met.add(idOf(world.addEni({ subnetId }).PrivateIpAddress));
  }
  expect(met.size).toBe(59);
});
