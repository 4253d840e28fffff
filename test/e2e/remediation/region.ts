/** A cluster that Karpenter gives nodes, in prefix mode, with a standby that its owner marked and nobody uses yet. */
import { CreateFleetCommand, DescribeSubnetsCommand, type EC2Client } from '@aws-sdk/client-ec2';
import { World } from '../../../simulator/index.ts';
import { EKS_VPC_ID, present } from '../service/region.ts';
import { ACCOUNT, REGION } from '../testbed.ts';

export const CLUSTER = 'prod';
export const DISCOVERY = 'karpenter.sh/discovery';
export const ZONE = `${REGION}a`;
export const ZONE_ID = 'use1-az1';
const TEMPLATE = 'lt-nodes';

export interface StandbyRegion {
  readonly world: World;
  /** `full` and `standby` are in the zone in trouble; Karpenter knows `full` and `other`. */
  readonly subnets: { readonly full: string; readonly standby: string; readonly other: string };
  /** First interface of the node in `full`. */
  readonly nodeEni: string;
}

export const NODE_TAGS = [
  { Key: 'eks:eks-cluster-name', Value: CLUSTER },
  { Key: `kubernetes.io/cluster/${CLUSTER}`, Value: 'owned' },
  { Key: 'karpenter.sh/nodepool', Value: 'default' },
  { Key: 'karpenter.k8s.aws/ec2nodeclass', Value: 'default' },
];

export function standbyRegion(): StandbyRegion {
  const world = new World({ seed: 5, account: ACCOUNT, region: REGION });
  world.addVpc({ cidr: '10.0.0.0/16', vpcId: EKS_VPC_ID });
  const subnet = (third: number, zone: string, tags: Readonly<Record<string, string>>) =>
    present(world.addSubnet({ vpcId: EKS_VPC_ID, cidr: `10.0.${third}.0/24`, zone, tags }).SubnetId);
  const subnets = {
    full: subnet(0, ZONE, { [DISCOVERY]: CLUSTER }),
    other: subnet(1, `${REGION}b`, { [DISCOVERY]: CLUSTER }),
    standby: subnet(3, ZONE, { 'headroom:standby-for': CLUSTER }),
  };
  for (const subnetId of [subnets.full, subnets.other]) world.launch({ subnetId, prefixCount: 1, tags: NODE_TAGS });
  world.addLaunchTemplate(TEMPLATE, { instanceType: 'm5.large', ipv4PrefixCount: 1 });
  return { world, subnets, nodeEni: present(world.enisOf(subnets.full)[0]?.NetworkInterfaceId) };
}

/**
 * Karpenter's choice in a zone, by its own rule and not by Headroom's: of the subnets that its selector finds, the one with most available addresses
 * (karpenter-provider-aws `pkg/providers/subnet/subnet.go`, `ZonalSubnetsForLaunch`).
 */
export async function karpenterPick(ec2: EC2Client, zone: string): Promise<string> {
  const { Subnets = [] } = await ec2.send(
    new DescribeSubnetsCommand({
      Filters: [
        { Name: `tag:${DISCOVERY}`, Values: [CLUSTER] },
        { Name: 'availability-zone', Values: [zone] },
      ],
    }),
  );
  const [best] = Subnets.sort((a, b) => (b.AvailableIpAddressCount ?? 0) - (a.AvailableIpAddressCount ?? 0));
  return present(best?.SubnetId);
}

/** What Karpenter asks of EC2 for one more node: an instant fleet, its pools in the order given. */
export function launchNode(ec2: EC2Client, subnetIds: readonly string[]) {
  return ec2.send(
    new CreateFleetCommand({
      Type: 'instant',
      TargetCapacitySpecification: { TotalTargetCapacity: 1, DefaultTargetCapacityType: 'on-demand' },
      LaunchTemplateConfigs: [
        {
          LaunchTemplateSpecification: { LaunchTemplateId: TEMPLATE, Version: '1' },
          Overrides: subnetIds.map((SubnetId, Priority) => ({ SubnetId, InstanceType: 'm5.large', Priority })),
        },
      ],
      TagSpecifications: [{ ResourceType: 'instance', Tags: NODE_TAGS }],
    }),
  );
}

/** `kubectl get daemonset aws-node -o json`, as far as it says how the VPC CNI is set. */
export const AWS_NODE = {
  kind: 'DaemonSet',
  metadata: { name: 'aws-node', namespace: 'kube-system' },
  spec: {
    template: {
      spec: {
        containers: [
          {
            name: 'aws-node',
            image: '602401143452.dkr.ecr.us-east-1.amazonaws.com/amazon-k8s-cni:v1.22.1-eksbuild.1',
            env: [
              { name: 'ENABLE_PREFIX_DELEGATION', value: 'true' },
              { name: 'CLUSTER_NAME', value: CLUSTER },
            ],
          },
        ],
      },
    },
  },
};
