/** Taking addresses and prefixes of a subnet, all that is asked for or none of it. */
import { type Cidr, formatIpv4, type Ipv4, parseCidr, parseIpv4 } from '../../lambdas/core/ip/ipv4.ts';
import { Refusal } from '../refusal.ts';
import { type AddressMap, PREFIX_SIZE } from './address-map.ts';
import type { WorldState } from './state.ts';

/** What a call asks of a subnet. */
export interface Wanted {
  /** Addresses that the caller names. */
  readonly addresses?: readonly string[];
  /** How many more EC2 shall pick. */
  readonly count?: number;
  /** /28s that the caller names. */
  readonly prefixes?: readonly string[];
  readonly prefixCount?: number;
}

export interface Claimed {
  readonly addresses: readonly Ipv4[];
  readonly prefixes: readonly Ipv4[];
}

/** `launch`: the call starts instances, and want is told in the words of RunInstances, always by its own code. */
export type Purpose = 'interface' | 'launch';

/**
 * Takes what is wanted.
 *
 * @throws Refusal `InsufficientFreeAddressesInSubnet`, `InsufficientCidrBlocks` or, if the rules say so, `InvalidParameterValue`: not enough left;
 * `InvalidIPAddress.InUse`, `InvalidParameterValue`: a named address or prefix that cannot be had. Nothing is taken then.
 */
export function claim(state: WorldState, subnetId: string, wanted: Wanted, purpose: Purpose = 'interface'): Claimed {
  const named = (wanted.addresses ?? []).map(readAddress);
  const namedPrefixes = (wanted.prefixes ?? []).map(readPrefix);
  return state.changing(subnetId, (map) => {
    const addresses: Ipv4[] = [];
    const prefixes: Ipv4[] = [];
    try {
      for (const address of named) takeNamed(map, address, addresses);
      for (const prefix of namedPrefixes) takeNamedPrefix(map, prefix, prefixes);
      takeSingles(state, subnetId, map, wanted.count ?? 0, addresses, purpose);
      takePrefixes(state, subnetId, map, wanted.prefixCount ?? 0, prefixes, purpose);
    } catch (error) {
      for (const address of addresses) map.release(address);
      for (const prefix of prefixes) map.releasePrefix(prefix);
      throw error;
    }
    return { addresses, prefixes };
  });
}

function takeNamed(map: AddressMap, address: Ipv4, taken: Ipv4[]): void {
  const state = map.stateOf(address);
  const text = formatIpv4(address);
  if (state === 'outside') {
    throw new Refusal('InvalidParameterValue', `Address ${text} does not fall within the subnet's address range`);
  }
  if (state === 'aws')
    throw new Refusal('InvalidParameterValue', `Address ${text} is in subnet's reserved address range`);
  if (!map.take(address)) throw new Refusal('InvalidIPAddress.InUse', `Address ${text} is in use.`);
  taken.push(address);
}

function takeNamedPrefix(map: AddressMap, prefix: Cidr, taken: Ipv4[]): void {
  const text = `${formatIpv4(prefix.base)}/${prefix.length}`;
  if (!map.prefixIsFree(prefix)) {
    throw new Refusal(
      'InvalidParameterValue',
      `The prefix ${text} overlaps addresses that are in use, or is not in the subnet`,
    );
  }
  map.takePrefix(prefix.base);
  taken.push(prefix.base);
}

function takeSingles(
  state: WorldState,
  subnetId: string,
  map: AddressMap,
  count: number,
  taken: Ipv4[],
  purpose: Purpose,
): void {
  // The subnet's own count may be below the map's, where somebody holds addresses that we cannot see.
  const hidden = hiddenIn(state, subnetId, map);
  for (let i = 0; i < count; i++) {
    const left = map.free - map.reservedFree('prefix') - map.reservedFree('explicit') - hidden;
    const address = left > 0 ? map.pickSingle(state.random) : undefined;
    if (address === undefined) throw noAddresses(state, subnetId, purpose);
    map.take(address);
    taken.push(address);
  }
}

function takePrefixes(
  state: WorldState,
  subnetId: string,
  map: AddressMap,
  count: number,
  taken: Ipv4[],
  purpose: Purpose,
): void {
  if (count === 0) return;
  const { reserved, general } = map.freePrefixes();
  const hidden = hiddenIn(state, subnetId, map);
  for (let i = 0; i < count; i++) {
    const unreserved = map.free - map.reservedFree('prefix') - map.reservedFree('explicit');
    const fromGeneral =
      (state.rules.prefixFallback || !map.hasReservation('prefix')) && unreserved - hidden >= PREFIX_SIZE;
    const prefix = drawOne(state, reserved) ?? (fromGeneral ? drawOne(state, general) : undefined);
    if (prefix === undefined) throw noPrefixes(state, purpose);
    map.takePrefix(prefix);
    taken.push(prefix);
  }
}

function drawOne(state: WorldState, choices: Ipv4[]): Ipv4 | undefined {
  if (choices.length === 0) return undefined;
  return choices.splice(state.random.below(choices.length), 1)[0];
}

/** Addresses that the subnet counts as taken and nobody visible holds. */
function hiddenIn(state: WorldState, subnetId: string, map: AddressMap): number {
  return Math.max(0, state.hiddenOf(subnetId, map));
}

function noAddresses(state: WorldState, subnetId: string, purpose: Purpose): Refusal {
  if (purpose === 'launch') {
    const message = `There are not enough free addresses in subnet '${subnetId}' to satisfy the requested number of instances.`;
    return new Refusal('InsufficientFreeAddressesInSubnet', message);
  }
  if (state.rules.exhaustionShape === 'invalid-parameter-value') return insufficientByValue();
  const message = 'The specified subnet does not have enough free addresses to satisfy the request.';
  return new Refusal('InsufficientFreeAddressesInSubnet', message);
}

function noPrefixes(state: WorldState, purpose: Purpose): Refusal {
  if (purpose === 'interface' && state.rules.exhaustionShape === 'invalid-parameter-value')
    return insufficientByValue();
  const message = 'The specified subnet does not have enough free cidr blocks to satisfy the request.';
  return new Refusal('InsufficientCidrBlocks', message);
}

function insufficientByValue(): Refusal {
  return new Refusal('InvalidParameterValue', "There aren't sufficient free Ipv4 addresses or prefixes");
}

function readAddress(text: string): Ipv4 {
  const address = parseIpv4(text);
  if (address === undefined) throw new Refusal('InvalidParameterValue', `invalid value for parameter address: ${text}`);
  return address;
}

function readPrefix(text: string): Cidr {
  const prefix = parseCidr(text);
  if (prefix?.length !== 28) {
    throw new Refusal(
      'InvalidParameterValue',
      `Value (${text}) for parameter Ipv4Prefix is invalid. It must be a /28.`,
    );
  }
  return prefix;
}
