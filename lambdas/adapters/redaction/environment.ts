/** Settings of the VPC CNI, which people set in the add-on's configuration or on the DaemonSet. */
import type { Pseudonyms } from './pseudonyms.ts';

/** Settings that decide which subnets and how many addresses the CNI takes, and whose values are words and numbers (amazon-vpc-cni-k8s README). */
const PLAIN: ReadonlySet<string> = new Set([
  'AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG',
  'ENABLE_PREFIX_DELEGATION',
  'ENABLE_SUBNET_DISCOVERY',
  'ENABLE_POD_ENI',
  'ENABLE_IPv4',
  'ENABLE_IPv6',
  'ENABLE_MULTI_NIC',
  'ENABLE_IMDS_ONLY_MODE',
  'DISABLE_LEAKED_ENI_CLEANUP',
  'IP_COOLDOWN_PERIOD',
  'MAX_ENI',
  'MINIMUM_IP_TARGET',
  'WARM_ENI_TARGET',
  'WARM_IP_TARGET',
  'WARM_PREFIX_TARGET',
]);
const WORD = /^(?:-?\d{1,6}|true|false|)$/i;
/** Keys of labels and annotations that everybody has. */
const KNOWN_LABELS: ReadonlySet<string> = new Set([
  'topology.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/zone',
  'k8s.amazonaws.com/eniConfig',
]);

/** The settings that matter, without what names anybody; the others are left out. */
export function redactEnvironment(env: ReadonlyMap<string, string>, names: Pseudonyms): ReadonlyMap<string, string> {
  const written = new Map<string, string>();
  for (const [name, value] of env) {
    if (name === 'CLUSTER_NAME') written.set(name, names.name(value));
    else if (name === 'ENI_CONFIG_LABEL_DEF' || name === 'ENI_CONFIG_ANNOTATION_DEF') {
      written.set(name, KNOWN_LABELS.has(value) ? value : names.key(value));
    } else if (PLAIN.has(name)) written.set(name, WORD.test(value) ? value : names.name(value));
  }
  return written;
}
