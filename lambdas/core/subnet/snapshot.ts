/**
 * What was read of one region at one instant, and which parts could not be read. The input of every use case.
 *
 * Facts come normalised: addresses are integers, tags are maps, times are epoch milliseconds. Network interfaces are no part of it, since a
 * region may have a million of them: they stream past an {@link EniSink}.
 */
import type { Cidr, Ipv4 } from '../ip/ipv4.ts';

export type Tags = ReadonlyMap<string, string>;

/** The inputs of contract.md 2, by the name their file has. */
export const INPUT_NAMES = [
  'subnets',
  'network-interfaces',
  'cidr-reservations',
  'vpcs',
  'route-tables',
  'network-acls',
  'availability-zones',
  'instances',
  'instance-types',
  'clusters',
  'nodegroups',
  'addons',
  'nodes',
  'pods',
  'nodeclasses',
  'nodepools',
  'eniconfigs',
  'daemonset',
  'caller',
  'now',
  'reading',
] as const;
export type InputName = (typeof INPUT_NAMES)[number];

/** A read that failed, and what it leaves unknown. */
export interface ReadFailure {
  readonly input: InputName;
  /** The call, as CloudTrail names it: `ec2:DescribeNetworkInterfaces`. */
  readonly call: string;
  /** AWS error code. */
  readonly code: string;
  /** The IAM action that is missing, when the call was denied. */
  readonly permission?: string;
  /** The subnets about which this leaves something unknown; without it, every subnet in scope. */
  readonly subnetIds?: readonly string[];
  /** The cluster that this leaves unknown. */
  readonly cluster?: string;
  readonly message: string;
}

/**
 * An input that may not have been read. `absent`: nobody gave it (a file that is not there), so it counts as empty and the document says so.
 * `unknown`: it was asked for and could not be read, wholly or in part; `value` is what could be.
 */
export type Reading<T> =
  | { readonly state: 'read'; readonly value: T }
  | { readonly state: 'absent' }
  | { readonly state: 'unknown'; readonly value: T; readonly failures: readonly ReadFailure[] };

export interface SubnetFacts {
  readonly subnetId: string;
  readonly vpcId: string;
  /** Absent for an IPv6-only subnet. */
  readonly cidr?: Cidr;
  readonly availabilityZone: string;
  readonly availabilityZoneId: string;
  /** `AvailableIpAddressCount`, verbatim. */
  readonly availableIps: number;
  readonly state: string;
  readonly ownerId?: string;
  readonly outpostArn?: string;
  readonly defaultForAz: boolean;
  readonly mapPublicIpOnLaunch: boolean;
  readonly tags: Tags;
}

export type ReservationType = 'prefix' | 'explicit';

/** A subnet CIDR reservation of any length down to /32 (domain.md 2.25). */
export interface Reservation {
  readonly reservationId: string;
  readonly subnetId: string;
  readonly cidr: Cidr;
  readonly type: ReservationType;
  readonly description?: string;
}

/** One network interface. `addresses` holds single addresses (primary first), `prefixes` the base address of each delegated /28. */
export interface EniRecord {
  readonly eniId: string;
  readonly subnetId: string;
  readonly vpcId: string;
  readonly description: string;
  /** An open string: the service returns values that no SDK enum has (domain.md 2.34). */
  readonly interfaceType: string;
  readonly status: string;
  readonly ownerId?: string;
  readonly requesterManaged: boolean;
  readonly operatorManaged: boolean;
  readonly attachment?: EniAttachment;
  readonly tags: Tags;
  readonly primary?: Ipv4;
  readonly addresses: readonly Ipv4[];
  readonly prefixes: readonly Ipv4[];
}

export interface EniAttachment {
  readonly instanceId?: string;
  readonly deviceIndex?: number;
  readonly networkCardIndex?: number;
}

/** Takes network interfaces one by one; a record is not kept by its producer and may be a short-lived object. One may come twice, where a page broke off and was asked for again: the first counts. */
export interface EniSink {
  add(eni: EniRecord): void;
}

