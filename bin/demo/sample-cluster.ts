/** How EKS clusters come to be in the sample region: the calls that node groups, the VPC CNI and pods make. */
import type { World } from '../../simulator/index.ts';

const NODE_TYPE = 'm5.large';
/** Addresses of a node's first interface in single-address mode: all that an m5.large holds on one. */
const NODE_SECONDARY_IPS = 9;
/** Interfaces left behind by killed nodes, each with its addresses. */
export const LEAKS = 6;
const LEAKED_SECONDARY_IPS = 9;
/** ISO time at which the CNI made what was left behind: days before the sample is looked at. */
const LEAKED_SINCE = '2026-11-26T03:12:00Z';

export interface SampleSubnet {
  readonly id: string;
  readonly cidr: string;
}

export interface SampleClusterSpec {
  readonly name: string;
  readonly vpcCidr: string;
  /** Whether its CNI takes /28 prefixes. */
  readonly prefixes: boolean;
}

export class SampleCluster {
  readonly name: string;
  private readonly world: World;
  private readonly vpcId: string;
  private readonly prefixes: boolean;

  constructor(world: World, { name, vpcCidr, prefixes }: SampleClusterSpec) {
    this.world = world;
    this.name = name;
    this.prefixes = prefixes;
    const vpcId = sampleId('vpc', world.vpcs.size + 1);
    this.vpcId = world.addVpc({ vpcId, cidr: vpcCidr, tags: [{ Key: 'Name', Value: name }] }).VpcId as string;
  }

  /** @param letter of the zone. */
  addSubnet(name: string, cidr: string, letter: string, tags: Readonly<Record<string, string>> = {}): SampleSubnet {
    const subnet = this.world.addSubnet({
      vpcId: this.vpcId,
      subnetId: sampleId('subnet', this.world.subnets.size + 1),
      cidr,
      zone: `${this.world.region}${letter}`,
      tags: { Name: name, ...tags },
    });
    return { id: subnet.SubnetId as string, cidr };
  }

  addStandby(name: string, cidr: string, letter: string): SampleSubnet {
    return this.addSubnet(name, cidr, letter, { 'headroom:standby-for': this.name });
  }

  /** Starts nodes one by one: the instance with its first interface, then what the CNI asks for. @throws Refusal the subnet has not enough left. */
  launchNodes(subnet: SampleSubnet, count: number): void {
    for (let i = 0; i < count; i++) {
      const [instance] = this.world.launch({
        instanceType: NODE_TYPE,
        subnetId: subnet.id,
        tags: [
          { Key: 'Name', Value: `${this.name}-node` },
          { Key: 'eks:cluster-name', Value: this.name },
          { Key: `kubernetes.io/cluster/${this.name}`, Value: 'owned' },
        ],
        interfaceTags: [
          { Key: 'cluster.k8s.amazonaws.com/name', Value: this.name },
          { Key: 'eks:cluster-name', Value: this.name },
        ],
      });
      const first = this.world.enisOf(subnet.id).find((eni) => eni.Attachment?.InstanceId === instance?.InstanceId)
        ?.NetworkInterfaceId as string;
      this.world.tag(first, { 'node.k8s.amazonaws.com/instance_id': instance?.InstanceId as string });
      this.world.assign(first, this.prefixes ? { prefixCount: 1 } : { count: NODE_SECONDARY_IPS });
    }
  }

  /** What EKS says of the cluster. */
  register(subnets: readonly SampleSubnet[]): void {
    const { clusters, nodegroups, addons } = this.world.services;
    const arn = `arn:aws:eks:${this.world.region}:${this.world.account}`;
    const subnetIds = subnets.map(({ id }) => id);
    clusters.set(this.name, {
      name: this.name,
      arn: `${arn}:cluster/${this.name}`,
      version: '1.35',
      status: 'ACTIVE',
      resourcesVpcConfig: { vpcId: this.vpcId, subnetIds, securityGroupIds: [], endpointPublicAccess: false },
      kubernetesNetworkConfig: { ipFamily: 'ipv4', serviceIpv4Cidr: '172.20.0.0/16' },
      health: { issues: [] },
      tags: {},
    });
    const nodegroup = {
      clusterName: this.name,
      nodegroupName: 'general',
      nodegroupArn: `${arn}:nodegroup/${this.name}/general/1`,
      status: 'ACTIVE',
      instanceTypes: [NODE_TYPE],
      subnets: subnetIds,
      health: { issues: [] },
      tags: {},
    };
    nodegroups.set(this.name, new Map([['general', nodegroup]]));
    const addon = {
      clusterName: this.name,
      addonName: 'vpc-cni',
      addonVersion: 'v1.22.1-eksbuild.1',
      addonArn: `${arn}:addon/${this.name}/vpc-cni/1`,
      status: 'ACTIVE',
      configurationValues: JSON.stringify({ env: { ENABLE_PREFIX_DELEGATION: String(this.prefixes) } }),
      health: { issues: [] },
      tags: {},
    };
    addons.set(this.name, new Map([['vpc-cni', addon]]));
  }
}

/** Ids that people type are always the same; those of instances and interfaces the simulator makes up. */
function sampleId(kind: 'subnet' | 'vpc', number: number): string {
  return `${kind}-0${String(number).padStart(16, '0')}`;
}

/** A pod with a security group of its own: one branch interface, one address. @returns the interface's id. */
export function pod(world: World, subnet: SampleSubnet, cluster: string, number: number): string {
  const eni = world.addEni({
    subnetId: subnet.id,
    description: 'aws-k8s-branch-eni',
    interfaceType: 'branch',
    tags: {
      'eks:eni:owner': 'eks-vpc-resource-controller',
      'vpcresources.k8s.aws/vlan-id': String((number % 54) + 1),
      [`kubernetes.io/cluster/${cluster}`]: 'owned',
    },
  });
  return eni.NetworkInterfaceId as string;
}

/** A branch interface is in use for as long as its pod runs, though nothing attaches it to an instance. */
export function keepRunning(world: World, podInterface: string): void {
  const eni = world.interfaces.get(podInterface);
  if (eni !== undefined) world.storeInterface({ ...eni, Status: 'in-use' });
}

/** What the CNI made for a second interface of a node that is gone. */
export function leakedInterface(world: World, subnet: SampleSubnet, cluster: string): void {
  const instanceId = world.newId('i');
  world.addEni({
    subnetId: subnet.id,
    description: `aws-K8S-${instanceId}`,
    count: LEAKED_SECONDARY_IPS,
    tags: {
      'cluster.k8s.amazonaws.com/name': cluster,
      'node.k8s.amazonaws.com/instance_id': instanceId,
      'node.k8s.amazonaws.com/createdAt': LEAKED_SINCE,
      'eks:eni:owner': 'amazon-vpc-cni',
    },
  });
}
