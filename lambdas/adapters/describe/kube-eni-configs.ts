/** `kubectl get eniconfigs`. */
import type { Place } from '../../core/input/place.ts';
import type { EniConfigFacts } from '../../core/subnet/snapshot.ts';
import { kubeObjects } from './documents.ts';
import { textAt } from './fields.ts';
import { nameOf, under } from './kube-metadata.ts';

export function decodeEniConfigs(document: unknown, place: Place): readonly EniConfigFacts[] {
  return kubeObjects(document, place, { command: 'kubectl get eniconfigs', kinds: ['ENIConfig'] }).map((object) => {
    const [spec, inside] = under(object, 'spec');
    return { name: nameOf(object), subnetId: textAt(spec, 'subnet', inside, 'a subnet id') };
  });
}
