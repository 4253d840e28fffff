/** `kubectl get nodepools`. */
import type { Place } from '../../core/input/place.ts';
import type { NodePoolFacts } from '../../core/subnet/snapshot.ts';
import { type KubeObject, kubeObjects } from './documents.ts';
import { defined, optionalTextAt, textAt } from './fields.ts';
import { nameOf, under } from './kube-metadata.ts';

export function decodeNodePools(document: unknown, place: Place): readonly NodePoolFacts[] {
  return kubeObjects(document, place, { command: 'kubectl get nodepools', kinds: ['NodePool'] }).map(toNodePool);
}

function toNodePool(object: KubeObject): NodePoolFacts {
  const [reference, referencePlace] = under(object, 'spec', 'template', 'spec', 'nodeClassRef');
  const [template, templatePlace] = under(object, 'spec', 'template', 'spec');
  // Up to Karpenter's v1beta1 the age stood beside the other reasons for disruption.
  const [disruption, disruptionPlace] = under(object, 'spec', 'disruption');
  return defined({
    name: nameOf(object),
    nodeClass: textAt(reference, 'name', referencePlace, 'the name of a node class'),
    expireAfter:
      optionalTextAt(template, 'expireAfter', templatePlace) ??
      optionalTextAt(disruption, 'expireAfter', disruptionPlace),
  });
}
