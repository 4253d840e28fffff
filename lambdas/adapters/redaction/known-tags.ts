/** Tag keys and values that say what a thing is, not whose: classes, selectors and findings need them, and everybody has the same. */
import { TAGS } from '../../contract/tags.ts';
import { CNI_TAG, DISCOVERY_TAG } from '../../core/assess/cluster-model.ts';
import { TAG } from '../../core/subnet/eni-class.ts';
import type { Pseudonyms } from './pseudonyms.ts';

/** Labels of nodes whose values are facts about the machine. */
const PLAIN_LABELS = [
  'node.kubernetes.io/instance-type',
  'beta.kubernetes.io/instance-type',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'topology.k8s.aws/zone-id',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'kubernetes.io/arch',
  'kubernetes.io/os',
  'karpenter.sh/capacity-type',
  'eks.amazonaws.com/capacityType',
  'eks.amazonaws.com/compute-type',
];
/** Keys whose values stay as they are. */
const PLAIN_VALUES: ReadonlySet<string> = new Set([...PLAIN_LABELS, TAG.eniOwner, TAG.vlan, TAG.cniCreatedAt]);

const KNOWN_KEYS: readonly string[] = [
  ...Object.values(TAG),
  ...Object.values(TAGS),
  ...PLAIN_LABELS,
  CNI_TAG,
  DISCOVERY_TAG,
  'Name',
  'kubernetes.io/role/elb',
  'kubernetes.io/role/internal-elb',
  'aws:autoscaling:groupName',
  'eks.amazonaws.com/nodegroup',
  'eks.amazonaws.com/nodeclass',
  'k8s.amazonaws.com/eniConfig',
  'k8s.io/cluster-autoscaler/enabled',
];
/** Whatever their case: a well-known key in the wrong case is a mistake, not a secret. */
const KNOWN: ReadonlySet<string> = new Set(KNOWN_KEYS.map((key) => key.toLowerCase()));
/** Keys that end in the name of a cluster. */
const KEYS_WITH_NAME = [
  TAG.kubernetesCluster,
  `${DISCOVERY_TAG}/`,
  'cni.networking.k8s.aws/cluster/',
  'k8s.io/cluster-autoscaler/',
];
/** Values that are words of a protocol, not names. `*` and the empty one select by the key alone. */
const WORDS: ReadonlySet<string> = new Set(
  '* 0 1 true false yes no enabled disabled owned shared always'.split(' ').concat(''),
);
const ISO_TIME = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)$/;
/** Zone names, Local Zones and Wavelength zones included. */
export const ZONE = /^[a-z]{2,3}(?:-[a-z]+)+-\d+(?:[a-z]|-[a-z0-9-]+)?$/;

export function redactTagKey(key: string, names: Pseudonyms): string {
  if (KNOWN.has(key.toLowerCase())) return key;
  for (const prefix of KEYS_WITH_NAME) {
    if (key.startsWith(prefix)) return prefix + names.name(key.slice(prefix.length));
  }
  return names.key(key);
}

export function redactTagValue(key: string, value: string, names: Pseudonyms): string {
  if (PLAIN_VALUES.has(key) || WORDS.has(value) || ISO_TIME.test(value)) return value;
  // The CNI names the instance here in whatever form it has elsewhere.
  if (key === TAG.cniInstance || key === TAG.trunk) return names.id(value);
  return value.startsWith('arn:') ? names.arn(value) : names.idOrName(value);
}
