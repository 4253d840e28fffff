/** The clusters of a region, which subnets each may use, and how its pods get addresses. */
import type { ClusterFacts, KubernetesFacts, NodegroupFacts } from '../subnet/snapshot.ts';
import type { CniMode } from './report.ts';

/** Why a subnet counts as one that a cluster may use, strongest first. */
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

/** What the first interface of one more node takes. */
export interface NodeFootprint {
  readonly instanceType: string;
  /** Single addresses: the primary, and in secondary-IP mode the whole first interface. */
  readonly ips: number;
  /** Prefixes, in prefix mode. */
  readonly prefixes: number;
}

export interface CniFacts {
  readonly mode: CniMode;
  /** How the mode was found: `ENABLE_PREFIX_DELEGATION=true of the aws-node DaemonSet`. */
  readonly modeEvidence: string;
  /** `1.22.1`, without the `v` and the build suffix. */
  readonly version?: string;
  readonly subnetDiscovery?: boolean;
  readonly customNetworking: boolean;
  /** `CLUSTER_NAME` of the CNI, where it is set. */
  readonly clusterName?: string;
  readonly env: ReadonlyMap<string, string>;
}

export interface ClusterModel {
  readonly name: string;
  readonly vpcId?: string;
  /** What EKS says of it, where it was asked. */
  readonly facts?: ClusterFacts;
  readonly nodegroups: readonly NodegroupFacts[];
  readonly kubernetes?: KubernetesFacts;
  readonly cni: CniFacts;
  /** By subnet id: every evidence that the cluster may use it, strongest first. */
  readonly subnets: ReadonlyMap<string, readonly SubnetEvidence[]>;
  /** The subnets that nodes are launched into, a subset of `subnets`; pods may live in others. */
  readonly nodeSubnets: ReadonlySet<string>;
  readonly podSubnets: ReadonlySet<string>;
  /** Instance types in use or asked for, most used first. */
  readonly instanceTypes: readonly { readonly instanceType: string; readonly nodes: number }[];
  /** `undefined` where the instance type or its limits are not known. */
  readonly footprint?: NodeFootprint;
}
