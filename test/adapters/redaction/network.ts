/** Random subnets, interfaces and instances, as the AWS CLI prints them. */
import fc from 'fast-check';
import { ACCOUNTS, account, hex, instanceId, long, name, subnetId, TYPES, vpcId } from './names.ts';

const subnetTags = fc
  .uniqueArray(
    fc.oneof(
      fc.tuple(fc.constant('Name'), name),
      fc.tuple(fc.constantFrom('karpenter.sh/discovery', 'headroom:standby-for', 'mulberry-team'), name),
      fc.tuple(fc.constant('kubernetes.io/role/cni'), fc.constantFrom('1', '0', '', 'gooseberry-a')),
      fc.tuple(
        name.map((of) => `kubernetes.io/cluster/${of}`),
        fc.constantFrom('owned', 'shared'),
      ),
      fc.tuple(
        name.map((of) => `karpenter.sh/discovery/${of}`),
        fc.constantFrom('1', 'true'),
      ),
      fc.tuple(
        name.map((of) => `cni.networking.k8s.aws/cluster/${of}`),
        fc.constant('1'),
      ),
    ),
    { selector: ([key]) => key, maxLength: 5 },
  )
  .map((tags) => tags.map(([Key, Value]) => ({ Key, Value })));

/** `describe-subnets`: the subnet of a number. */
export const subnet = (number: number) =>
  fc
    .record({
      vpc: vpcId,
      owner: account,
      zone: fc.constantFrom('a', 'b'),
      length: fc.constantFrom(24, 26, 27, 28),
      free: fc.nat(251),
      tags: subnetTags,
    })
    .map(({ vpc, owner, zone, length, free, tags }) => {
      const SubnetId = number % 5 === 4 ? `subnet-${hex(8)(number)}` : `subnet-${long(number)}`;
      return {
        SubnetId,
        VpcId: vpc,
        OwnerId: owner,
        SubnetArn: `arn:aws:ec2:us-east-1:${owner}:subnet/${SubnetId}`,
        AvailabilityZone: `us-east-1${zone}`,
        AvailabilityZoneId: `use1-az${zone === 'a' ? 1 : 2}`,
        AvailableIpAddressCount: Math.min(free, 2 ** (32 - length) - 5),
        CidrBlock: `10.0.${number}.0/${length}`,
        State: 'available',
        Ipv6CidrBlockAssociationSet: [{ Ipv6CidrBlock: '2600:1f18::/64' }],
        Tags: tags,
      };
    });

const DESCRIPTIONS: readonly ((name: string, instance: string) => string)[] = [
  (_, instance) => `aws-K8S-${instance}`,
  (of) => `Amazon EKS ${of}`,
  (of) => `Amazon EKS ${of}/more`,
  () => 'aws-k8s-branch-eni',
  () => '',
  () => 'Primary network interface',
  (of) => `ELB app/${of}/0123456789abcdef`,
  (of) => `ELB net/${of}/0123456789abcdef`,
  (of) => `ELB gwy/${of}/0123456789abcdef`,
  (of) => `ELB ${of}`,
  () => 'Interface for NAT Gateway nat-0fedcba9876543210',
  () => 'VPC Endpoint Interface vpce-0fedcba9876543210',
  () => 'Network Interface for Transit Gateway Attachment tgw-attach-0fedcba9876543210',
  (of) => `AWS Lambda VPC ENI-${of}-5a1f2c1e-8a1e-4b7b-9d3c-1f2e3d4c5b6a`,
  () => 'EFS mount target for fs-0fedcba9876543210 (fsmt-0fedcba9876543210)',
  () => 'RDSNetworkInterface',
  (of) => `Network interface for DBProxy ${of}`,
  (of) => `ElastiCache ${of}-001`,
  () => 'RedshiftNetworkInterface',
  () => 'DMSNetworkInterface',
  (of) => `DAX ${of}`,
  () => 'AWS created network interface for directory d-906717a3f2',
  (_, instance) => `CloudHsm ENI ${instance}`,
  () => 'CloudHSM Managed Interface',
  (of) => `ENI of ElasticMapReduce for ${of}`,
  (of) => `ENI managed by APIGateway ${of}`,
  () => 'arn:aws:ecs:us-east-1:482910573846:attachment/5a1f2c1e-8a1e-4b7b-9d3c-1f2e3d4c5b6a',
  () => 'Route 53 Resolver: rslvr-in-0fedcba9876543210:rni-0fedcba9876543210',
  (_, instance) => `Cilium-CNI (${instance})`,
  (of) => `${of} by hand`,
];

