/**
 * Who holds an address: the class of a network interface. Several signals, first match wins; no single one is reliable, and `RequesterManaged` being
 * false does not mean that the account made it (EKS control-plane interfaces say false).
 *
 * The signals and their sources are listed in docs/holders.md.
 */
import type { EniRecord, Tags } from './snapshot.ts';

export const ENI_CLASSES = [
  'eks-control-plane',
  'vpc-cni-secondary',
  'sgp-trunk',
  'sgp-branch',
  'eks-auto-mode',
  'karpenter-node-primary',
  'efa',
  'node-primary',
  'cilium',
  'elb-alb',
  'elb-nlb',
  'elb-gwlb',
  'elb-classic',
  'nat-gateway',
  'vpc-endpoint',
  'transit-gateway',
  'lambda',
  'efs',
  'rds',
  'elasticache',
  'redshift',
  'dms',
  'dax',
  'directory',
  'cloudhsm',
  'emr',
  'codestar',
  'api-gateway',
  'quicksight',
  'global-accelerator',
  'ecs-task',
  'route53-resolver',
  'instance-other',
  'unattached',
  'aws-managed',
  'unknown',
] as const;
export type EniClass = (typeof ENI_CLASSES)[number];

/** Classes that belong to EKS nodes, pods or control planes. */
export const EKS_CLASSES: ReadonlySet<EniClass> = new Set<EniClass>([
  'eks-control-plane',
  'vpc-cni-secondary',
  'sgp-trunk',
  'sgp-branch',
  'eks-auto-mode',
  'karpenter-node-primary',
  'node-primary',
  'cilium',
]);

/** Classes of load balancers. */
export const ELB_CLASSES: ReadonlySet<EniClass> = new Set<EniClass>(['elb-alb', 'elb-nlb', 'elb-gwlb', 'elb-classic']);

export const TAG = {
  cniInstance: 'node.k8s.amazonaws.com/instance_id',
  cniCreatedAt: 'node.k8s.amazonaws.com/createdAt',
  cniCluster: 'cluster.k8s.amazonaws.com/name',
  cniNoManage: 'node.k8s.amazonaws.com/no_manage',
  eniOwner: 'eks:eni:owner',
  eksCluster: 'eks:cluster-name',
  eksClusterAuto: 'eks:eks-cluster-name',
  eksNodegroup: 'eks:nodegroup-name',
  autoModeNode: 'eks:kubernetes-cni-node-name',
  autoModePool: 'eks:kubernetes-node-pool-name',
  autoModeClass: 'eks:kubernetes-node-class-name',
  karpenterPool: 'karpenter.sh/nodepool',
  karpenterClaim: 'karpenter.sh/nodeclaim',
  karpenterNodeClass: 'karpenter.k8s.aws/ec2nodeclass',
  vlan: 'vpcresources.k8s.aws/vlan-id',
  trunk: 'vpcresources.k8s.aws/trunk-eni-id',
  ciliumManaged: 'io.cilium/cilium-managed',
  ciliumCluster: 'io.cilium/cluster-name',
  kubernetesCluster: 'kubernetes.io/cluster/',
} as const;

/** Description of a CNI interface; the case of `K8S` tells it from those of the resource controller (`aws-k8s-`). */
export const CNI_DESCRIPTION = 'aws-K8S-';
const CONTROL_PLANE_DESCRIPTION = 'Amazon EKS ';

/** What is known of the instance that an interface hangs on. */
export interface InstanceContext {
  readonly tags: Tags;
}

function hasKarpenterTag(tags: Tags): boolean {
  return tags.has(TAG.karpenterPool) || tags.has(TAG.karpenterClaim) || tags.has(TAG.karpenterNodeClass);
}

function hasAutoModeTag(tags: Tags): boolean {
  return tags.has(TAG.autoModeNode) || tags.has(TAG.autoModePool) || tags.has(TAG.autoModeClass);
}

/** Whether an instance's or interface's tags say that it is a Kubernetes node. */
export function hasNodeTag(tags: Tags): boolean {
  if (tags.has(TAG.eksCluster) || tags.has(TAG.eksClusterAuto) || tags.has(TAG.eksNodegroup)) return true;
  if (tags.has(TAG.cniInstance)) return true;
  if (hasKarpenterTag(tags)) return true;
  for (const [key, value] of tags) if (key.startsWith(TAG.kubernetesCluster) && value === 'owned') return true;
  return false;
}

/** Whether the interface is the first one of its instance: device 0 of card 0. */
export function isInstancePrimary(eni: EniRecord): boolean {
  const attachment = eni.attachment;
  return (
    attachment?.instanceId !== undefined && attachment.deviceIndex === 0 && (attachment.networkCardIndex ?? 0) === 0
  );
}

/** Whether the VPC CNI made the interface: by its description, or by its tag, which the CNI also puts on the node's first interface. */
export function isCniEni(eni: EniRecord): boolean {
  return eni.description.startsWith(CNI_DESCRIPTION) || (eni.tags.has(TAG.cniInstance) && !isInstancePrimary(eni));
}

