/** What of a region is looked at, by the configuration. */
import type { Config } from '../../contract/config.ts';
import type { AssessContext } from '../assess/context.ts';
import type { RegionFacts, SubnetFacts, Tags } from '../subnet/snapshot.ts';

type Scope = Config['scope'];

/** Whether a subnet counts: named or tagged as asked for, and not excluded. */
export function subnetInScope(scope: Scope, { subnetId, tags }: SubnetFacts): boolean {
  if (scope.excludeSubnets.includes(subnetId)) return false;
  if (Object.entries(scope.excludeTags).some(([key, value]) => tags.get(key) === value)) return false;
  return hasAll(tags, scope.tags);
}

/** @param read what a reading of the VPCs and subnets that the configuration names gave. */
export function factsInScope(scope: Scope, read: RegionFacts): RegionFacts {
  const facts = read.scope === undefined ? read : { ...read, scope: { ...read.scope, configured: true } as const };
  const subnets = facts.subnets.filter((subnet) => subnetInScope(scope, subnet));
  if (subnets.length === facts.subnets.length) return facts;
  return { ...facts, subnets, excluded: facts.subnets.filter((subnet) => !subnetInScope(scope, subnet)) };
}

/** With clusters named: only they, and the subnets that any of them may use. */
export function contextInScope(scope: Scope, context: AssessContext): AssessContext {
  if (scope.clusters.length === 0) return context;
  const clusters = context.clusters.filter(({ name }) => scope.clusters.includes(name));
  const subnets = new Map(
    [...context.subnets].flatMap(([id, view]) => {
      const own = view.clusters.filter(({ name }) => scope.clusters.includes(name));
      return own.length === 0 ? [] : [[id, { ...view, clusters: own }] as const];
    }),
  );
  return { ...context, clusters, subnets };
}

function hasAll(tags: Tags, wanted: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(([key, value]) => tags.get(key) === value);
}
