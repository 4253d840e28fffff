/** `kubectl get pods -A`. */
import type { Place } from '../../core/input/place.ts';
import type { PodFacts } from '../../core/subnet/snapshot.ts';
import { type KubeObject, kubeObjects } from './documents.ts';
import { defined, flagAt, optionalTextAt } from './fields.ts';
import { nameOf, namespaceOf, under } from './kube-metadata.ts';

export function decodePods(document: unknown, place: Place): readonly PodFacts[] {
  return kubeObjects(document, place, { command: 'kubectl get pods', kinds: ['Pod'] }).map(toPod);
}

function toPod(object: KubeObject): PodFacts {
  const [spec, specPlace] = under(object, 'spec');
  return defined({
    name: nameOf(object),
    namespace: namespaceOf(object),
    nodeName: optionalTextAt(spec, 'nodeName', specPlace),
    hostNetwork: flagAt(spec, 'hostNetwork', specPlace),
    phase: optionalTextAt(...fieldOf(object)),
  });
}

function fieldOf(object: KubeObject): Parameters<typeof optionalTextAt> {
  const [status, place] = under(object, 'status');
  return [status, 'phase', place];
}
