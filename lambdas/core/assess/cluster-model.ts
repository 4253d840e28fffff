/** What is known of one cluster: which subnets it may use, who launches its nodes, and how its pods get addresses. */
import type { EksUse } from '../subnet/eks-use.ts';
import type { ClusterFacts, KubernetesFacts, NodegroupFacts, SubnetSelectorTerm } from '../subnet/snapshot.ts';
import type { CniMode } from './report.ts';

/** Why a subnet counts as one that a cluster may use, strongest first (docs/adr/0010). */
export const SUBNET_EVIDENCE = [
  'configured-selector',
  'node-class',
  'eni-config',
  'cni-tag',
  'karpenter-tag',
  'nodegroup',
  'interfaces',
] as const;
export type SubnetEvidence = (typeof SUBNET_EVIDENCE)[number];

/** Name of the cluster whose nodes or files are there and which nothing names. */
export const UNNAMED_CLUSTER = '(unnamed)';

/** Addresses that something takes of one subnet. */
export interface Footprint {
  /** Single addresses. */
  readonly ips: number;
  /** Delegated /28s. */
  readonly prefixes: number;
}

/** What the first interface of one more node takes (docs/adr/0011). */
export interface NodeFootprint {
  /** The instance type that "one more node" stands for; absent where none is known and none is needed. */
  readonly instanceType?: string;
  /** What it takes of the subnet that the node is launched into. */
  readonly node: Footprint;
  /** What its pods take of a pod subnet, where pods never live in the node's own (custom networking, pod subnet selectors). */
  readonly pods?: Footprint;
}

export interface CniFacts {
  readonly mode: CniMode;
  /** How the mode was found: `ENABLE_PREFIX_DELEGATION=true of the aws-node DaemonSet`. */
  readonly modeEvidence: string;
  /** `configured`: somebody set it, or left the documented default; `observed`: only seen on interfaces. Absent where the mode is unknown. */
  readonly modeSource?: 'configured' | 'observed';
  /** `1.22.1`, without the `v` and the build suffix. */
  readonly version?: string;
  readonly subnetDiscovery?: boolean;
  readonly customNetworking: boolean;
  /** `CLUSTER_NAME` of the CNI, where it is set. */
  readonly clusterName?: string;
  readonly env: ReadonlyMap<string, string>;
}

/** A way in which the cluster gets nodes: a Karpenter node class, a node group, or something unseen whose nodes stand there. */
export interface NodeLauncher {
  readonly kind: 'karpenter' | 'nodegroup' | 'unknown';
  /** Node class or node group; `configuration` and `tags` where Karpenter's selector comes from there. */
  readonly name: string;
  /** Karpenter's terms; empty for the others. */
  readonly terms: readonly SubnetSelectorTerm[];
  /** Subnets that it may launch into, in the order of the facts. */
  readonly subnetIds: readonly string[];
}

export interface ClusterModel {
  readonly name: string;
  readonly vpcId?: string;
  /** What EKS says of it, where it was asked. */
  readonly facts?: ClusterFacts;
  readonly nodegroups: readonly NodegroupFacts[];
  readonly kubernetes?: KubernetesFacts;
  readonly cni: CniFacts;
  /** The tag key by which its CNI discovers subnets. */
  readonly cniTag: string;
  /** By subnet id: every evidence that the cluster may use it, strongest first. */
  readonly subnets: ReadonlyMap<string, readonly SubnetEvidence[]>;
  /** The subnets that nodes are launched into, a subset of `subnets`; pods may live in others. */
  readonly nodeSubnets: ReadonlySet<string>;
  readonly podSubnets: ReadonlySet<string>;
  /** Where its nodes and pods stand now, whatever selects them. */
  readonly presence: ReadonlyMap<string, EksUse>;
  readonly launchers: readonly NodeLauncher[];
  /** Instances that are its nodes, by their tags, or by those of their VPC's only cluster. */
  readonly instanceIds: readonly string[];
  /** Instance types in use or asked for, most used first. */
  readonly instanceTypes: readonly { readonly instanceType: string; readonly nodes: number }[];
  /** `undefined` where the instance type or its limits are needed and not known. */
  readonly footprint?: NodeFootprint;
}

/** The default of the CNI: the tag key by which it discovers subnets (amazon-vpc-cni-k8s `pkg/awsutils/awsutils.go`). */
export const CNI_TAG = 'kubernetes.io/role/cni';
/** Begins the key by which a subnet is kept for one cluster's CNI; the rest of the key is the cluster's name. */
export const CNI_SCOPE_TAG = 'cni.networking.k8s.aws/cluster/';
/** Karpenter's convention for its selectors: this key with the cluster's name as value, or this key, a slash and the name. */
export const DISCOVERY_TAG = 'karpenter.sh/discovery';
