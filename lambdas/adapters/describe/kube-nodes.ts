/** `kubectl get nodes`. */
import { wrongValue } from '../../core/input/input-error.ts';
import type { Place } from '../../core/input/place.ts';
import type { NodeFacts } from '../../core/subnet/snapshot.ts';
import { type KubeObject, kubeObjects } from './documents.ts';
import { defined, type Fields, optionalTextAt } from './fields.ts';
import { nameOf, under } from './kube-metadata.ts';
import { tagMapAt } from './tags.ts';

export function decodeNodes(document: unknown, place: Place): readonly NodeFacts[] {
  return kubeObjects(document, place, { command: 'kubectl get nodes', kinds: ['Node'] }).map(toNode);
}

function toNode(object: KubeObject): NodeFacts {
  const [metadata, metadataPlace] = under(object, 'metadata');
  const labels = tagMapAt(metadata, 'labels', metadataPlace);
  const [spec, specPlace] = under(object, 'spec');
  // aws:///us-east-1a/i-0abc; Fargate and hybrid nodes have other forms and no instance.
  const provider = optionalTextAt(spec, 'providerID', specPlace);
  const [, zone, instanceId] = /^aws:\/\/\/([^/]*)\/(i-[0-9a-f]+)$/.exec(provider ?? '') ?? [];
  return defined({
    name: nameOf(object),
    instanceId,
    instanceType: labels.get('node.kubernetes.io/instance-type') ?? labels.get('beta.kubernetes.io/instance-type'),
    zone:
      labels.get('topology.kubernetes.io/zone') ??
      labels.get('failure-domain.beta.kubernetes.io/zone') ??
      (zone === '' ? undefined : zone),
    maxPods: podsAt(...under(object, 'status', 'allocatable')) ?? podsAt(...under(object, 'status', 'capacity')),
    labels,
  });
}

const QUANTITY = 'a whole number such as "110"';

/** `pods` of a resource list: a quantity, which the API server prints as text. */
function podsAt(resources: Fields, place: Place): number | undefined {
  const value = resources.pods;
  if (value === undefined || value === null) return undefined;
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^\d{1,9}$/.test(text)) {
    throw wrongValue(place.at('pods'), value, 'is no count of pods', QUANTITY);
  }
  return Number(text);
}