/** Classes told by the interface type alone. */
const BY_TYPE: ReadonlyMap<string, EniClass> = new Map<string, EniClass>([
  ['trunk', 'sgp-trunk'],
  ['branch', 'sgp-branch'],
  ['network_load_balancer', 'elb-nlb'],
  ['gateway_load_balancer', 'elb-gwlb'],
  ['nat_gateway', 'nat-gateway'],
  ['natGateway', 'nat-gateway'],
  ['vpc_endpoint', 'vpc-endpoint'],
  ['gateway_load_balancer_endpoint', 'vpc-endpoint'],
  ['transit_gateway', 'transit-gateway'],
  ['lambda', 'lambda'],
  ['efs', 'efs'],
  ['aws_codestar_connections_managed', 'codestar'],
  ['api_gateway_managed', 'api-gateway'],
  ['quicksight', 'quicksight'],
  ['global_accelerator_managed', 'global-accelerator'],
]);

/** Classes told by the description, in order. */
const BY_DESCRIPTION: readonly (readonly [RegExp, EniClass])[] = [
  [/^ELB app\//, 'elb-alb'],
  [/^ELB net\//, 'elb-nlb'],
  [/^ELB gwy\//, 'elb-gwlb'],
  [/^ELB [^/]+$/, 'elb-classic'],
  [/^Interface for NAT Gateway /, 'nat-gateway'],
  [/^VPC Endpoint Interface /, 'vpc-endpoint'],
  [/^Network Interface for Transit Gateway Attachment /, 'transit-gateway'],
  [/^AWS Lambda VPC ENI/, 'lambda'],
  [/^EFS mount target for /, 'efs'],
  [/^RDSNetworkInterface/, 'rds'],
  [/^Network interface for DBProxy/, 'rds'],
  [/^ElastiCache/, 'elasticache'],
  [/^RedshiftNetworkInterface/, 'redshift'],
  [/^DMSNetworkInterface/, 'dms'],
  [/^DAX /, 'dax'],
  [/^AWS created network interface for directory /, 'directory'],
  [/^CloudHsm ENI|^CloudHSM Managed Interface/, 'cloudhsm'],
  [/ElasticMapReduce/, 'emr'],
  [/^ENI managed by APIGateway/, 'api-gateway'],
  [/^arn:aws[\w-]*:ecs:[^:]*:\d*:attachment\//, 'ecs-task'],
  [/^Route 53 Resolver: /, 'route53-resolver'],
];

function isControlPlane(eni: EniRecord): boolean {
  return (
    eni.description.startsWith(CONTROL_PLANE_DESCRIPTION) &&
    eni.attachment?.instanceId === undefined &&
    !eni.description.includes('/')
  );
}

/**
 * The class of an interface, or `'primary-of-instance'` where only a look at the instance's other interfaces can tell a node from another instance.
 *
 * @param instance what is known of the instance it hangs on; `undefined` where nothing is.
 */
export function classifyEni(eni: EniRecord, instance?: InstanceContext): EniClass | 'primary-of-instance' {
  if (isControlPlane(eni)) return 'eks-control-plane';
  // The CNI's tag also marks trunk and branch interfaces, which have a type of their own.
  const type = eni.interfaceType;
  const special = type === 'trunk' || type === 'branch';
  if (!special && isCniEni(eni)) return 'vpc-cni-secondary';
  if (type === 'trunk' || eni.description === 'aws-k8s-trunk-eni') return 'sgp-trunk';
  if (type === 'branch' || eni.description === 'aws-k8s-branch-eni' || eni.tags.has(TAG.vlan)) return 'sgp-branch';
  if (hasAutoModeTag(eni.tags)) return 'eks-auto-mode';
  const primary = isInstancePrimary(eni);
  if (primary && (hasKarpenterTag(eni.tags) || (instance !== undefined && hasKarpenterTag(instance.tags)))) {
    return 'karpenter-node-primary';
  }
  if (type === 'efa' || type === 'efa-only') return 'efa';
  if (primary && (hasNodeTag(eni.tags) || (instance !== undefined && hasNodeTag(instance.tags)))) return 'node-primary';
  if (eni.tags.has(TAG.ciliumManaged) || eni.description.startsWith('Cilium-CNI (')) return 'cilium';
  const byType = BY_TYPE.get(type);
  if (byType !== undefined) return byType;
  for (const [pattern, byDescription] of BY_DESCRIPTION) if (pattern.test(eni.description)) return byDescription;
  if (primary) return 'primary-of-instance';
  if (eni.attachment?.instanceId !== undefined) return 'instance-other';
  if (eni.requesterManaged || eni.operatorManaged) return 'aws-managed';
  if (eni.status === 'available') return 'unattached';
  return 'unknown';
}

/** The cluster that an interface or instance belongs to by its own tags, or `undefined`. */
export function clusterOfTags(tags: Tags): string | undefined {
  const named =
    tags.get(TAG.cniCluster) ?? tags.get(TAG.eksClusterAuto) ?? tags.get(TAG.eksCluster) ?? tags.get(TAG.ciliumCluster);
  if (named !== undefined && named !== '') return named;
  for (const [key, value] of tags) {
    if (key.startsWith(TAG.kubernetesCluster) && value === 'owned') return key.slice(TAG.kubernetesCluster.length);
  }
  return undefined;
}

/** The cluster that an interface serves: by its tags, its description, or the tags of its instance. */
export function clusterOfEni(eni: EniRecord, instance?: InstanceContext): string | undefined {
  const own = clusterOfTags(eni.tags);
  if (own !== undefined) return own;
  if (isControlPlane(eni)) return eni.description.slice(CONTROL_PLANE_DESCRIPTION.length);
  return instance === undefined ? undefined : clusterOfTags(instance.tags);
}