/** How the network interfaces were read, once they have all gone by. */
export type EniReading =
  | { readonly state: 'absent' }
  | {
      readonly state: 'read';
      /** Whether `IncludeManagedResources` was sent: without it Auto Mode interfaces may be hidden (domain.md 2.40). Absent where nobody says, as files do not. */
      readonly managedResourcesIncluded?: boolean;
      /** Interfaces that the fast reader left to the SDK's decoder, where it was in use. */
      readonly decodedBySdk?: number;
      /** `AvailableIpAddressCount` read again after the last page, where it was. */
      readonly availableIpsAfter?: ReadonlyMap<string, number>;
      /** Reads that failed; their subnets have no ledger. */
      readonly failures: readonly ReadFailure[];
    };

export interface VpcFacts {
  readonly vpcId: string;
  readonly cidrs: readonly Cidr[];
  readonly ownerId?: string;
  readonly tags: Tags;
}

export interface RouteTableFacts {
  readonly routeTableId: string;
  readonly vpcId: string;
  readonly main: boolean;
  readonly subnetIds: readonly string[];
  /** `destination -> target` in a canonical text form, sorted: two tables with equal lists route alike. */
  readonly routes: readonly string[];
}

export interface NetworkAclFacts {
  readonly networkAclId: string;
  readonly vpcId: string;
  readonly isDefault: boolean;
  readonly subnetIds: readonly string[];
  /** Entries in a canonical text form, sorted. */
  readonly entries: readonly string[];
}

export interface ZoneFacts {
  readonly zone: string;
  readonly zoneId: string;
  /** `availability-zone`, `local-zone` or `wavelength-zone`; an open string. */
  readonly zoneType: string;
}

export interface InstanceFacts {
  readonly instanceId: string;
  readonly instanceType: string;
  /** `running`, `stopped`, ... */
  readonly state: string;
  readonly subnetId?: string;
  readonly vpcId?: string;
  readonly tags: Tags;
}

export interface InstanceTypeFacts {
  readonly instanceType: string;
  readonly nitro: boolean;
  /** Interfaces of the default network card (domain.md 2.39). */
  readonly maxEnis: number;
  readonly ipv4PerEni: number;
  readonly vcpus?: number;
}

export interface ClusterFacts {
  readonly name: string;
  readonly vpcId?: string;
  /** Control-plane subnets, not necessarily those of nodes (domain.md 6.1). */
  readonly subnetIds: readonly string[];
  readonly version?: string;
  readonly status?: string;
  readonly ipFamily?: 'ipv4' | 'ipv6';
  readonly autoMode: boolean;
  readonly healthIssues: readonly HealthIssue[];
  readonly tags: Tags;
}

export interface HealthIssue {
  readonly code: string;
  readonly message: string;
  readonly resourceIds: readonly string[];
}

export interface NodegroupFacts {
  readonly cluster: string;
  readonly name: string;
  readonly subnetIds: readonly string[];
  readonly instanceTypes: readonly string[];
  readonly status?: string;
  readonly desiredSize?: number;
  readonly healthIssues: readonly HealthIssue[];
}

export interface AddonFacts {
  readonly cluster: string;
  readonly name: string;
  /** `v1.22.1-eksbuild.1` as EKS prints it. */
  readonly version?: string;
  /** Environment of the add-on's configuration, name to value; only what the user overrides (domain.md 6.8). */
  readonly env: ReadonlyMap<string, string>;
  readonly healthIssues: readonly HealthIssue[];
}

/** One term of a `subnetSelectorTerms` list: conditions ANDed (domain.md 5.1). */
export interface SubnetSelectorTerm {
  readonly id?: string;
  /** Value `*` matches any value of the key. */
  readonly tags: Tags;
}

