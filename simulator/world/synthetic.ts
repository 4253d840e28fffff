/** A large region worked out from a formula: interface number N is the same whenever it is asked for, and nothing of it is stored. */
import { formatCidr, formatIpv4, type Ipv4 } from '../../lambdas/core/ip/ipv4.ts';
import type { InterfaceBase, WorldState } from './state.ts';
import type { NetworkInterface } from './stored.ts';

export interface SyntheticSpec {
  readonly subnets: number;
  /** Interfaces in all, spread evenly. */
  readonly enis: number;
  /** Single addresses an interface, the primary among them. */
  readonly addressesPerEni: number;
  /** Every Nth interface of a subnet holds one prefix; 0 (the default): none does. */
  readonly prefixEvery?: number;
  /** Default 200, EC2's quota of subnets a VPC. */
  readonly subnetsPerVpc?: number;
  readonly account?: string;
  readonly region?: string;
  readonly seed?: number;
}

const FIRST: Ipv4 = 0x0a000000;
const PREFIX_SIZE = 16;

/**
 * Addresses come from a full-cycle walk over the subnet's /28s: prefixes take whole blocks from the top, single addresses are strewn over the
 * rest by a multiplier that is odd, hence a permutation of a power of two. So no address is held twice, and fragmentation is that of chance.
 */
export class SyntheticInterfaces implements InterfaceBase {
  readonly count: number;
  readonly perSubnet: number;
  readonly length: number;
  readonly size: number;
  readonly account: string;
  readonly region: string;
  readonly spec: SyntheticSpec;
  readonly #multiplier: number;
  readonly #prefixes: number;

