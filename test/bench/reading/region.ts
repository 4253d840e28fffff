/** A region for the reading benchmarks, in EC2's own XML: spelling, order, indentation and size of a page are those of real answers. */
import { blockSize, type Cidr, formatIpv4, parseCidr } from '../../../lambdas/core/ip/ipv4.ts';
import { type BenchSubnet, dataSet } from '../kernel/data.ts';

/** Interfaces on a page: the most that EC2 gives. */
export const PAGE_SIZE = 1000;
/** Subnets of a VPC. */
export const SUBNETS_PER_VPC = 50;
/** Interfaces of a subnet of S2. */
export const ENIS_PER_SUBNET = 100;

const hex = (n: number, digits: number) => n.toString(16).padStart(digits, '0');
export const subnetId = (index: number) => `subnet-0${hex(index, 16)}`;
export const vpcId = (index: number) => `vpc-0${hex(index, 16)}`;

export interface RegionSpec {
  readonly subnets: number;
  /** `s2` for the holdings of S2, or so many addresses on each interface. */
  readonly addresses: 's2' | number;
  /** Where each has so many addresses; {@link ENIS_PER_SUBNET} by default. */
  readonly enisPerSubnet?: number;
}

class Lines {
  private readonly parts: string[] = [];
  add(depth: number, text: string): void {
    this.parts.push(`\n${'    '.repeat(depth)}${text}`);
  }
  toString(): string {
    return this.parts.join('').trimStart();
  }
}

function writeInterface(
  out: Lines,
  serial: number,
  subnet: number,
  addresses: readonly string[],
  prefix: string | undefined,
): void {
  const id = hex(serial, 16);
  const instance = `i-0${hex(Math.floor(serial / 3), 16)}`;
  const first = addresses[0] as string;
  out.add(2, '<item>');
  out.add(3, `<networkInterfaceId>eni-0${id}</networkInterfaceId>`);
  out.add(3, `<subnetId>${subnetId(subnet)}</subnetId>`);
  out.add(3, `<vpcId>${vpcId(Math.floor(subnet / SUBNETS_PER_VPC))}</vpcId>`);
  out.add(3, '<availabilityZone>us-east-1a</availabilityZone>');
  out.add(3, '<availabilityZoneId>use1-az1</availabilityZoneId>');
  out.add(3, `<description>aws-K8S-${instance}</description>`);
  out.add(3, '<ownerId>111111111111</ownerId>');
  out.add(3, '<requesterId>AROAEXAMPLEEXAMPLEEXA:i-00000000000000001</requesterId>');
  out.add(3, '<requesterManaged>false</requesterManaged>');
  out.add(3, '<status>in-use</status>');
  out.add(3, `<macAddress>02:00:${hex(serial & 0xff, 2)}:${hex((serial >> 8) & 0xff, 2)}:00:01</macAddress>`);
  out.add(3, `<privateIpAddress>${first}</privateIpAddress>`);
  out.add(3, `<privateDnsName>ip-${first.replaceAll('.', '-')}.ec2.internal</privateDnsName>`);
  out.add(3, '<sourceDestCheck>true</sourceDestCheck>');
  out.add(3, '<groupSet>');
  out.add(4, '<item>');
  out.add(5, '<groupId>sg-00000000000000001</groupId>');
  out.add(5, '<groupName>eks-cluster-sg-prod</groupName>');
  out.add(4, '</item>');
  out.add(3, '</groupSet>');
  out.add(3, '<attachment>');
  out.add(4, `<attachmentId>eni-attach-0${id}</attachmentId>`);
  out.add(4, `<instanceId>${instance}</instanceId>`);
  out.add(4, '<instanceOwnerId>111111111111</instanceOwnerId>');
  out.add(4, `<deviceIndex>${serial % 4}</deviceIndex>`);
  out.add(4, '<networkCardIndex>0</networkCardIndex>');
  out.add(4, '<status>attached</status>');
  out.add(4, '<attachTime>2026-11-29T10:00:00.000Z</attachTime>');
  out.add(4, '<deleteOnTermination>true</deleteOnTermination>');
  out.add(3, '</attachment>');
  out.add(3, '<tagSet>');
  for (const [key, value] of [
    ['cluster.k8s.amazonaws.com/name', `prod-${serial % 9}`],
    ['node.k8s.amazonaws.com/instance_id', instance],
    ['node.k8s.amazonaws.com/createdAt', '2026-11-20T08:00:00Z'],
    ['eks:eni:owner', 'amazon-vpc-cni'],
  ]) {
    out.add(4, '<item>');
    out.add(5, `<key>${key}</key>`);
    out.add(5, `<value>${value}</value>`);
    out.add(4, '</item>');
  }
  out.add(3, '</tagSet>');
  out.add(3, '<privateIpAddressesSet>');
  addresses.forEach((address, index) => {
    out.add(4, '<item>');
    out.add(5, `<privateIpAddress>${address}</privateIpAddress>`);
    out.add(5, `<privateDnsName>ip-${address.replaceAll('.', '-')}.ec2.internal</privateDnsName>`);
    out.add(5, `<primary>${index === 0}</primary>`);
    out.add(4, '</item>');
  });
  out.add(3, '</privateIpAddressesSet>');
  if (prefix !== undefined) {
    out.add(3, '<ipv4PrefixSet>');
    out.add(4, '<item>');
    out.add(5, `<ipv4Prefix>${prefix}</ipv4Prefix>`);
    out.add(4, '</item>');
    out.add(3, '</ipv4PrefixSet>');
  }
  out.add(3, '<ipv6AddressesSet/>');
  out.add(3, '<interfaceType>interface</interfaceType>');
  out.add(2, '</item>');
}

