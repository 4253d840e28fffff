/** Random regions as raw documents: names that overlap, ids of both lengths, every kind of interface, selectors with and without patterns. */
import fc from 'fast-check';
import type { InputName } from '../../../lambdas/core/subnet/snapshot.ts';

export type World = readonly (readonly [InputName, object])[];

/** Long enough that they cannot stand in a document by chance. */
export const SECRETS = [
  'blueberry',
  'raspberry-prod',
  'cloudberry.eu',
  'Lingonberry_7',
  'gooseberry-a',
  'gooseberry-b',
];
export const ACCOUNTS = ['482910573846', '918273645546'];
const TYPES = ['m5.large', 'c5.large'];

const name = fc.constantFrom(...SECRETS);
const account = fc.constantFrom(...ACCOUNTS);
const hex = (digits: number) => (n: number) => (n * 2654435761 + 7).toString(16).padStart(digits, '9').slice(-digits);
const long = hex(17);
const id = (kind: string, count: number) =>
  fc.nat(count - 1).map((n) => (n % 5 === 4 ? `${kind}-${hex(8)(n)}` : `${kind}-${long(n)}`));
const subnetId = id('subnet', 8);
const instanceId = id('i', 12);
const vpcId = id('vpc', 2);

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

const subnet = (number: number) =>
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

const eni = (number: number, subnets: readonly { SubnetId: string; VpcId: string; CidrBlock: string }[]) =>
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

const terms = fc.array(
  fc.oneof(
    subnetId.map((of) => ({ id: of })),
    fc
      .constantFrom(...SECRETS, '*', 'gooseberry-*', '*berry*', 'gooseberry-?', 'nothing-*', '')
      .map((value) => ({ tags: { 'karpenter.sh/discovery': value } })),
    fc.constantFrom(...SECRETS, 'goose*').map((value) => ({ tags: { 'mulberry-team': value, Name: '*' } })),
  ),
  { maxLength: 3 },
);

const instances = fc.uniqueArray(instanceId, { maxLength: 10 }).chain((ids) =>
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

const nodes = fc.uniqueArray(fc.nat(6), { minLength: 1, maxLength: 4 }).map((numbers) =>
  numbers.map((number) => ({
    kind: 'Node',
    metadata: {
      name: `raspberry-prod-node-${number}`,
      labels: { 'node.kubernetes.io/instance-type': 'm5.large', 'huckleberry.io/x': 'gooseberry-a' },
    },
    spec: { providerID: `aws:///us-east-1a/i-${long(number)}` },
    status: { allocatable: { pods: '29' } },
  })),
);

/** Inputs that may be missing are missing now and then. */
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 3 });

