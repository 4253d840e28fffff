/** Documents as the AWS CLI and kubectl print them, small and whole: the tests spoil them. */

export function subnet(number: number, change: object = {}) {
  return {
    AvailabilityZone: 'us-east-1a',
    AvailabilityZoneId: 'use1-az1',
    AvailableIpAddressCount: 240,
    CidrBlock: `10.0.${number}.0/24`,
    DefaultForAz: false,
    MapPublicIpOnLaunch: false,
    State: 'available',
    SubnetId: `subnet-${number}`,
    VpcId: 'vpc-1',
    OwnerId: '111111111111',
    Ipv6CidrBlockAssociationSet: [],
    Tags: [{ Key: 'Name', Value: `private ${number}` }],
    SubnetArn: `arn:aws:ec2:us-east-1:111111111111:subnet/subnet-${number}`,
    Ipv6Native: false,
    ...change,
  };
}

export function eni(number: number, change: object = {}) {
  const address = `10.0.1.${4 + (number % 200)}`;
  return {
    Attachment: {
      AttachTime: '2026-11-29T10:00:00+00:00',
      AttachmentId: `eni-attach-${number}`,
      DeleteOnTermination: true,
      DeviceIndex: 1,
      NetworkCardIndex: 0,
      InstanceId: `i-${number}`,
      InstanceOwnerId: '111111111111',
      Status: 'attached',
    },
    AvailabilityZone: 'us-east-1a',
    Description: `aws-K8S-i-${number} "\\" {[ éÿ☃🙂`,
    Groups: [{ GroupName: 'nodes', GroupId: 'sg-1' }],
    InterfaceType: 'interface',
    Ipv6Addresses: [],
    NetworkInterfaceId: `eni-${number}`,
    OwnerId: '111111111111',
    PrivateIpAddress: address,
    PrivateIpAddresses: [{ Primary: true, PrivateIpAddress: address }],
    Ipv4Prefixes: [{ Ipv4Prefix: '10.0.1.224/28' }],
    RequesterManaged: false,
    Status: 'in-use',
    SubnetId: 'subnet-1',
    TagSet: [{ Key: 'node.k8s.amazonaws.com/instance_id', Value: `i-${number}` }],
    VpcId: 'vpc-1',
    ...change,
  };
}

