/** What a scan could and could not measure, by subnet, cluster and input: from it follows what may be called healthy, and what may be called gone. */
import type { Finding, FindingCode } from '../../contract/finding.ts';
import type { EniReading, InputName, ReadFailure, RegionFacts } from '../subnet/snapshot.ts';

/** Inputs that tell which clusters there are and what they may use. */
const CLUSTER_INPUTS: ReadonlySet<InputName> = new Set<InputName>(['clusters', 'nodegroups', 'addons']);
/** Inputs without which a cluster may be there and not be seen. */
const PRESENCE_INPUTS: ReadonlySet<InputName> = new Set<InputName>([
  ...CLUSTER_INPUTS,
  'subnets',
  'network-interfaces',
  'instances',
]);
/** Inputs that tell how full a subnet is. */
const ROOM_INPUTS: ReadonlySet<InputName> = new Set<InputName>(['subnets', 'network-interfaces', 'cidr-reservations']);

/** Findings that are there or not by the room inputs alone, whoever uses the subnet. */
const ROOM_CODES: ReadonlySet<FindingCode> = new Set<FindingCode>([
  'SUBNET_EXHAUSTED',
  'SUBNET_LOW',
  'PREFIX_EXHAUSTED',
  'PREFIX_LOW',
  'FRAGMENTED',
  'UNACCOUNTED_IPS',
  'SINGLE_ADDRESS_BREAKS_BLOCK',
  'RESERVATION_PARTLY_USED',
  'RESERVATION_NOT_EFFECTIVE',
  'RESERVATION_INCLUDES_EDGE_BLOCK',
  'EDGE_PREFIX_OBSERVED',
]);

export interface Measured {
  /** Subnets about which something that was asked for is not known. */
  readonly failedSubnets: ReadonlySet<string>;
  /** Subnets without a map. */
  readonly unreadSubnets: ReadonlySet<string>;
  /** Whether everything that a cluster is seen by was read to the end, and EKS asked in this very scan. */
  readonly complete: boolean;
  /** Whether something about the cluster itself is not known. */
  readonly unsure: (cluster: string) => boolean;
  /** Whether everything that the finding rests on was measured: else it is neither there nor gone. */
  readonly proves: (finding: Finding) => boolean;
  readonly failures: readonly ReadFailure[];
}

export interface MeasuredInput {
  readonly facts: RegionFacts;
  readonly enis: EniReading;
  /** Whether clusters were read in this scan, and not taken from an earlier one. */
  readonly clustersRead: boolean;
}

export function whatWasMeasured({ facts, enis, clustersRead }: MeasuredInput): Measured {
  const failures = [...new Set([...facts.failures, ...(enis.state === 'read' ? enis.failures : [])])];
  const all = facts.subnets.map(({ subnetId }) => subnetId);
  const touched = (of: readonly ReadFailure[]) => new Set(of.flatMap(({ subnetIds }) => subnetIds ?? all));
  const room = failures.filter(({ input }) => ROOM_INPUTS.has(input));
  const failedSubnets = touched(failures);
  const roomUnknown = touched(room);
  const unreadSubnets = enis.state === 'absent' ? new Set(all) : touched(failures.filter(isEnis));
  const others = failures.filter(({ input }) => !ROOM_INPUTS.has(input));
  const lostClusters = failures.filter(({ input }) => CLUSTER_INPUTS.has(input));
  const vpcOf = new Map(facts.subnets.map(({ subnetId, vpcId }) => [subnetId, vpcId]));
  const unknownVpcs = new Set([...roomUnknown].map((id) => vpcOf.get(id)));
  return {
    failures,
    failedSubnets,
    unreadSubnets,
    complete: clustersRead && failures.every(({ input }) => !PRESENCE_INPUTS.has(input)),
    unsure: (cluster) => lostClusters.some((failure) => failure.cluster === cluster),
    proves: (finding) => {
      const elsewhere = (cluster: string | undefined) =>
        cluster !== undefined && finding.cluster !== undefined && cluster !== finding.cluster;
      if (!ROOM_CODES.has(finding.code) && !others.every(({ cluster }) => elsewhere(cluster))) return false;
      if (finding.subnetId !== undefined) return !roomUnknown.has(finding.subnetId);
      return finding.vpcId === undefined ? roomUnknown.size === 0 : !unknownVpcs.has(finding.vpcId);
    },
  };
}

function isEnis({ input }: ReadFailure): boolean {
  return input === 'network-interfaces';
}
