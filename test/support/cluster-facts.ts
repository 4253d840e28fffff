/** Facts about clusters, with nothing in them but what a test says. */
import type {
  AddonFacts,
  ClusterFacts,
  CniDaemonSetFacts,
  InstanceFacts,
  InstanceTypeFacts,
  KubernetesFacts,
  NodeClassFacts,
  NodeFacts,
  NodegroupFacts,
  PodFacts,
  Reading,
  SubnetSelectorTerm,
} from '../../lambdas/core/subnet/snapshot.ts';
import { tags } from './builders.ts';

export function read<T>(value: T): Reading<T> {
  return { state: 'read', value };
}

/** `term({key: value})`, or `term('subnet-...')`. */
export function term(by: string | Record<string, string>): SubnetSelectorTerm {
  return typeof by === 'string' ? { id: by, tags: tags() } : { tags: tags(by) };
}

export function nodeClass(
  name: string,
  subnetSelectorTerms: readonly SubnetSelectorTerm[],
  fields: Partial<NodeClassFacts> = {},
): NodeClassFacts {
  return { name, kind: 'EC2NodeClass', subnetSelectorTerms, podSubnetSelectorTerms: [], ...fields };
}

export function daemonSet(env: Record<string, string>, version?: string): CniDaemonSetFacts {
  return { env: tags(env), ...(version === undefined ? {} : { version }) };
}

/** Facts from inside a cluster; without `cluster` the files do not say whose they are. */
export function inside(fields: Partial<KubernetesFacts> = {}): KubernetesFacts {
  const absent = { state: 'absent' } as const;
  return {
    nodes: absent,
    pods: absent,
    nodeClasses: absent,
    nodePools: absent,
    eniConfigs: absent,
    daemonSet: absent,
    ...fields,
  };
}

export function cluster(name: string, fields: Partial<ClusterFacts> = {}): ClusterFacts {
  return {
    name,
    vpcId: 'vpc-00000000000000001',
    subnetIds: [],
    autoMode: false,
    healthIssues: [],
    tags: tags(),
    ...fields,
  };
}

export function nodegroup(
  of: string,
  subnetIds: readonly string[],
  fields: Partial<NodegroupFacts> = {},
): NodegroupFacts {
  return { cluster: of, name: 'nodes', subnetIds, instanceTypes: ['m5.large'], healthIssues: [], ...fields };
}

/** Facts from inside cluster `prod`: an `aws-node` DaemonSet with these settings. */
export function cni(env: Record<string, string> = {}): KubernetesFacts {
  return inside({ cluster: 'prod', daemonSet: read(daemonSet(env)) });
}

/** {@link cni} with `ENABLE_PREFIX_DELEGATION=true`. */
export function prefixMode(): KubernetesFacts {
  return cni({ ENABLE_PREFIX_DELEGATION: 'true' });
}

/** The node of an instance: `node-i-...`. */
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

export function addon(of: string, env: Record<string, string> = {}, version?: string): AddonFacts {
  return {
    cluster: of,
    name: 'vpc-cni',
    env: tags(env),
    healthIssues: [],
    ...(version === undefined ? {} : { version }),
  };
}

/** A running instance. @param owned its tags. */
export function instance(
  instanceId: string,
  subnetId: string,
  owned: Record<string, string> = {},
  fields: Partial<InstanceFacts> = {},
): InstanceFacts {
  return {
    instanceId,
    instanceType: 'm5.large',
    state: 'running',
    subnetId,
    vpcId: 'vpc-00000000000000001',
    tags: tags(owned),
    ...fields,
  };
}

/** 10 addresses on each of 3 interfaces (EC2 instance types reference, "IP addresses per network interface"). */
export const M5_LARGE: InstanceTypeFacts = {
  instanceType: 'm5.large',
  nitro: true,
  maxEnis: 3,
  ipv4PerEni: 10,
  vcpus: 2,
};