  constructor(spec: SyntheticSpec) {
    this.spec = spec;
    this.perSubnet = Math.ceil(spec.enis / spec.subnets);
    this.count = spec.enis;
    this.account = spec.account ?? '111111111111';
    this.region = spec.region ?? 'us-east-1';
    const every = spec.prefixEvery ?? 0;
    this.#prefixes = every === 0 ? 0 : Math.ceil(this.perSubnet / every);
    // Room for all singles twice over beside the prefixes and the edge blocks; not less than a /26 and not more than a /16.
    const need = 2 * this.perSubnet * spec.addressesPerEni + PREFIX_SIZE * (this.#prefixes + 2);
    this.length = Math.max(16, Math.min(26, 32 - Math.ceil(Math.log2(need))));
    this.size = 2 ** (32 - this.length);
    if (need > this.size)
      throw new RangeError(`${this.perSubnet} interfaces do not fit into one /${this.length} subnet`);
    this.#multiplier = 2 * ((spec.seed ?? 1) * 0x9e37 + 0x4f1b) + 1;
  }

  /** Where a subnet begins. Ranges repeat after 10.0.0.0/8 is full: they then belong to other VPCs. */
  baseOf(subnet: number): Ipv4 {
    return FIRST + (subnet % 2 ** (this.length - 8)) * this.size;
  }

  slotOf(id: string): number | undefined {
    const match = /^eni-0f([0-9a-f]{15})$/.exec(id);
    const slot = match === null ? Number.NaN : Number.parseInt(match[1] ?? '', 16);
    return slot < this.count ? slot : undefined;
  }

  slotsOf(subnetId: string): readonly [number, number] | undefined {
    const match = /^subnet-0f([0-9a-f]{15})$/.exec(subnetId);
    if (match === null) return undefined;
    const subnet = Number.parseInt(match[1] ?? '', 16);
    if (subnet >= this.spec.subnets) return undefined;
    const first = Math.min(this.count, subnet * this.perSubnet);
    return [first, Math.min(this.count, first + this.perSubnet)];
  }

  /** Addresses that the interfaces of a subnet hold. */
  heldIn(subnet: number): number {
    const [first, end] = this.slotsOf(syntheticId('subnet', subnet)) ?? [0, 0];
    const every = this.spec.prefixEvery ?? 0;
    const prefixes = every === 0 ? 0 : Math.ceil((end - first) / every);
    return (end - first) * this.spec.addressesPerEni + PREFIX_SIZE * prefixes;
  }

  at(slot: number): NetworkInterface {
    const subnet = Math.floor(slot / this.perSubnet);
    const index = slot - subnet * this.perSubnet;
    const base = this.baseOf(subnet);
    const addresses: string[] = [];
    const first = index * this.spec.addressesPerEni;
    for (let i = 0; i < this.spec.addressesPerEni; i++) addresses.push(formatIpv4(base + this.#single(first + i)));
    const every = this.spec.prefixEvery ?? 0;
    const prefix = every > 0 && index % every === 0 ? this.#prefixAt(base, index / every) : undefined;
    const instanceId = syntheticId('i', Math.floor(slot / 3));
    return {
      Attachment: {
        AttachTime: '2026-11-29T10:00:00.000Z',
        AttachmentId: syntheticId('eni-attach', slot),
        DeleteOnTermination: true,
        DeviceIndex: slot % 3,
        NetworkCardIndex: 0,
        InstanceId: instanceId,
        InstanceOwnerId: this.account,
        Status: 'attached',
      },
      AvailabilityZone: `${this.region}${zoneLetter(subnet)}`,
      Description: `aws-K8S-${instanceId}`,
      Groups: [{ GroupId: 'sg-0f000000000000007', GroupName: 'nodes' }],
      InterfaceType: 'interface',
      Ipv6Addresses: [],
      NetworkInterfaceId: syntheticId('eni', slot),
      OwnerId: this.account,
      PrivateIpAddress: addresses[0],
      PrivateIpAddresses: addresses.map((PrivateIpAddress, position) => ({
        Primary: position === 0,
        PrivateIpAddress,
      })),
      ...(prefix === undefined ? {} : { Ipv4Prefixes: [{ Ipv4Prefix: prefix }] }),
      RequesterManaged: false,
      SourceDestCheck: true,
      Status: 'in-use',
      SubnetId: syntheticId('subnet', subnet),
      TagSet: [
        { Key: 'cluster.k8s.amazonaws.com/name', Value: `prod-${subnet % 9}` },
        { Key: 'node.k8s.amazonaws.com/instance_id', Value: instanceId },
      ],
      VpcId: vpcIdOf(this.spec, subnet),
    };
  }

  /** Offset of the Nth single address: past the first block, below the prefixes and the last block. */
  #single(n: number): number {
    const room = this.size - PREFIX_SIZE * (2 + this.#prefixes);
    // A permutation of the next power of two, walked on while it leaves the room (cycle walking).
    const cycle = 2 ** Math.ceil(Math.log2(room));
    let at = n;
    do at = permute(at, cycle, this.#multiplier);
    while (at >= room);
    return PREFIX_SIZE + at;
  }

  #prefixAt(base: Ipv4, n: number): string {
    return formatCidr({ base: base + this.size - PREFIX_SIZE * (2 + n), length: 28 });
  }
}

/** A permutation of 0 to `cycle` - 1 for a power of two: odd multiplication, a xor-shift, and again. */
function permute(value: number, cycle: number, multiplier: number): number {
  const half = Math.max(1, Math.floor(Math.log2(cycle) / 2));
  let mixed = (Math.imul(value, multiplier) >>> 0) % cycle;
  mixed ^= mixed >>> half;
  mixed = (Math.imul(mixed, multiplier ^ 0x2c9277b4) >>> 0) % cycle;
  return mixed ^ (mixed >>> half);
}

/** Adds the subnets, VPCs and counts that go with the interfaces. */
export function syntheticSubnets(world: WorldState, base: SyntheticInterfaces): void {
  for (let subnet = 0; subnet < base.spec.subnets; subnet++) {
    const vpcId = vpcIdOf(base.spec, subnet);
    if (world.vpcs.get(vpcId) === undefined) {
      world.vpcs.set(vpcId, {
        VpcId: vpcId,
        CidrBlock: '10.0.0.0/8',
        CidrBlockAssociationSet: [{ CidrBlock: '10.0.0.0/8', CidrBlockState: { State: 'associated' } }],
        OwnerId: base.account,
        State: 'available',
        Tags: [],
      });
    }
    const subnetId = syntheticId('subnet', subnet);
    const zone = `${base.region}${zoneLetter(subnet)}`;
    world.subnets.set(subnetId, {
      AvailabilityZone: zone,
      AvailabilityZoneId: world.zones.get(zone)?.ZoneId,
      AvailableIpAddressCount: base.size - 5 - base.heldIn(subnet),
      CidrBlock: formatCidr({ base: base.baseOf(subnet), length: base.length }),
      DefaultForAz: false,
      Ipv6Native: false,
      MapPublicIpOnLaunch: false,
      OwnerId: base.account,
      State: 'available',
      SubnetArn: `arn:aws:ec2:${base.region}:${base.account}:subnet/${subnetId}`,
      SubnetId: subnetId,
      Tags: [{ Key: 'Name', Value: `private-${subnet}` }],
      VpcId: vpcId,
    });
  }
}

function zoneLetter(subnet: number): string {
  return 'abc'.charAt(subnet % 3);
}

function vpcIdOf(spec: SyntheticSpec, subnet: number): string {
  return syntheticId('vpc', Math.floor(subnet / (spec.subnetsPerVpc ?? 200)));
}

function syntheticId(kind: string, number: number): string {
  return `${kind}-0f${number.toString(16).padStart(15, '0')}`;
}
