/** The ways to get from addresses to free /28s, each written as its own users would write it. */
import { excludeCidr } from 'cidr-tools';
import { AddressMap, popCount } from '../../../lambdas/core/ip/address-map.ts';
import { blockSize, type Cidr, formatIpv4, parseCidr, parseIpv4 } from '../../../lambdas/core/ip/ipv4.ts';
import { isFull, subnetLedger } from '../../../lambdas/core/subnet/ledger.ts';
import type { SubnetOccupancy } from '../../../lambdas/core/subnet/occupancy.ts';
import type { BenchSubnet } from './data.ts';
import type { Answer } from './digest.ts';

type Side = (subnets: readonly BenchSubnet[]) => () => readonly Answer[];

function ledgerAnswer(subnetId: string, cidr: Cidr, map: AddressMap): Answer {
  const subnet = {
    subnetId,
    vpcId: 'vpc',
    cidr,
    availabilityZone: 'a',
    availabilityZoneId: 'a',
    availableIps: 0,
    state: 'available',
    defaultForAz: false,
    mapPublicIpOnLaunch: false,
    tags: new Map<string, string>(),
  };
  const occupancy: SubnetOccupancy = {
    subnet,
    map,
    primaries: new Uint16Array(map.blocks),
    enis: 0,
    enisWithoutIpv4: 0,
    holders: new Map(),
    clusters: new Map(),
    owners: new Map(),
    strays: [],
    unattached: [],
    mixed: { count: 0, items: [] },
    foreignPrefixHolders: { count: 0, items: [] },
    edgePrefixes: [],
    stopped: new Map(),
    nodes: new Map(),
    records: [],
    eksUse: new Map(),
  };
  const ledger = subnetLedger({ subnet, occupancy, reservations: [] });
  if (!isFull(ledger)) throw new Error('no ledger');
  return { used: ledger.usedIps, freePrefixes: ledger.freePrefixes, largest: ledger.largestFreeBlockLength ?? 0 };
}

/** The whole ledger of the service, from dotted quads. */
const strings: Side = (subnets) => () =>
  subnets.map(({ cidr, addresses, prefixes }) => {
    const at = parseCidr(cidr) as Cidr;
    const map = new AddressMap(at);
    for (const address of addresses) map.addAddress(parseIpv4(address) as number);
    for (const prefix of prefixes) map.addPrefix((parseCidr(prefix) as Cidr).base);
    return ledgerAnswer(cidr, at, map);
  });

function asIntegers(subnets: readonly BenchSubnet[]) {
  return subnets.map(({ cidr, addresses, prefixes }) => ({
    cidr,
    at: parseCidr(cidr) as Cidr,
    addresses: Uint32Array.from(addresses, (address) => parseIpv4(address) as number),
    prefixes: Uint32Array.from(prefixes, (prefix) => (parseCidr(prefix) as Cidr).base),
  }));
}

/** The whole ledger, from integers, as the page scanner hands them over. */
const integers: Side = (subnets) => {
  const given = asIntegers(subnets);
  return () =>
    given.map(({ cidr, at, addresses, prefixes }) => {
      const map = new AddressMap(at);
      for (const address of addresses) map.addAddress(address);
      for (const base of prefixes) map.addPrefix(base);
      return ledgerAnswer(cidr, at, map);
    });
};

/** The least that any program must do: set the bits, count them, fold the free blocks. No class, no reservation, no range. */
const floor: Side = (subnets) => {
  const given = asIntegers(subnets);
  return () =>
    given.map(({ at, addresses, prefixes }) => {
      const blocks = blockSize(at.length) >>> 4;
      const words = new Uint16Array(blocks);
      words[0] = 0x000f;
      words[blocks - 1] = (words[blocks - 1] as number) | 0x8000;
      for (const address of addresses) {
        const offset = address - at.base;
        words[offset >>> 4] = (words[offset >>> 4] as number) | (1 << (offset & 15));
      }
      for (const base of prefixes) words[(base - at.base) >>> 4] = 0xffff;
      let used = -5;
      const free = new Uint8Array(blocks);
      for (let block = 0; block < blocks; block++) {
        const word = words[block] as number;
        used += popCount(word);
        if (word === 0) free[block] = 1;
      }
      let freePrefixes = 0;
      let largest = 0;
      for (let width = blocks, length = 28; width >= 1; width >>= 1, length--) {
        let count = 0;
        for (let i = 0; i < width; i++) count += free[i] as number;
        if (length === 28) freePrefixes = count;
        if (count > 0) largest = length;
        for (let i = 0; i < width >> 1; i++) free[i] = (free[2 * i] as number) & (free[2 * i + 1] as number);
      }
      return { used, freePrefixes, largest };
    });
};

/** cidr-tools: what is left of the subnet when everything held is excluded. */
const cidrTools: Side = (subnets) => () =>
  subnets.map(({ cidr, addresses, prefixes }) => {
    const { base, length } = parseCidr(cidr) as Cidr;
    const size = blockSize(length);
    const aws = [0, 1, 2, 3, size - 1].map((offset) => formatIpv4(base + offset));
    const left = excludeCidr([cidr], [...aws, ...addresses, ...prefixes]);
    let freeIps = 0;
    let freePrefixes = 0;
    let largest = 0;
    for (const block of left) {
      const bits = Number(block.slice(block.indexOf('/') + 1));
      freeIps += 2 ** (32 - bits);
      if (bits > 28) continue;
      freePrefixes += 2 ** (28 - bits);
      if (largest === 0 || bits < largest) largest = bits;
    }
    return { used: size - 5 - freeIps, freePrefixes, largest };
  });

/** What a script does first: a Set of address strings, asked for each address of each block. */
const setOfStrings: Side = (subnets) => () =>
  subnets.map(({ cidr, addresses, prefixes }) => {
    const { base, length } = parseCidr(cidr) as Cidr;
    const size = blockSize(length);
    const held = new Set<string>(addresses);
    for (const prefix of prefixes) {
      const first = (parseCidr(prefix) as Cidr).base;
      for (let i = 0; i < 16; i++) held.add(formatIpv4(first + i));
    }
    const used = held.size;
    for (const offset of [0, 1, 2, 3, size - 1]) held.add(formatIpv4(base + offset));
    const free: boolean[] = [];
    for (let first = 0; first < size; first += 16) {
      let any = false;
      for (let i = 0; i < 16 && !any; i++) any = held.has(formatIpv4(base + first + i));
      free.push(!any);
    }
    let largest = 0;
    let level = free;
    for (let bits = 28; ; bits--) {
      if (level.includes(true)) largest = bits;
      if (level.length === 1) break;
      level = level.filter((_, i) => i % 2 === 0).map((half, i) => half && (level[2 * i + 1] as boolean));
    }
    return { used, freePrefixes: free.filter(Boolean).length, largest };
  });

export const SIDES = { strings, integers, floor, 'cidr-tools': cidrTools, set: setOfStrings } as const;
export type SideName = keyof typeof SIDES;
