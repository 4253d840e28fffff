import type { SubnetFacts } from '../../subnet/snapshot.ts';
import type { AssessContext } from '../context.ts';

/** Subnets as their consumers rank them: with the count that was believed, in the order asked for. IPv6-only ones and ids that nobody knows are left out. */
export function rankedSubnets(context: Pick<AssessContext, 'subnets'>, ids: Iterable<string>): SubnetFacts[] {
  const ranked: SubnetFacts[] = [];
  for (const id of ids) {
    const view = context.subnets.get(id);
    if (view?.ledger.applicable === true) ranked.push({ ...view.facts, availableIps: view.ledger.availableIps });
  }
  return ranked;
}
