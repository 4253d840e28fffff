/** `kubectl get ec2nodeclasses` (Karpenter) and `kubectl get nodeclasses` (EKS Auto Mode). */
import { wrongType } from '../../core/input/input-error.ts';
import type { Place } from '../../core/input/place.ts';
import type { NodeClassFacts, SubnetSelectorTerm } from '../../core/subnet/snapshot.ts';
import { type KubeObject, kubeObjects } from './documents.ts';
import { asObject, defined, type Fields, optionalCountAt, optionalListAt, optionalTextAt } from './fields.ts';
import { nameOf, under } from './kube-metadata.ts';
import { tagMapAt } from './tags.ts';

const SHAPE = { command: 'kubectl get ec2nodeclasses (or nodeclasses)', kinds: ['EC2NodeClass', 'NodeClass'] };

export function decodeNodeClasses(document: unknown, place: Place): readonly NodeClassFacts[] {
  return kubeObjects(document, place, SHAPE).map(toNodeClass);
}

function toNodeClass(object: KubeObject): NodeClassFacts {
  const [spec, place] = under(object, 'spec');
  const [kubelet, kubeletPlace] = under(object, 'spec', 'kubelet');
  return defined({
    name: nameOf(object),
    kind: kindOf(object),
    subnetSelectorTerms: termsAt(spec, 'subnetSelectorTerms', place),
    podSubnetSelectorTerms: termsAt(spec, 'podSubnetSelectorTerms', place),
    ipPrefixCount: optionalCountAt(spec, 'ipPrefixCount', place),
    maxPods: optionalCountAt(kubelet, 'maxPods', kubeletPlace),
  });
}

/** The two have different defaults and different selectors, so a class that does not say which it is cannot be read. */
function kindOf(object: KubeObject): 'EC2NodeClass' | 'NodeClass' {
  if (object.kind === 'EC2NodeClass' || object.kind === 'NodeClass') return object.kind;
  throw wrongType(object.place.at('kind'), object.kind, '"EC2NodeClass" or "NodeClass"');
}

function termsAt(spec: Fields, key: string, place: Place): readonly SubnetSelectorTerm[] {
  return optionalListAt(spec, key, place).map((item, index) => {
    const inside = place.at(key).at(index);
    const term = asObject(item, inside);
    return defined({ id: optionalTextAt(term, 'id', inside), tags: tagMapAt(term, 'tags', inside) });
  });
}