interface Held {
  readonly cidr: string;
  /** Addresses that are held. */
  readonly used: number;
  readonly enis: readonly { readonly addresses: readonly string[]; readonly prefix?: string }[];
}

/** Deals a subnet's holdings out to its interfaces. */
function deal({ cidr, addresses, prefixes }: BenchSubnet): Held {
  const per = Math.max(1, Math.floor(addresses.length / ENIS_PER_SUBNET));
  const enis = [];
  for (let i = 0; i < ENIS_PER_SUBNET; i++) {
    const own = addresses.slice(i * per, i === ENIS_PER_SUBNET - 1 ? undefined : (i + 1) * per);
    if (own.length === 0) break;
    const prefix = prefixes[i];
    enis.push(prefix === undefined ? { addresses: own } : { addresses: own, prefix });
  }
  return { cidr, enis, used: addresses.length + 16 * prefixes.length };
}

/** A /18 for each subnet, interfaces with equally many addresses, scattered by a stride that is odd. */
function even(index: number, perEni: number, count: number): Held {
  const base = 10 * 2 ** 24 + index * 16384;
  const enis = Array.from({ length: count }, (_, eni) => ({
    addresses: Array.from({ length: perEni }, (_, i) => formatIpv4(base + 16 + (((eni * perEni + i) * 37) % 16352))),
  }));
  return { cidr: `${formatIpv4(base)}/18`, enis, used: count * perEni };
}

function regionOf(spec: RegionSpec): Held[] {
  if (spec.addresses === 's2') return dataSet('S2').slice(0, spec.subnets).map(deal);
  const perEni = spec.addresses;
  const enis = spec.enisPerSubnet ?? ENIS_PER_SUBNET;
  return Array.from({ length: spec.subnets }, (_, index) => even(index, perEni, enis));
}

/** The interfaces of one subnet, rendered one behind the other. */
interface RenderedSubnet {
  readonly vpc: string;
  readonly bytes: Buffer;
  /** Where each interface begins, and where the last one ends. */
  readonly starts: Uint32Array;
}

const HEAD = Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<DescribeNetworkInterfacesResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/">
    <requestId>0d4c2c1e-0000-4000-8000-000000000000</requestId>
    <networkInterfaceSet>`);

/** A region whose answers lie ready: a page is put together of slices, without a byte being copied. */
export class RenderedRegion {
  readonly subnets: Buffer;
  readonly enis: number;
  private readonly rendered = new Map<string, RenderedSubnet>();

  constructor(spec: RegionSpec) {
    const region = regionOf(spec);
    const list = new Lines();
    list.add(0, '<?xml version="1.0" encoding="UTF-8"?>');
    list.add(0, '<DescribeSubnetsResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/">');
    list.add(1, '<subnetSet>');
    let serial = 0;
    region.forEach(({ cidr, enis, used }, index) => {
      const vpc = vpcId(Math.floor(index / SUBNETS_PER_VPC));
      writeSubnet(list, index, vpc, cidr, used);
      const texts = enis.map(({ addresses, prefix }) => {
        const out = new Lines();
        writeInterface(out, serial++, index, addresses, prefix);
        return `\n        ${out}`;
      });
      // All of it is ASCII: as many bytes as characters.
      const starts = new Uint32Array(texts.length + 1);
      texts.forEach((text, at) => {
        starts[at + 1] = (starts[at] as number) + text.length;
      });
      this.rendered.set(subnetId(index), { vpc, bytes: Buffer.from(texts.join(''), 'latin1'), starts });
    });
    list.add(1, '</subnetSet>');
    list.add(0, '</DescribeSubnetsResponse>');
    this.subnets = Buffer.from(list.toString());
    this.enis = serial;
  }

  /** A page of the interfaces of a VPC, or of some subnets. @param token how many interfaces went before. */
  page(filter: string, values: readonly string[], token: number): readonly Buffer[] {
    const slices: Buffer[] = [];
    let before = 0;
    for (const { bytes, starts } of this.chosen(filter, values)) {
      const count = starts.length - 1;
      const from = Math.max(0, token - before);
      const to = Math.min(count, token + PAGE_SIZE - before);
      if (from < to) slices.push(bytes.subarray(starts[from], starts[to]));
      before += count;
    }
    const next = before > token + PAGE_SIZE ? `\n    <nextToken>${token + PAGE_SIZE}</nextToken>` : '';
    const tail = `\n    </networkInterfaceSet>${next}\n</DescribeNetworkInterfacesResponse>`;
    return [HEAD, ...slices, Buffer.from(tail)];
  }

  private *chosen(filter: string, values: readonly string[]): Iterable<RenderedSubnet> {
    const named = new Set(values);
    for (const [id, subnet] of this.rendered) if (named.has(filter === 'vpc-id' ? subnet.vpc : id)) yield subnet;
  }
}

function writeSubnet(out: Lines, index: number, vpc: string, cidr: string, used: number): void {
  const { length } = parseCidr(cidr) as Cidr;
  out.add(2, '<item>');
  out.add(3, `<subnetId>${subnetId(index)}</subnetId>`);
  out.add(3, `<vpcId>${vpc}</vpcId>`);
  out.add(3, `<cidrBlock>${cidr}</cidrBlock>`);
  out.add(3, '<state>available</state>');
  out.add(3, '<availabilityZone>us-east-1a</availabilityZone>');
  out.add(3, '<availabilityZoneId>use1-az1</availabilityZoneId>');
  out.add(3, `<availableIpAddressCount>${Math.max(0, blockSize(length) - 5 - used)}</availableIpAddressCount>`);
  out.add(3, '<ownerId>111111111111</ownerId>');
  out.add(2, '</item>');
}
