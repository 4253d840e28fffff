/** Descriptions of network interfaces: the beginning says what it is, the rest of whom. */
import { CNI_DESCRIPTION } from '../../core/subnet/eni-class.ts';
import type { Pseudonyms } from './pseudonyms.ts';

/** Descriptions that name nobody. */
const PLAIN: ReadonlySet<string> = new Set([
  '',
  'Primary network interface',
  'aws-k8s-trunk-eni',
  'aws-k8s-branch-eni',
]);

/** Beginnings by which classes are told (docs/holders.md); of two that fit, the longer comes first. */
const BEGINNINGS = [
  'Amazon EKS ',
  'Cilium-CNI (',
  'ELB app/',
  'ELB net/',
  'ELB gwy/',
  'ELB ',
  'Interface for NAT Gateway ',
  'VPC Endpoint Interface ',
  'Network Interface for Transit Gateway Attachment ',
  'AWS Lambda VPC ENI',
  'EFS mount target for ',
  'RDSNetworkInterface',
  'Network interface for DBProxy',
  'ElastiCache',
  'RedshiftNetworkInterface',
  'DMSNetworkInterface',
  'DAX ',
  'AWS created network interface for directory ',
  'CloudHsm ENI',
  'CloudHSM Managed Interface',
  'ENI managed by APIGateway',
  'Route 53 Resolver: ',
];
const ANYWHERE = 'ElasticMapReduce';

/** The description with everything replaced that is not the sign of a class. */
export function redactDescription(text: string, names: Pseudonyms): string {
  if (PLAIN.has(text)) return text;
  // Leaks are told by the instance that the CNI names here, in whatever form its id has elsewhere.
  if (text.startsWith(CNI_DESCRIPTION)) return CNI_DESCRIPTION + names.id(text.slice(CNI_DESCRIPTION.length));
  for (const beginning of BEGINNINGS) {
    if (text.startsWith(beginning)) return beginning + redactRest(text.slice(beginning.length), names);
  }
  if (text.startsWith('arn:')) return names.arn(text);
  const rest = text.includes(ANYWHERE) ? `${ANYWHERE} ` : '';
  return rest + redactRest(text, names);
}

/** Slashes stay: they tell the kinds of load balancers apart. */
function redactRest(rest: string, names: Pseudonyms): string {
  return rest
    .split('/')
    .map((part) => (part.trim() === '' ? part : (names.onlyIds(part) ?? names.name(part))))
    .join('/');
}
