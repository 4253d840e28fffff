/** One tag key holds one value: where a cluster wants a key that serves another. */
import type { SubnetFacts } from '../subnet/snapshot.ts';
import { type ClusterModel, DISCOVERY_TAG } from './cluster-model.ts';
import type { AssessContext } from './context.ts';
import { exactTagValue } from './selection/selectors.ts';

export interface TagConflict {
  readonly key: string;
  readonly current: string;
  readonly wanted: string;
  /** The cluster that the current value serves. */
  readonly other: string;
}

/** Whether a tag that a cluster's Karpenter selectors want on a subnet already holds a value that another cluster's selector looks for. */
export function tagConflict(
  context: AssessContext,
  cluster: ClusterModel,
  subnet: SubnetFacts,
): TagConflict | undefined {
  for (const { kind, terms } of cluster.launchers) {
    if (kind !== 'karpenter') continue;
    for (const key of new Set(terms.flatMap(({ tags }) => [...tags.keys()]))) {
      const wanted = exactTagValue(terms, key);
      const current = subnet.tags.get(key);
      if (wanted === undefined || current === undefined || current === wanted) continue;
      const other = context.clusters.find((one) => one !== cluster && looksFor(one, key, current));
      if (other !== undefined) return { key, current, wanted, other: other.name };
    }
  }
  return undefined;
}

function looksFor(cluster: ClusterModel, key: string, value: string): boolean {
  if (key === DISCOVERY_TAG && cluster.name === value) return true;
  return cluster.launchers.some(({ kind, terms }) => kind === 'karpenter' && exactTagValue(terms, key) === value);
}
