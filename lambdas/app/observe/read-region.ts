/** Reads of a region only what may have changed, and puts the rest beside it from what earlier scans kept: the result is always the whole region. */
import { dueVpcs } from '../../core/observe/change-gate.ts';
import { askedVpcs, NEED_CLUSTERS, NEED_NETWORK } from '../../core/observe/changes.ts';
import { factsInScope } from '../../core/observe/scope.ts';
import type { StoredRegion, StoredVpc } from '../../core/stored/stored-region.ts';
import type { RegionOccupancy } from '../../core/subnet/occupancy.ts';
import type { EniReading, RegionFacts } from '../../core/subnet/snapshot.ts';
import type { InsideFacts, ObserveWorld, ReadingOptions } from '../../ports/observing.ts';
import { explainGaps } from './explain-gaps.ts';
import type { ReadContext } from './read-context.ts';
import { readInterfaces, vpcsToKeep } from './read-interfaces.ts';
import { readReservations } from './read-reservations.ts';
import { dueGroups, EMPTY_REGION, inputsOf, mergeSlowFacts } from './slow-facts.ts';

/** The reading of one scan. */
export interface RegionReading {
  readonly facts: RegionFacts;
  readonly enis: EniReading;
  readonly occupancy: RegionOccupancy;
  /** Last whole read of each VPC in scope, epoch milliseconds: of one that was never read, when it was first met. */
  readonly readAt: ReadonlyMap<string, number>;
  /** VPCs whose interfaces were read in this scan. */
  readonly vpcsRead: readonly string[];
  readonly clustersRead: boolean;
  readonly throttled: number;
}

/** Rejects as the source does where no subnet could be read: nothing can be said then. */
export async function readRegion(context: ReadContext): Promise<RegionReading> {
  const { world, config, began, needs } = context;
  let throttled = 0;
  const options = (more: Partial<ReadingOptions>): ReadingOptions => ({
    inputs: new Set(),
    now: began,
    signal: context.signal,
    onThrottled: () => throttled++,
    ...more,
  });
  const [kept, inside] = await Promise.all([
    world.store.region(),
    world.inside.read(began - config.schedule.factsMaxAge * 1000),
  ]);
  const before = kept ?? EMPTY_REGION;
  const asked = dueGroups(before, began, [
    ...(needs.includes(NEED_CLUSTERS) ? (['clusters'] as const) : []),
    ...(needs.includes(NEED_NETWORK) ? (['network'] as const) : []),
  ]);
  const first = await subnetsOf(context, options({ inputs: inputsOf(asked) }));
  const stored = await storedVpcs(world, first);
  const gate = gateOptions(context, inside);
  // Who holds what is read with the instances of the same moment; a quiet tick needs neither.
  const moved = dueVpcs(first.subnets, stored, gate).size > 0;
  const second = moved && !asked.has('instances');
  const fresh = second ? await subnetsOf(context, options({ inputs: inputsOf(new Set(['instances'])) })) : first;
  const groups = second ? new Set([...asked, 'instances' as const]) : asked;
  const slow = mergeSlowFacts(before, second ? combined(first, fresh) : first, groups, began);
  const base = withInside({ ...slow.facts, account: context.account, now: began }, inside);
  const due = dueVpcs(base.subnets, stored, gate);
  if (due.size > 0) world.log('info', 'observe', 'VPCs to read', { vpcs: Object.fromEntries(due) });

  const [reservations, interfaces] = await Promise.all([
    readReservations(context, base.subnets, slow.region.reservations, options),
    readInterfaces(context, base, stored, [...due.keys()], options),
  ]);
  const explained = await explainGaps(context, base, reservations, interfaces, stored, options);
  const { facts, known } = explained;
  const region = { ...slow.region, reservations: known, firstMet: firstMet(slow.region, base, began) };
  const { enis, occupancy, vpcsRead } = interfaces;
  await Promise.all([
    world.store.saveRegion(region),
    ...vpcsToKeep(facts, interfaces, stored, { began, factsTag: inside.tag }).map((vpc) => world.store.saveVpc(vpc)),
  ]);
  return {
    facts,
    enis,
    occupancy,
    readAt: agesOf(base, region, stored, vpcsRead, began),
    vpcsRead,
    clustersRead: asked.has('clusters'),
    throttled,
  };
}

async function subnetsOf({ world, config }: ReadContext, options: ReadingOptions): Promise<RegionFacts> {
  return factsInScope(config.scope, await world.open(options).facts());
}

/** The later subnets, and the slow facts of both readings. */
function combined(first: RegionFacts, later: RegionFacts): RegionFacts {
  return {
    ...first,
    subnets: later.subnets,
    instances: later.instances,
    instanceTypes: later.instanceTypes,
    failures: [...new Set([...first.failures.filter(({ input }) => input !== 'subnets'), ...later.failures])],
  };
}

async function storedVpcs(world: ObserveWorld, { subnets }: RegionFacts): Promise<ReadonlyMap<string, StoredVpc>> {
  const ids = [...new Set(subnets.map(({ vpcId }) => vpcId))].sort();
  const found = await Promise.all(ids.map(async (id) => [id, await world.store.vpc(id)] as const));
  return new Map(found.flatMap(([id, vpc]) => (vpc === undefined ? [] : [[id, vpc] as const])));
}

/** A read is due one tick before its limit: the next tick would be too late. */
function gateOptions({ config, began, needs }: ReadContext, inside: InsideFacts) {
  const { fullReadAtMost, tick } = config.schedule;
  return { now: began, fullReadAtMost: (fullReadAtMost - tick) * 1000, factsTag: inside.tag, asked: askedVpcs(needs) };
}

function withInside(facts: RegionFacts, { kubernetes, failures }: InsideFacts): RegionFacts {
  return { ...facts, kubernetes, failures: [...facts.failures, ...failures] };
}

function firstMet(region: StoredRegion, { subnets }: RegionFacts, now: number): ReadonlyMap<string, number> {
  return new Map(subnets.map(({ vpcId }) => [vpcId, region.firstMet.get(vpcId) ?? now]));
}

function agesOf(
  { subnets }: RegionFacts,
  region: StoredRegion,
  stored: ReadonlyMap<string, StoredVpc>,
  read: readonly string[],
  began: number,
): ReadonlyMap<string, number> {
  const ages = new Map<string, number>();
  for (const { vpcId } of subnets) {
    const before = stored.get(vpcId)?.readAt ?? region.firstMet.get(vpcId) ?? began;
    ages.set(vpcId, read.includes(vpcId) ? began : before);
  }
  return ages;
}
