/** Whether what is not among the subnets is nowhere: the ground of every finding that says "none". */
import type { RegionFacts } from '../subnet/snapshot.ts';

/**
 * Whether every subnet of a VPC was read. Not so where the reading was limited to other VPCs or to single subnets, nor where a list of subnets broke off: an id
 * that does not exist, though, hides nothing.
 *
 * @param vpcId `undefined` where it is not known: then only a reading of the whole region will do.
 */
export function isWhole({ scope, failures }: RegionFacts, vpcId: string | undefined): boolean {
  if (failures.some(({ input, code }) => input === 'subnets' && code !== 'NOT_FOUND')) return false;
  if (scope === undefined) return true;
  return scope.subnetIds.length === 0 && vpcId !== undefined && scope.vpcIds.includes(vpcId);
}

/** As {@link isWhole}, where the configuration's own limits count for the whole: for what a cluster has left of the subnets that its owner wants looked at. */
export function isAllThatCounts(facts: RegionFacts, vpcId: string): boolean {
  const { scope, ...unlimited } = facts;
  return isWhole(scope?.configured === true ? unlimited : facts, vpcId);
}
