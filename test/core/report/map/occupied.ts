import { OccupancyBuilder, type SubnetOccupancy } from '../../../../lambdas/core/subnet/occupancy.ts';
import { type EniFields, eni, region, subnet } from '../../../support/builders.ts';

/** The map of one subnet in which these interfaces live. */
export function occupied(at: string, enis: readonly EniFields[]): SubnetOccupancy {
  const facts = region([subnet(at)]);
  const builder = new OccupancyBuilder(facts, { keep: 'all' });
  for (const fields of enis) builder.add(eni(fields));
  return builder.finish().subnets.get('subnet-00000000000000001') as SubnetOccupancy;
}