/** An `EC2NodeClass` of Karpenter or a `NodeClass` of EKS Auto Mode. */
export interface NodeClassFacts {
  readonly name: string;
  readonly kind: 'EC2NodeClass' | 'NodeClass';
  readonly subnetSelectorTerms: readonly SubnetSelectorTerm[];
  /** Auto Mode only; empty where pods share the node's subnet. */
  readonly podSubnetSelectorTerms: readonly SubnetSelectorTerm[];
  readonly ipPrefixCount?: number;
  readonly maxPods?: number;
}

export interface NodePoolFacts {
  readonly name: string;
  readonly nodeClass: string;
  /** As written: `72h`, `Never`. */
  readonly expireAfter?: string;
}

export interface NodeFacts {
  readonly name: string;
  readonly instanceId?: string;
  readonly instanceType?: string;
  readonly zone?: string;
  readonly maxPods?: number;
  readonly labels: Tags;
}

export interface PodFacts {
  readonly name: string;
  readonly namespace: string;
  readonly nodeName?: string;
  readonly hostNetwork: boolean;
  /** `Running`, `Pending`, `Succeeded`, ...; a finished pod holds no address. */
  readonly phase?: string;
}

export interface EniConfigFacts {
  readonly name: string;
  readonly subnetId: string;
}

/** The `aws-node` DaemonSet: version from its image, settings from its environment. */
export interface CniDaemonSetFacts {
  /** `v1.22.1`; absent where the image has no readable tag. */
  readonly version?: string;
  readonly env: ReadonlyMap<string, string>;
}

/** Facts from inside one cluster, which AWS APIs do not tell. `cluster` is absent where the files do not say whose they are. */
export interface KubernetesFacts {
  readonly cluster?: string;
  readonly nodes: Reading<readonly NodeFacts[]>;
  readonly pods: Reading<readonly PodFacts[]>;
  readonly nodeClasses: Reading<readonly NodeClassFacts[]>;
  readonly nodePools: Reading<readonly NodePoolFacts[]>;
  readonly eniConfigs: Reading<readonly EniConfigFacts[]>;
  readonly daemonSet: Reading<CniDaemonSetFacts>;
}

/** What a reading was limited to. Both given: the named subnets that lie in a named VPC. At least one list has something in it. */
export interface ReadScope {
  readonly vpcIds: readonly string[];
  readonly subnetIds: readonly string[];
  /** The configuration limits it, so by its owner's word what lies outside does not count; without it, somebody took a look at a part. */
  readonly configured?: true;
}

/** Everything that was read of a region but its network interfaces. Arrays are sorted by id. */
export interface RegionFacts {
  readonly region?: string;
  /** Account of the caller. */
  readonly account?: string;
  /** The time to reason with, epoch milliseconds; without it ages are unknown and what needs an age is not said. */
  readonly now?: number;
  /** Absent where every subnet of the region was asked for. What is not among `subnets` of a limited reading may be there all the same. */
  readonly scope?: ReadScope;
  readonly subnets: readonly SubnetFacts[];
  /** Subnets that were read and that the configuration leaves out. Nothing is said of them; a selector may mean them. */
  readonly excluded?: readonly SubnetFacts[];
  readonly reservations: Reading<readonly Reservation[]>;
  readonly vpcs: Reading<readonly VpcFacts[]>;
  readonly routeTables: Reading<readonly RouteTableFacts[]>;
  readonly networkAcls: Reading<readonly NetworkAclFacts[]>;
  readonly zones: Reading<readonly ZoneFacts[]>;
  readonly instances: Reading<readonly InstanceFacts[]>;
  readonly instanceTypes: Reading<readonly InstanceTypeFacts[]>;
  readonly clusters: Reading<readonly ClusterFacts[]>;
  readonly nodegroups: Reading<readonly NodegroupFacts[]>;
  readonly addons: Reading<readonly AddonFacts[]>;
  readonly kubernetes: readonly KubernetesFacts[];
  /** Failures of the reads above and of `subnets` itself (a VPC whose subnets could not be listed), in call order. */
  readonly failures: readonly ReadFailure[];
}