export const world: fc.Arbitrary<World> = fc
  .integer({ min: 1, max: 7 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, number) => subnet(number))))
  .chain((subnets) =>
    fc.record({
      subnets: fc.constant({ Subnets: subnets }),
      enis: maybe(
        fc
          .nat(25)
          .chain((count) => fc.tuple(...Array.from({ length: count }, (_, number) => eni(number, subnets))))
          .map((NetworkInterfaces) => ({ NetworkInterfaces })),
      ),
      reservations: maybe(
        fc.subarray(subnets).map((some) => ({
          SubnetIpv4CidrReservations: some.map(({ SubnetId, CidrBlock }, number) => ({
            SubnetCidrReservationId: `scr-${long(number)}`,
            SubnetId,
            Cidr: CidrBlock.replace(/\.0\/.*/, '.16/28'),
            ReservationType: number === 1 ? 'explicit' : 'prefix',
            Description: 'for blueberry',
          })),
          SubnetIpv6CidrReservations: [{ Cidr: '2600:1f18::/80' }],
        })),
      ),
      instances: maybe(instances.map((Instances) => ({ Reservations: [{ Instances, OwnerId: ACCOUNTS[0] }] }))),
      cluster: maybe(
        fc
          .record({
            name,
            arn: fc.constant('arn:aws:eks:us-east-1:482910573846:cluster/blueberry'),
            endpoint: fc.constant('https://0123.gr7.us-east-1.eks.amazonaws.com'),
            resourcesVpcConfig: fc.record({ vpcId, subnetIds: fc.array(subnetId, { maxLength: 3 }) }),
            health: fc.constant({
              issues: [{ code: 'InsufficientFreeAddresses', message: `subnet-${long(1)}`, resourceIds: [] }],
            }),
          })
          .map((cluster) => ({ cluster })),
      ),
      nodegroup: maybe(
        fc
          .record({
            clusterName: name,
            nodegroupName: name,
            subnets: fc.array(subnetId, { maxLength: 3 }),
            instanceTypes: fc.constant(['m5.large']),
          })
          .map((nodegroup) => ({ nodegroup })),
      ),
      addon: maybe(
        fc
          .record({
            clusterName: name,
            addonName: fc.constant('vpc-cni'),
            addonVersion: fc.constantFrom('v1.19.0-eksbuild.1', 'v1.22.1-eksbuild.1'),
            configurationValues: fc.constantFrom(
              'env:\n  ENABLE_PREFIX_DELEGATION: "true"\n  ADDITIONAL_ENI_TAGS: "{team: blueberry}"\n',
              '{"env":{"AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG":"true","ENI_CONFIG_LABEL_DEF":"huckleberry.io/x"}}',
            ),
          })
          .map((addon) => ({ addon })),
      ),
      nodes: maybe(nodes.map((items) => ({ kind: 'List', items }))),
      pods: maybe(
        fc.array(fc.nat(6), { maxLength: 5 }).map((numbers) => ({
          items: numbers.map((number, index) => ({
            kind: 'Pod',
            metadata: { name: `blueberry-${index}`, namespace: 'gooseberry-a' },
            spec: { nodeName: `raspberry-prod-node-${number}` },
            status: { phase: 'Running', podIP: '10.0.0.9' },
          })),
        })),
      ),
      nodeClasses: maybe(
        fc.record({
          kind: fc.constantFrom('EC2NodeClass', 'NodeClass'),
          metadata: name.map((of) => ({ name: of })),
          spec: fc.record({ subnetSelectorTerms: terms, podSubnetSelectorTerms: fc.oneof(fc.constant([]), terms) }),
        }),
      ),
      nodePools: maybe(
        fc.tuple(name, name).map(([pool, nodeClass]) => ({
          kind: 'NodePool',
          metadata: { name: pool },
          spec: { template: { spec: { expireAfter: '72h', nodeClassRef: { name: nodeClass } } } },
        })),
      ),
      eniConfigs: maybe(
        fc.tuple(fc.constantFrom('us-east-1a', 'blueberry'), subnetId).map(([of, at]) => ({
          items: [{ kind: 'ENIConfig', metadata: { name: of }, spec: { subnet: at } }],
        })),
      ),
      daemonSet: maybe(
        fc
          .tuple(fc.constantFrom('true', 'false'), fc.constantFrom('', ...SECRETS), fc.boolean())
          .map(([prefixes, clusterName, custom]) => ({
            kind: 'DaemonSet',
            metadata: { name: 'aws-node', namespace: 'kube-system' },
            spec: {
              template: {
                spec: {
                  containers: [
                    {
                      name: 'aws-node',
                      image: `482910573846.dkr.ecr.us-east-1.amazonaws.com/amazon-k8s-cni:v1.2${custom ? 2 : 0}.1-eksbuild.1`,
                      env: [
                        { name: 'ENABLE_PREFIX_DELEGATION', value: prefixes },
                        { name: 'CLUSTER_NAME', value: clusterName },
                        { name: 'AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG', value: String(custom) },
                        { name: 'SECRET', value: 'huckleberry' },
                      ],
                    },
                  ],
                },
              },
            },
          })),
      ),
    }),
  )
  .map((of) => {
    const instanceTypes = TYPES.map((InstanceType, index) => ({
      InstanceType,
      Hypervisor: 'nitro',
      VCpuInfo: { DefaultVCpus: 2 },
      NetworkInfo: { MaximumNetworkInterfaces: 3, Ipv4AddressesPerInterface: index === 0 ? 10 : 6 },
    }));
    const documents: readonly (readonly [InputName, object | undefined])[] = [
      [
        'caller',
        { Account: ACCOUNTS[0], Arn: `arn:aws:iam::${ACCOUNTS[0]}:user/blueberry`, UserId: 'AIDAHUCKLEBERRY' },
      ],
      ['subnets', of.subnets],
      ['network-interfaces', of.enis],
      ['cidr-reservations', of.reservations],
      ['instances', of.instances],
      ['instance-types', { InstanceTypes: instanceTypes }],
      ['clusters', of.cluster],
      ['nodegroups', of.nodegroup],
      ['addons', of.addon],
      ['nodes', of.nodes],
      ['pods', of.pods],
      ['nodeclasses', of.nodeClasses],
      ['nodepools', of.nodePools],
      ['eniconfigs', of.eniConfigs],
      ['daemonset', of.daemonSet],
      ['now', { now: '2026-11-30T12:00:00Z' }],
    ];
    return documents.filter((entry): entry is readonly [InputName, object] => entry[1] !== undefined);
  });
