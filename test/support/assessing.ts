/** Assesses small regions, so that a test of a rule says only what the rule is about. */
import type { Finding, FindingCode } from '../../lambdas/contract/finding.ts';
import { assess } from '../../lambdas/core/assess/assess.ts';
import type { AssessSettings } from '../../lambdas/core/assess/settings.ts';
import { OccupancyBuilder } from '../../lambdas/core/subnet/occupancy.ts';
import type {
  ClusterFacts,
  EniReading,
  EniRecord,
  InstanceFacts,
  InstanceTypeFacts,
  KubernetesFacts,
  NodeFacts,
  NodegroupFacts,
  PodFacts,
  Reading,
  RegionFacts,
  SubnetFacts,
} from '../../lambdas/core/subnet/snapshot.ts';
import { region, tags } from './builders.ts';

export const READ: EniReading = { state: 'read', managedResourcesIncluded: true, failures: [] };
const ABSENT = { state: 'absent' } as const;

export function read<T>(value: T): Reading<T> {
  return { state: 'read', value };
}

export interface Given {
  readonly subnets: readonly SubnetFacts[];
  /** Without them no interface was read: counts only. */
  readonly enis?: readonly EniRecord[];
  readonly facts?: Partial<RegionFacts>;
  readonly settings?: AssessSettings;
  readonly reading?: EniReading;
}

export function assessed({ subnets, enis, facts, settings, reading }: Given): readonly Finding[] {
  const all = region(subnets, facts);
  const builder = new OccupancyBuilder(all);
  for (const one of enis ?? []) builder.add(one);
  return assess(all, enis === undefined ? ABSENT : (reading ?? READ), builder.finish(), settings).findings;
}

/** The one finding of a code, or `undefined`; more than one is an error of the test. */
export function only(findings: readonly Finding[], code: FindingCode): Finding | undefined {
  const found = findings.filter((one) => one.code === code);
  if (found.length > 1) throw new Error(`${found.length} findings of ${code}`);
  return found[0];
}

export function codes(findings: readonly Finding[]): readonly FindingCode[] {
  return findings.map(({ code }) => code);
}

export function nodegroup(subnetIds: readonly string[], fields: Partial<NodegroupFacts> = {}): NodegroupFacts {
  return { cluster: 'prod', name: 'nodes', subnetIds, instanceTypes: ['m5.large'], healthIssues: [], ...fields };
}

export function cluster(name: string, fields: Partial<ClusterFacts> = {}): ClusterFacts {
  return { name, subnetIds: [], autoMode: false, healthIssues: [], tags: tags(), ...fields };
}

export const M5_LARGE: InstanceTypeFacts = {
  instanceType: 'm5.large',
  nitro: true,
  maxEnis: 3,
  ipv4PerEni: 10,
  vcpus: 2,
};

/** An `aws-node` DaemonSet with these settings. */
export function cni(env: Record<string, string> = {}): KubernetesFacts {
  return inside({ daemonSet: read({ env: tags(env) }) });
}

/** `ENABLE_PREFIX_DELEGATION=true`. */
export function prefixMode(): KubernetesFacts {
  return cni({ ENABLE_PREFIX_DELEGATION: 'true' });
}

export function inside(fields: Partial<KubernetesFacts> = {}): KubernetesFacts {
  return {
    cluster: 'prod',
    nodes: ABSENT,
    pods: ABSENT,
    nodeClasses: ABSENT,
    nodePools: ABSENT,
    eniConfigs: ABSENT,
    daemonSet: ABSENT,
    ...fields,
  };
}

export function node(instanceId: string, fields: Partial<NodeFacts> = {}): NodeFacts {
  return { name: `node-${instanceId}`, instanceId, instanceType: 'm5.large', labels: tags(), ...fields };
}

/** @param count that many running pods on the node of an instance. */
export function pods(instanceId: string, count: number, fields: Partial<PodFacts> = {}): readonly PodFacts[] {
  return Array.from({ length: count }, (_, n) => ({
    name: `pod-${n}`,
    namespace: 'default',
    nodeName: `node-${instanceId}`,
    hostNetwork: false,
    phase: 'Running',
    ...fields,
  }));
}

export function instance(instanceId: string, state: string, fields: Partial<InstanceFacts> = {}): InstanceFacts {
  return { instanceId, instanceType: 'm5.large', state, tags: tags(), ...fields };
}
