/** Network limits of common instance types, for worlds that bring none of their own. */
import type { InstanceTypeInfo } from '@aws-sdk/client-ec2';
import type { Stored } from './stored.ts';

/** Type, interfaces, IPv4 addresses an interface, vCPUs, hypervisor (EC2 user guide, "Maximum IP addresses per network interface"). */
const LIMITS: readonly (readonly [string, number, number, number, 'nitro' | 'xen'])[] = [
  ['t2.medium', 3, 6, 2, 'xen'],
  ['t3.small', 3, 4, 2, 'nitro'],
  ['t3.medium', 3, 6, 2, 'nitro'],
  ['t3.large', 3, 12, 2, 'nitro'],
  ['t3.xlarge', 4, 15, 4, 'nitro'],
  ['t3.2xlarge', 4, 15, 8, 'nitro'],
  ['m4.large', 2, 10, 2, 'xen'],
  ['m5.large', 3, 10, 2, 'nitro'],
  ['m5.xlarge', 4, 15, 4, 'nitro'],
  ['m5.2xlarge', 4, 15, 8, 'nitro'],
  ['m5.4xlarge', 8, 30, 16, 'nitro'],
  ['m5.12xlarge', 8, 30, 48, 'nitro'],
  ['m6i.large', 3, 10, 2, 'nitro'],
  ['m6g.large', 3, 10, 2, 'nitro'],
  ['m7g.large', 3, 10, 2, 'nitro'],
  ['c5.large', 3, 10, 2, 'nitro'],
  ['c5.xlarge', 4, 15, 4, 'nitro'],
  ['c5.4xlarge', 8, 30, 16, 'nitro'],
  ['r5.large', 3, 10, 2, 'nitro'],
];

export const CATALOGUE: ReadonlyMap<string, Stored<InstanceTypeInfo>> = new Map(
  LIMITS.map(([InstanceType, enis, addresses, vcpus, Hypervisor]) => [
    InstanceType,
    {
      InstanceType: InstanceType as NonNullable<InstanceTypeInfo['InstanceType']>,
      CurrentGeneration: Hypervisor === 'nitro',
      BareMetal: false,
      Hypervisor,
      VCpuInfo: { DefaultVCpus: vcpus },
      NetworkInfo: {
        MaximumNetworkInterfaces: enis,
        MaximumNetworkCards: 1,
        DefaultNetworkCardIndex: 0,
        NetworkCards: [{ NetworkCardIndex: 0, MaximumNetworkInterfaces: enis }],
        Ipv4AddressesPerInterface: addresses,
        Ipv6AddressesPerInterface: addresses,
        Ipv6Supported: true,
      },
    },
  ]),
);
