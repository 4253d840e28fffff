/** A region for the reading benchmarks, in EC2's own XML: spelling, order, indentation and size of a page are those of real answers. */
import { formatIpv4 } from '../../../lambdas/core/ip/ipv4.ts';
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
  return { cidr, enis };
}

/** A /18 for each subnet, interfaces with equally many addresses, scattered by a stride that is odd. */
function even(index: number, perEni: number, count: number): Held {
  const base = 10 * 2 ** 24 + index * 16384;
  const enis = Array.from({ length: count }, (_, eni) => ({
    addresses: Array.from({ length: perEni }, (_, i) => formatIpv4(base + 16 + (((eni * perEni + i) * 37) % 16352))),
  }));
  return { cidr: `${formatIpv4(base)}/18`, enis };
}

function regionOf(spec: RegionSpec): Held[] {
  if (spec.addresses === 's2') return dataSet('S2').slice(0, spec.subnets).map(deal);
  const perEni = spec.addresses;
  const enis = spec.enisPerSubnet ?? ENIS_PER_SUBNET;
  return Array.from({ length: spec.subnets }, (_, index) => even(index, perEni, enis));
}

export interface RenderedRegion {
  readonly subnets: Buffer;
  /** Pages of interfaces by VPC id; the token of a page is the index of the next. */
  readonly pages: ReadonlyMap<string, readonly Buffer[]>;
  readonly enis: number;
}

export function renderRegion(spec: RegionSpec): RenderedRegion {
  const region = regionOf(spec);
  const subnets = new Lines();
  subnets.add(0, '<?xml version="1.0" encoding="UTF-8"?>');
  subnets.add(0, '<DescribeSubnetsResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/">');
  subnets.add(1, '<subnetSet>');
  const pages = new Map<string, Buffer[]>();
  let serial = 0;
  for (let first = 0; first < region.length; first += SUBNETS_PER_VPC) {
    const vpc = vpcId(first / SUBNETS_PER_VPC);
    let out = new Lines();
    const rendered: Buffer[] = [];
    const total = region.slice(first, first + SUBNETS_PER_VPC).reduce((sum, { enis }) => sum + enis.length, 0);
    let onPage = 0;
    let done = 0;
    const open = () => {
      out = new Lines();
      out.add(0, '<?xml version="1.0" encoding="UTF-8"?>');
      out.add(0, '<DescribeNetworkInterfacesResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/">');
      out.add(1, '<requestId>0d4c2c1e-0000-4000-8000-000000000000</requestId>');
      out.add(1, '<networkInterfaceSet>');
      onPage = 0;
    };
    const close = () => {
      out.add(1, '</networkInterfaceSet>');
      if (done < total) out.add(1, `<nextToken>${rendered.length + 1}</nextToken>`);
      out.add(0, '</DescribeNetworkInterfacesResponse>');
      rendered.push(Buffer.from(out.toString()));
    };
    open();
    region.slice(first, first + SUBNETS_PER_VPC).forEach(({ cidr, enis }, offset) => {
      const index = first + offset;
      subnets.add(2, '<item>');
      subnets.add(3, `<subnetId>${subnetId(index)}</subnetId>`);
      subnets.add(3, `<vpcId>${vpc}</vpcId>`);
      subnets.add(3, `<cidrBlock>${cidr}</cidrBlock>`);
      subnets.add(3, '<state>available</state>');
      subnets.add(3, '<availabilityZone>us-east-1a</availabilityZone>');
      subnets.add(3, '<availabilityZoneId>use1-az1</availabilityZoneId>');
      subnets.add(3, '<availableIpAddressCount>0</availableIpAddressCount>');
      subnets.add(3, '<ownerId>111111111111</ownerId>');
      subnets.add(2, '</item>');
      for (const { addresses, prefix } of enis) {
        if (onPage === PAGE_SIZE) {
          close();
          open();
        }
        writeInterface(out, serial++, index, addresses, prefix);
        onPage++;
        done++;
      }
    });
    close();
    pages.set(vpc, rendered);
  }
  subnets.add(1, '</subnetSet>');
  subnets.add(0, '</DescribeSubnetsResponse>');
  return { subnets: Buffer.from(subnets.toString()), pages, enis: serial };
}
