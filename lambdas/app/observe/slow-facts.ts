/** The slow reads: when each is due, and what stands in for one that failed. */
import { SLOW_GROUPS, type SlowGroup, type StoredRegion } from '../../core/stored/stored-region.ts';
import type { InputName, Reading, RegionFacts } from '../../core/subnet/snapshot.ts';

const INPUTS: Readonly<Record<SlowGroup, readonly InputName[]>> = {
  // Types in use are found by instances and node groups together.
  clusters: ['clusters', 'nodegroups', 'addons', 'instances', 'instance-types'],
  instances: ['instances', 'instance-types'],
  network: ['vpcs', 'route-tables', 'network-acls', 'availability-zones'],
};

/**
 * Milliseconds after which a group is read again. EKS tells nobody of health issues, and each cluster takes several calls: five minutes. Instances matter where
 * interfaces are read, and are read with them. Routes and zones change by hand: an hour.
 */
const MAX_AGE_MS: Readonly<Record<SlowGroup, number>> = {
  clusters: 300_000,
  instances: Number.POSITIVE_INFINITY,
  network: 3_600_000,
};

const ABSENT = { state: 'absent' } as const;

export const EMPTY_REGION: StoredRegion = {
  facts: {
    subnets: [],
    reservations: ABSENT,
    vpcs: ABSENT,
    routeTables: ABSENT,
    networkAcls: ABSENT,
    zones: ABSENT,
    instances: ABSENT,
    instanceTypes: ABSENT,
    clusters: ABSENT,
    nodegroups: ABSENT,
    addons: ABSENT,
    kubernetes: [],
    failures: [],
  },
  readAt: {},
  reservations: new Map(),
  firstMet: new Map(),
};

export function dueGroups(region: StoredRegion, now: number, asked: readonly SlowGroup[]): ReadonlySet<SlowGroup> {
  const due = SLOW_GROUPS.filter((group) => {
    const readAt = region.readAt[group];
    return asked.includes(group) || readAt === undefined || now - readAt >= MAX_AGE_MS[group];
  });
  // Clusters bring their instances along.
  return new Set(due.includes('clusters') ? [...due, 'instances' as const] : due);
}

export function inputsOf(groups: ReadonlySet<SlowGroup>): ReadonlySet<InputName> {
  return new Set([...groups].flatMap((group) => INPUTS[group]));
}

export interface SlowFacts {
  readonly facts: RegionFacts;
  /** What to keep; its reservations are those of before. */
  readonly region: StoredRegion;
}

/**
 * Puts what was just read over what was known. A reading that failed keeps the last known value, as unknown, with its failure; it is tried again by the next scan.
 */
export function mergeSlowFacts(
  before: StoredRegion,
  fresh: RegionFacts,
  groups: ReadonlySet<SlowGroup>,
  now: number,
): SlowFacts {
  const asked = inputsOf(groups);
  const old = before.facts;
  const pick = <T>(input: InputName, was: Reading<readonly T[]>, is: Reading<readonly T[]>) =>
    asked.has(input) ? settled(was, is) : was;
  const facts: RegionFacts = {
    ...fresh,
    reservations: ABSENT,
    vpcs: pick('vpcs', old.vpcs, fresh.vpcs),
    routeTables: pick('route-tables', old.routeTables, fresh.routeTables),
    networkAcls: pick('network-acls', old.networkAcls, fresh.networkAcls),
    zones: pick('availability-zones', old.zones, fresh.zones),
    instances: pick('instances', old.instances, fresh.instances),
    instanceTypes: withKnownTypes(old, pick('instance-types', old.instanceTypes, fresh.instanceTypes)),
    clusters: pick('clusters', old.clusters, fresh.clusters),
    nodegroups: pick('nodegroups', old.nodegroups, fresh.nodegroups),
    addons: pick('addons', old.addons, fresh.addons),
    kubernetes: [],
  };
  const failed = new Set(fresh.failures.map(({ input }) => input));
  const readAt = { ...before.readAt };
  for (const group of groups) {
    // Without a time it is due again at once.
    if (INPUTS[group].some((input) => failed.has(input))) delete readAt[group];
    else readAt[group] = now;
  }
  return { facts, region: { ...before, facts: { ...facts, subnets: [], failures: [] }, readAt } };
}

/** What could be read of a list is less than what was known of it, unless nothing was known. */
function settled<T>(was: Reading<readonly T[]>, is: Reading<readonly T[]>): Reading<readonly T[]> {
  if (is.state !== 'unknown' || was.state === 'absent') return is;
  return { ...is, value: was.value };
}

/** Types are facts that do not change: those of nodes that are gone just now are kept. */
function withKnownTypes(
  { instanceTypes: was }: RegionFacts,
  is: RegionFacts['instanceTypes'],
): RegionFacts['instanceTypes'] {
  if (is.state === 'absent' || was.state === 'absent' || is === was) return is;
  const byName = new Map([...was.value, ...is.value].map((type) => [type.instanceType, type]));
  return { ...is, value: [...byName.values()].sort((a, b) => (a.instanceType < b.instanceType ? -1 : 1)) };
}
