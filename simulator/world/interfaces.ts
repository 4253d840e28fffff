/** The life of a network interface: created, given addresses, attached, detached, deleted. */
import { formatIpv4, type Ipv4, parseCidr, parseIpv4 } from '../../lambdas/core/ip/ipv4.ts';
import { Refusal } from '../refusal.ts';
import { type Claimed, claim, type Purpose, type Wanted } from './claims.ts';
import { CATALOGUE } from './instance-types.ts';
import type { WorldState } from './state.ts';
import type { Instance, InstanceTypeInfo, NetworkInterface, Tag } from './stored.ts';

export interface InterfaceSpec extends Wanted {
  readonly subnetId: string;
  /** The first address, if the caller names it; else EC2 picks one. */
  readonly primary?: string;
  readonly description?: string;
  readonly interfaceType?: string;
  readonly groups?: readonly string[];
  readonly tags?: readonly Tag[];
  /** Any further field, as Describe shows it. */
  readonly fields?: NetworkInterface;
}

/** Creates an interface with its primary address and whatever else it shall hold. */
export function createInterface(
  state: WorldState,
  spec: InterfaceSpec,
  purpose: Purpose = 'interface',
): NetworkInterface {
  const subnet = state.subnet(spec.subnetId);
  if (state.interfaces.size >= state.rules.maxInterfaces) {
    const message = 'The maximum number of network interfaces has been reached.';
    throw new Refusal('NetworkInterfaceLimitExceeded', message);
  }
  // An efa-only interface holds no address at all.
  const bare = spec.interfaceType === 'efa-only';
  const addresses = [...(spec.primary === undefined ? [] : [spec.primary]), ...(spec.addresses ?? [])];
  const picksPrimary = spec.primary === undefined && addresses.length === 0 && !bare;
  const claimed = claim(
    state,
    spec.subnetId,
    { ...spec, addresses, count: (spec.count ?? 0) + (picksPrimary ? 1 : 0) },
    purpose,
  );
  const first = claimed.addresses[0];
  const eni: NetworkInterface = {
    AvailabilityZone: subnet.AvailabilityZone,
    AvailabilityZoneId: subnet.AvailabilityZoneId,
    Description: spec.description ?? '',
    Groups: (spec.groups ?? []).map((GroupId) => ({ GroupId, GroupName: GroupId })),
    InterfaceType: (spec.interfaceType ?? 'interface') as NonNullable<NetworkInterface['InterfaceType']>,
    Ipv6Addresses: [],
    MacAddress: macAddress(state),
    NetworkInterfaceId: state.newId('eni'),
    OwnerId: state.account,
    ...(first === undefined
      ? {}
      : { PrivateDnsName: dnsName(first, state.region), PrivateIpAddress: formatIpv4(first) }),
    PrivateIpAddresses: claimed.addresses.map((address, index) => entryOf(state, address, index === 0)),
    ...(claimed.prefixes.length === 0 ? {} : { Ipv4Prefixes: claimed.prefixes.map(prefixEntry) }),
    RequesterManaged: false,
    SourceDestCheck: true,
    Status: 'available',
    SubnetId: spec.subnetId,
    TagSet: [...(spec.tags ?? [])],
    VpcId: subnet.VpcId,
    ...spec.fields,
  };
  state.storeInterface(eni);
  return eni;
}

/** Gives an interface more addresses or prefixes. */
export function assign(state: WorldState, eniId: string, wanted: Wanted): Claimed {
  const eni = interfaceOf(state, eniId);
  const instance =
    eni.Attachment?.InstanceId === undefined ? undefined : state.instances.get(eni.Attachment.InstanceId);
  const more = sum(wanted.addresses?.length, wanted.count, wanted.prefixes?.length, wanted.prefixCount);
  if (instance !== undefined) checkSlots(state, instance, slotsUsed(eni) + more);
  const claimed = claim(state, eni.SubnetId ?? '', wanted);
  const prefixes = [...(eni.Ipv4Prefixes ?? []), ...claimed.prefixes.map(prefixEntry)];
  state.storeInterface({
    ...eni,
    PrivateIpAddresses: [
      ...(eni.PrivateIpAddresses ?? []),
      ...claimed.addresses.map((address) => entryOf(state, address, false)),
    ],
    ...(prefixes.length === 0 ? {} : { Ipv4Prefixes: prefixes }),
  });
  return claimed;
}

/** Takes secondary addresses or prefixes away from an interface: all that are named, or none. */
export function unassign(
  state: WorldState,
  eniId: string,
  addresses: readonly string[],
  prefixes: readonly string[],
): void {
  const eni = interfaceOf(state, eniId);
  const held = eni.PrivateIpAddresses ?? [];
  for (const address of addresses) {
    const entry = held.find((candidate) => candidate.PrivateIpAddress === address);
    if (entry === undefined || entry.Primary === true) {
      const message = `Some of the specified addresses are not assigned to interface ${eniId}`;
      throw new Refusal('InvalidParameterValue', message);
    }
  }
  for (const prefix of prefixes) {
    if (eni.Ipv4Prefixes?.some((candidate) => candidate.Ipv4Prefix === prefix) !== true) {
      const message = `Some of the specified prefixes are not assigned to interface ${eniId}`;
      throw new Refusal('InvalidParameterValue', message);
    }
  }
  release(state, eni.SubnetId, addresses, prefixes);
  const kept = (eni.Ipv4Prefixes ?? []).filter((entry) => !prefixes.includes(entry.Ipv4Prefix ?? ''));
  const { Ipv4Prefixes: _, ...rest } = eni;
  state.storeInterface({
    ...rest,
    PrivateIpAddresses: held.filter((entry) => !addresses.includes(entry.PrivateIpAddress ?? '')),
    ...(kept.length === 0 ? {} : { Ipv4Prefixes: kept }),
  });
}

