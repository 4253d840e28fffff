/** Regions in which a plan is right: everything read, one account, a cluster with Karpenter and settings that say how pods get addresses. */
import { assessContext, reportOf } from '../../../lambdas/core/assess/assess.ts';
import type { AssessContext } from '../../../lambdas/core/assess/context.ts';
import { type Decision, isReady } from '../../../lambdas/core/remediate/plan.ts';
import { decide } from '../../../lambdas/core/remediate/plans.ts';
import { PLAN_DEFAULTS, type PlanSettings } from '../../../lambdas/core/remediate/settings.ts';
import { OccupancyBuilder } from '../../../lambdas/core/subnet/occupancy.ts';
import type { EniRecord, ReadFailure, RegionFacts, SubnetFacts } from '../../../lambdas/core/subnet/snapshot.ts';
import { eni, region, subnet } from '../../support/builders.ts';
import { addon, cluster, instance, M5_LARGE, read } from '../../support/cluster-facts.ts';

export const DISCOVERY = 'karpenter.sh/discovery';
export const NOW = Date.UTC(2026, 10, 30, 12);

/** `10.0.N.0/24` with its id `subnet-N` and so many of its 251 addresses held, from the top down. */
export function at(
  n: number,
  tags: Record<string, string> = {},
  fields: Partial<Omit<SubnetFacts, 'tags' | 'cidr'>> = {},
) {
  return subnet(`10.0.${n}.0/24`, { subnetId: `subnet-${n}`, ...fields, tags });
}

/** Interfaces of nobody's that hold the last `count` usable addresses of `10.0.N.0/24`. */
export function filler(n: number, count: number): EniRecord[] {
  if (count === 0) return [];
  const addresses = Array.from({ length: count }, (_, i) => `10.0.${n}.${254 - i}`);
  return [eni({ id: `eni-filler-${n}`, subnetId: `subnet-${n}`, addresses, attachment: { instanceId: `i-${n}` } })];
}

export function known(subnets: readonly SubnetFacts[], fields: Partial<RegionFacts> = {}): RegionFacts {
  return region(subnets, {
    now: NOW,
    reservations: read([]),
    vpcs: read([{ vpcId: 'vpc-00000000000000001', cidrs: [{ base: 0x0a000000, length: 16 }], tags: new Map() }]),
    routeTables: read([]),
    networkAcls: read([]),
    zones: read([]),
    instances: read([instance('i-1', 'subnet-1', { 'kubernetes.io/cluster/a': 'owned' })]),
    instanceTypes: read([M5_LARGE]),
    clusters: read([cluster('a')]),
    nodegroups: read([]),
    addons: read([addon('a', {}, 'v1.22.1')]),
    ...fields,
  });
}

export interface Ground {
  readonly facts: RegionFacts;
  readonly enis: readonly EniRecord[];
}

/** EC2's counts as the interfaces make them, less what reservations hide. */
export function counted({ facts, enis }: Ground): Ground {
  const builder = new OccupancyBuilder(facts);
  for (const one of enis) builder.add(one);
  const { subnets } = builder.finish();
  const reserved = facts.reservations.state === 'read' ? facts.reservations.value : [];
  const counts = facts.subnets.map((one) => {
    const map = subnets.get(one.subnetId)?.map;
    if (map === undefined) return one;
    let free = 0;
    for (let n = 4; n < map.blocks * 16 - 1; n++) {
      const address = map.cidr.base + n;
      const used = ((map.used[n >> 4] as number) >> (n & 15)) & 1;
      const hidden = reserved.some(
        ({ subnetId, cidr }) =>
          subnetId === one.subnetId && address >= cidr.base && address < cidr.base + 2 ** (32 - cidr.length),
      );
      if (used === 0 && !hidden) free++;
    }
    return { ...one, availableIps: free };
  });
  return { facts: { ...facts, subnets: counts }, enis };
}

/**
 * @param after EC2's counts after the interfaces were read, where they are others.
 * @param failures of reading interfaces: a subnet that one names has none that are known.
 */
export function contextOf(
  { facts, enis }: Ground,
  after?: ReadonlyMap<string, number>,
  failures: readonly ReadFailure[] = [],
): AssessContext {
  const builder = new OccupancyBuilder(facts);
  for (const one of enis) builder.add(one);
  const counts = after === undefined ? {} : { availableIpsAfter: after };
  return assessContext(facts, { state: 'read', ...counts, failures }, builder.finish());
}

export function decisionsOf(
  ground: Ground,
  settings: PlanSettings = PLAN_DEFAULTS,
  open?: (place: string) => boolean,
): readonly Decision[] {
  const context = contextOf(ground);
  const { findings } = reportOf(context);
  return decide({ context, findings, settings, ...(open === undefined ? {} : { open }) });
}

export function ready(decisions: readonly Decision[]): readonly Decision[] {
  return decisions.filter(isReady);
}

/** What EC2 would hold after the writes: worked out here on its own, from EC2's rules. */
export function applied(ground: Ground, decisions: readonly Decision[], now = NOW): Ground {
  let { facts, enis } = ground;
  for (const write of decisions.flatMap(({ writes }) => writes)) {
    if (write.kind === 'deleteInterface') {
      enis = enis.filter(({ eniId }) => eniId !== write.eniId);
    } else if (write.kind === 'createReservation') {
      const [base = '', length = ''] = write.cidr.split('/');
      const cidr = { base: base.split('.').reduce((sum, part) => sum * 256 + Number(part), 0), length: Number(length) };
      const before = facts.reservations.state === 'read' ? facts.reservations.value : [];
      const made = { reservationId: `scr-${before.length}`, subnetId: write.subnetId, cidr, type: 'prefix' as const };
      facts = { ...facts, reservations: { state: 'read', value: [...before, made] } };
    } else {
      const tags = new Map(Object.entries(write.tags));
      if (write.stamp !== undefined) tags.set(write.stamp, new Date(now).toISOString());
      const tagged = <T extends { readonly tags: ReadonlyMap<string, string> }>(one: T, id: string): T =>
        id === write.resourceId ? { ...one, tags: new Map([...one.tags, ...tags]) } : one;
      facts = { ...facts, subnets: facts.subnets.map((one) => tagged(one, one.subnetId)) };
      enis = enis.map((one) => tagged(one, one.eniId));
    }
  }
  return counted({ facts, enis });
}
