/** Random regions as raw documents: names that overlap, ids of both lengths, every kind of interface, selectors with and without patterns. */
import fc from 'fast-check';
import type { InputName } from '../../../lambdas/core/subnet/snapshot.ts';
import { ACCOUNTS, long, name, SECRETS, subnetId, TYPES, vpcId } from './names.ts';
import { eni, instances, subnet } from './network.ts';

export type World = readonly (readonly [InputName, object])[];

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