/** One valid document for every file name of the table. */
export const DOCUMENTS = {
  subnets: { Subnets: [subnet(1), subnet(2)] },
  'network-interfaces': { NetworkInterfaces: [eni(1), eni(2), eni(3)] },
  'cidr-reservations': {
    SubnetIpv4CidrReservations: [
      {
        SubnetCidrReservationId: 'scr-1',
        SubnetId: 'subnet-1',
        Cidr: '10.0.1.64/26',
        ReservationType: 'prefix',
        OwnerId: '111111111111',
        Description: 'pods',
        Tags: [],
      },
    ],
    SubnetIpv6CidrReservations: [],
  },
  vpcs: {
    Vpcs: [
      {
        VpcId: 'vpc-1',
        OwnerId: '111111111111',
        CidrBlock: '10.0.0.0/16',
        CidrBlockAssociationSet: [{ CidrBlock: '10.0.0.0/16', CidrBlockState: { State: 'associated' } }],
        Tags: [],
      },
    ],
  },
  'route-tables': {
    RouteTables: [
      {
        RouteTableId: 'rtb-1',
        VpcId: 'vpc-1',
        Associations: [
          { Main: true, AssociationState: { State: 'associated' } },
          { Main: false, SubnetId: 'subnet-1' },
        ],
        Routes: [
          { DestinationCidrBlock: '10.0.0.0/16', GatewayId: 'local', State: 'active' },
          { DestinationCidrBlock: '0.0.0.0/0', NatGatewayId: 'nat-1', State: 'active' },
        ],
      },
    ],
  },
  'network-acls': {
    NetworkAcls: [
      {
        NetworkAclId: 'acl-1',
        VpcId: 'vpc-1',
        IsDefault: true,
        Associations: [{ NetworkAclAssociationId: 'aclassoc-1', NetworkAclId: 'acl-1', SubnetId: 'subnet-1' }],
        Entries: [
          { CidrBlock: '0.0.0.0/0', Egress: true, Protocol: '-1', RuleAction: 'allow', RuleNumber: 100 },
          {
            CidrBlock: '10.0.0.0/8',
            Egress: false,
            Protocol: '6',
            RuleAction: 'allow',
            RuleNumber: 100,
            PortRange: { From: 443, To: 443 },
          },
        ],
      },
    ],
  },
  'availability-zones': {
    AvailabilityZones: [{ ZoneName: 'us-east-1a', ZoneId: 'use1-az1', ZoneType: 'availability-zone' }],
  },
  instances: {
    Reservations: [
      {
        ReservationId: 'r-1',
        Instances: [
          {
            InstanceId: 'i-1',
            InstanceType: 'm5.large',
            State: { Code: 16, Name: 'running' },
            SubnetId: 'subnet-1',
            VpcId: 'vpc-1',
            Tags: [{ Key: 'eks:cluster-name', Value: 'prod' }],
          },
        ],
      },
    ],
  },
  'instance-types': {
    InstanceTypes: [
      {
        InstanceType: 'm5.large',
        Hypervisor: 'nitro',
        VCpuInfo: { DefaultVCpus: 2 },
        NetworkInfo: {
          MaximumNetworkInterfaces: 3,
          DefaultNetworkCardIndex: 0,
          NetworkCards: [{ NetworkCardIndex: 0, MaximumNetworkInterfaces: 3 }],
          Ipv4AddressesPerInterface: 10,
        },
      },
    ],
  },
  clusters: {
    cluster: {
      name: 'prod',
      version: '1.33',
      status: 'ACTIVE',
      resourcesVpcConfig: { vpcId: 'vpc-1', subnetIds: ['subnet-2', 'subnet-1'] },
      kubernetesNetworkConfig: { ipFamily: 'ipv4' },
      computeConfig: { enabled: false },
      health: { issues: [{ code: 'InsufficientFreeAddresses', message: 'few', resourceIds: ['subnet-1'] }] },
      tags: { team: 'a' },
    },
  },
  nodegroups: {
    nodegroup: {
      clusterName: 'prod',
      nodegroupName: 'nodes',
      subnets: ['subnet-2', 'subnet-1'],
      instanceTypes: ['m5.large'],
      status: 'ACTIVE',
      scalingConfig: { minSize: 1, maxSize: 9, desiredSize: 3 },
      health: { issues: [] },
    },
  },
  addons: {
    addon: {
      clusterName: 'prod',
      addonName: 'vpc-cni',
      addonVersion: 'v1.22.1-eksbuild.1',
      configurationValues: '{"env":{"ENABLE_PREFIX_DELEGATION":"true","WARM_PREFIX_TARGET":1}}',
      health: { issues: [] },
    },
  },
  nodes: {
    kind: 'List',
    items: [
      {
        kind: 'Node',
        metadata: {
          name: 'ip-10-0-1-5.ec2.internal',
          labels: { 'node.kubernetes.io/instance-type': 'm5.large', 'topology.kubernetes.io/zone': 'us-east-1a' },
        },
        spec: { providerID: 'aws:///us-east-1a/i-0000000000000000a' },
        status: { allocatable: { pods: '29' }, capacity: { pods: '30' } },
      },
    ],
  },
  pods: {
    kind: 'List',
    items: [
      {
        kind: 'Pod',
        metadata: { name: 'a', namespace: 'default' },
        spec: { nodeName: 'ip-10-0-1-5.ec2.internal', hostNetwork: true },
        status: { phase: 'Running' },
      },
    ],
  },
  nodeclasses: {
    kind: 'EC2NodeClass',
    metadata: { name: 'default' },
    spec: {
      subnetSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'prod' } }, { id: 'subnet-1' }],
      kubelet: { maxPods: 110 },
      ipPrefixCount: 1,
    },
  },
  nodepools: {
    kind: 'List',
    items: [
      {
        kind: 'NodePool',
        metadata: { name: 'default' },
        spec: { template: { spec: { expireAfter: '72h', nodeClassRef: { kind: 'EC2NodeClass', name: 'default' } } } },
      },
    ],
  },
  eniconfigs: {
    kind: 'List',
    items: [{ kind: 'ENIConfig', metadata: { name: 'us-east-1a' }, spec: { subnet: 'subnet-2' } }],
  },
  daemonset: {
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
                { name: 'MY_NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
              ],
            },
          ],
        },
      },
    },
  },
  caller: { UserId: 'A', Account: '111111111111', Arn: 'arn:aws:iam::111111111111:user/a' },
  now: { now: '2026-11-30T12:00:00Z' },
  reading: {
    scope: { vpcIds: ['vpc-1'], subnetIds: [] },
    failures: [
      {
        input: 'clusters',
        call: 'eks:ListClusters',
        code: 'AccessDeniedException',
        permission: 'eks:ListClusters',
        message: 'no',
        unknown: ['clusters', 'nodegroups', 'addons'],
      },
    ],
    networkInterfaces: {
      managedResourcesIncluded: true,
      availableIpsAfter: { 'subnet-1': 250 },
      failures: [
        {
          input: 'network-interfaces',
          call: 'ec2:DescribeNetworkInterfaces',
          code: 'RequestLimitExceeded',
          subnetIds: ['subnet-2'],
          message: 'slow down',
        },
      ],
    },
  },
} as const;

/** {@link DOCUMENTS} by file name. */
export function allFiles(): { [name: string]: unknown } {
  return Object.fromEntries(Object.entries(DOCUMENTS).map(([name, document]) => [`${name}.json`, document]));
}
