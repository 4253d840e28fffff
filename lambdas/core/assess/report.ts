/** What an assessment says: the ledger of each subnet, what room each zone and cluster has, and what is wrong. Arrays have a total order. */
import type { Finding, Severity } from '../../contract/finding.ts';
import type { SubnetLedger } from '../subnet/ledger.ts';
import type { HolderShare } from '../subnet/occupancy.ts';

export interface SubnetReport {
  readonly ledger: SubnetLedger;
  /** Value of the `Name` tag. */
  readonly name?: string;
  /** Clusters that may use the subnet, sorted. A subnet that has any "serves nodes or pods". */
  readonly clusters: readonly string[];
  /** What each cluster holds here, largest first. */
  readonly byCluster: readonly ({ readonly cluster: string } & HolderShare)[];
  /** Interfaces in the subnet; `null` where they could not be read. */
  readonly enis: number | null;
}

/** A value over several subnets, as CloudWatch's StatisticSet has it. */
export interface Statistic {
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
}

/** The subnets of one VPC in one zone that serve nodes or pods. `null`: no subnet has the value. */
export interface ZoneReport {
  readonly vpcId: string;
  readonly zone: string;
  readonly zoneId: string;
  /** Subnets that serve nodes or pods, sorted. */
  readonly subnetIds: readonly string[];
  readonly availableIps: Statistic | null;
  /** Over the subnets that have eligible blocks: the upper end of `freePrefixesRange`. */
  readonly freePrefixes: Statistic | null;
  /** 0 to 100, over the subnets whose fragmentation is defined. */
  readonly fragmentationPercent: Statistic | null;
  readonly enis: Statistic | null;
}

/** How a cluster's pods get addresses. `auto` is EKS Auto Mode: prefixes, then single addresses when none is left. */
export type CniMode = 'prefix' | 'secondary-ip' | 'auto' | 'unknown';

/** What one cluster can still do in one zone. */
export interface ClusterZoneReport {
  readonly vpcId: string;
  readonly zone: string;
  readonly zoneId: string;
  /** Subnets that the cluster may use here, sorted. */
  readonly subnetIds: readonly string[];
  /** EC2's counts, summed; space that clusters share counts for each. */
  readonly availableIps: number;
  readonly freePrefixes: number | null;
  /** How many more nodes of the cluster's most used instance type the zone can take; `null` where that is not known. */
  readonly nodeHeadroom: number | null;
  /** The worst finding about this cluster in this zone. */
  readonly severity: Severity | 'fine';
}

export interface ClusterReport {
  readonly cluster: string;
  readonly vpcId?: string;
  readonly version?: string;
  readonly mode: CniMode;
  /** How the mode was found. */
  readonly modeEvidence: string;
  readonly cniVersion?: string;
  /** The instance type that "one more node" stands for. */
  readonly instanceType?: string;
  readonly subnets: readonly { readonly subnetId: string; readonly evidence: readonly string[] }[];
  /** By zone id. */
  readonly zones: readonly ClusterZoneReport[];
}

export interface CapacityReport {
  /** By subnet id. */
  readonly subnets: readonly SubnetReport[];
  /** By VPC, then zone id. */
  readonly zones: readonly ZoneReport[];
  /** By name. */
  readonly clusters: readonly ClusterReport[];
  /** Worst first, then by code, subnet and cluster. */
  readonly findings: readonly Finding[];
}