const eniTags = fc
  .uniqueArray(
    fc.oneof(
      fc.tuple(fc.constant('node.k8s.amazonaws.com/instance_id'), instanceId),
      fc.tuple(fc.constant('node.k8s.amazonaws.com/createdAt'), fc.constant('2026-11-30T09:00:00Z')),
      fc.tuple(
        fc.constantFrom('cluster.k8s.amazonaws.com/name', 'eks:eks-cluster-name', 'karpenter.sh/nodepool'),
        name,
      ),
      fc.tuple(
        name.map((of) => `kubernetes.io/cluster/${of}`),
        fc.constant('owned'),
      ),
      fc.tuple(fc.constant('vpcresources.k8s.aws/vlan-id'), fc.constant('7')),
      fc.tuple(fc.constant('eks:kubernetes-cni-node-name'), instanceId),
      fc.tuple(fc.constant('huckleberry'), name),
      fc.tuple(fc.constant('headroom:protected'), fc.constantFrom('true', 'because')),
    ),
    { selector: ([key]) => key, maxLength: 3 },
  )
  .map((tags) => tags.map(([Key, Value]) => ({ Key, Value })));

/** `describe-network-interfaces`: the interface of a number, in one of the subnets. */
export const eni = (number: number, subnets: readonly { SubnetId: string; VpcId: string; CidrBlock: string }[]) =>
  fc
    .record({
      subnet: fc.nat(subnets.length - 1),
      owner: account,
      description: fc.constantFrom(...DESCRIPTIONS),
      of: name,
      instance: instanceId,
      attached: fc.boolean(),
      device: fc.nat(2),
      type: fc.constantFrom(
        'interface',
        'interface',
        'interface',
        'branch',
        'trunk',
        'efa-only',
        'nat_gateway',
        'lambda',
      ),
      hosts: fc.uniqueArray(fc.integer({ min: 4, max: 14 }), { maxLength: 4 }),
      prefix: fc.option(fc.integer({ min: 1, max: 14 })),
      requesterManaged: fc.boolean(),
      requester: fc.constantFrom('amazon-elb', 'AIDAHUCKLEBERRY:AmazonEKS', ...ACCOUNTS),
      tags: eniTags,
    })
    .map((of) => {
      const at = subnets[of.subnet] as (typeof subnets)[number];
      const base = at.CidrBlock.replace(/\.0\/.*/, '');
      const addresses = of.hosts.map((host) => `${base}.${host}`);
      return {
        NetworkInterfaceId: `eni-${long(number)}`,
        SubnetId: at.SubnetId,
        VpcId: at.VpcId,
        OwnerId: of.owner,
        RequesterId: of.requester,
        RequesterManaged: of.requesterManaged,
        Description: of.description(of.of, of.instance),
        InterfaceType: of.type,
        Status: of.attached ? 'in-use' : 'available',
        MacAddress: '02:11:22:33:44:55',
        PrivateDnsName: `ip-10-0-0-4.${of.of}.internal`,
        Association: { PublicIp: '54.208.33.61', PublicDnsName: 'ec2-54-208-33-61.compute-1.amazonaws.com' },
        Groups: [{ GroupId: `sg-${long(3)}`, GroupName: of.of }],
        ...(of.attached
          ? {
              Attachment: {
                AttachmentId: `eni-attach-${long(number)}`,
                InstanceId: of.instance,
                InstanceOwnerId: of.owner,
                DeviceIndex: of.device,
                NetworkCardIndex: 0,
                Status: 'attached',
                AttachTime: '2026-11-30T09:00:00.000Z',
              },
            }
          : {}),
        PrivateIpAddresses: addresses.map((address, index) => ({
          Primary: index === 0,
          PrivateIpAddress: address,
          Association: { PublicIp: '54.208.33.61' },
        })),
        ...(addresses[0] === undefined ? {} : { PrivateIpAddress: addresses[0] }),
        ...(of.prefix === null ? {} : { Ipv4Prefixes: [{ Ipv4Prefix: `${base}.${of.prefix * 16}/28` }] }),
        TagSet: of.tags,
      };
    });

/** `describe-instances`. */
export const instances = fc.uniqueArray(instanceId, { maxLength: 10 }).chain((ids) =>
  fc.tuple(
    ...ids.map((InstanceId) =>
      fc.record({
        InstanceId: fc.constant(InstanceId),
        InstanceType: fc.constantFrom(...TYPES),
        State: fc.constantFrom({ Name: 'running' }, { Name: 'stopped' }, { Name: 'terminated' }),
        SubnetId: subnetId,
        VpcId: vpcId,
        PublicIpAddress: fc.constant('54.208.33.61'),
        KeyName: name,
        Tags: eniTags,
      }),
    ),
  ),
);