/** Deletes an interface that nothing uses. */
export function deleteInterface(state: WorldState, eniId: string): void {
  const eni = interfaceOf(state, eniId);
  if (eni.RequesterManaged === true || eni.Operator?.Managed === true) {
    const message = `You do not have permission to manage the network interface '${eniId}'.`;
    throw new Refusal('OperationNotPermitted', message);
  }
  if (eni.Status !== 'available') {
    throw state.rules.deleteInUse === 'InvalidParameterValue'
      ? new Refusal('InvalidParameterValue', `Network interface '${eniId}' is currently in use.`)
      : new Refusal('InvalidNetworkInterface.InUse', `Interface: [${eniId}] in use.`);
  }
  removeInterface(state, eni);
}

/** Removes an interface whatever its state, and frees what it held. */
export function removeInterface(state: WorldState, eni: NetworkInterface): void {
  const addresses = (eni.PrivateIpAddresses ?? []).map((entry) => entry.PrivateIpAddress ?? '');
  const prefixes = (eni.Ipv4Prefixes ?? []).map((entry) => entry.Ipv4Prefix ?? '');
  release(state, eni.SubnetId, addresses, prefixes);
  state.interfaces.delete(eni.NetworkInterfaceId ?? '');
}

/** @throws Refusal `InvalidNetworkInterfaceID.NotFound` */
export function interfaceOf(state: WorldState, eniId: string): NetworkInterface {
  const eni = state.interfaces.get(eniId);
  if (eni === undefined) {
    throw new Refusal('InvalidNetworkInterfaceID.NotFound', `The networkInterface ID '${eniId}' does not exist`);
  }
  return eni;
}

/** Limits of an instance type, from the world's own list or the built-in one. */
export function limitsOf(state: WorldState, instanceType: string | undefined): InstanceTypeInfo | undefined {
  return instanceType === undefined
    ? undefined
    : (state.instanceTypes.get(instanceType) ?? CATALOGUE.get(instanceType));
}

/** @throws Refusal `PrivateIpAddressLimitExceeded`: more addresses and prefixes than an interface of this instance may hold. */
export function checkSlots(state: WorldState, instance: Instance, slots: number): void {
  const limit = limitsOf(state, instance.InstanceType)?.NetworkInfo?.Ipv4AddressesPerInterface;
  if (limit !== undefined && slots > limit) {
    throw new Refusal('PrivateIpAddressLimitExceeded', 'Number of private addresses will exceed limit.');
  }
}

/** Slots in use: one for each single address and one for each prefix (EC2 user guide, prefix delegation). */
export function slotsUsed(eni: NetworkInterface): number {
  return (eni.PrivateIpAddresses?.length ?? 0) + (eni.Ipv4Prefixes?.length ?? 0);
}

function release(
  state: WorldState,
  subnetId: string | undefined,
  addresses: readonly string[],
  prefixes: readonly string[],
): void {
  // The interface of a subnet that nobody described, or of an IPv6-only one, holds nothing that is counted.
  if (subnetId === undefined || state.subnets.get(subnetId)?.CidrBlock === undefined) return;
  state.changing(subnetId, (map) => {
    for (const text of addresses) {
      const address = parseIpv4(text);
      if (address !== undefined) map.release(address);
    }
    for (const text of prefixes) {
      const cidr = parseCidr(text);
      if (cidr !== undefined) map.releasePrefix(cidr.base);
    }
  });
}

function entryOf(
  state: WorldState,
  address: Ipv4,
  primary: boolean,
): NonNullable<NetworkInterface['PrivateIpAddresses']>[number] {
  return { Primary: primary, PrivateDnsName: dnsName(address, state.region), PrivateIpAddress: formatIpv4(address) };
}

function prefixEntry(base: Ipv4): { readonly Ipv4Prefix: string } {
  return { Ipv4Prefix: `${formatIpv4(base)}/28` };
}

function dnsName(address: Ipv4, region: string): string {
  const domain = region === 'us-east-1' ? 'ec2.internal' : `${region}.compute.internal`;
  return `ip-${formatIpv4(address).replaceAll('.', '-')}.${domain}`;
}

function macAddress(state: WorldState): string {
  const bytes = Array.from({ length: 5 }, () => state.ids.below(256).toString(16).padStart(2, '0'));
  return `02:${bytes.join(':')}`;
}

function sum(...numbers: readonly (number | undefined)[]): number {
  return numbers.reduce<number>((total, number) => total + (number ?? 0), 0);
}
