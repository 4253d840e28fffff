/**
 * Rebuilds, from a stream of network interfaces, who holds which address of each subnet.
 *
 * One pass, each interface looked at once: memory grows with the subnets, and by the id of each interface (about twelve bytes), never by its record, unless the
 * caller asks for a subnet's records to be kept.
 */
import { AddressMap, BLOCK_IPS } from '../ip/address-map.ts';
import { formatIpv4 } from '../ip/ipv4.ts';
import { countEksUse, type EksUse, type EksUseCount, eksRole, secondaryIpsOf } from './eks-use.ts';
import { classifyEni, clusterOfEni, EKS_CLASSES, type EniClass, isCniEni } from './eni-class.ts';
import { IdSet } from './id-set.ts';
import type { EniRecord, EniSink, InstanceFacts, RegionFacts, SubnetFacts } from './snapshot.ts';

/** What a class of interfaces or a cluster holds: interfaces, addresses (16 for each prefix, less what AWS reserves) and delegated prefixes. */
export interface HolderShare {
  readonly enis: number;
  readonly ips: number;
  readonly prefixes: number;
}

/** An address or prefix that lies outside the CIDR of the subnet its interface names. Reported, never counted. */
export interface Stray {
  readonly eniId: string;
  /** `10.0.0.9`, or `10.0.0.16/28` for a prefix. */
  readonly address: string;
}

/** An interface that is kept whole, with what was concluded about it. */
export interface ClassifiedEni {
  readonly eni: EniRecord;
  readonly class: EniClass;
  readonly cluster?: string;
}

/** What one node holds in one subnet. */
export interface NodeHolding {
  readonly instanceId: string;
  /** Single addresses that are not the first of their interface. */
  readonly secondaryIps: number;
  readonly prefixes: number;
  readonly enis: number;
}

/** A list that stops growing: the count is exact, the items are the smallest few, sorted. */
export interface Sample<T> {
  readonly count: number;
  readonly items: readonly T[];
}

export interface SubnetOccupancy {
  readonly subnet: SubnetFacts;
  readonly map: AddressMap;
  /** Bit n of word b: the address is the primary one of its interface. */
  readonly primaries: Uint16Array;
  readonly enis: number;
  readonly enisWithoutIpv4: number;
  readonly holders: ReadonlyMap<EniClass, HolderShare>;
  readonly clusters: ReadonlyMap<string, HolderShare>;
  /** What nodes and pods use, by cluster; by `NO_CLUSTER` where none is named. */
  readonly eksUse: ReadonlyMap<string, EksUse>;
  /** Owner accounts of the interfaces, with what each holds. */
  readonly owners: ReadonlyMap<string, HolderShare>;
  readonly strays: readonly Stray[];
  /** Interfaces with status `available`, all of them. */
  readonly unattached: readonly ClassifiedEni[];
  /** Interfaces that hold prefixes as well as secondary single addresses. */
  readonly mixed: Sample<string>;
  /** Prefix holders that are no part of EKS, by their class. */
  readonly foreignPrefixHolders: Sample<string>;
  /** Delegated blocks that hold an address AWS reserves. */
  readonly edgePrefixes: readonly string[];
  /** Addresses by stopped instance. */
  readonly stopped: ReadonlyMap<string, number>;
  /** What each known Kubernetes node holds here; empty where no node data was given. */
  readonly nodes: ReadonlyMap<string, NodeHolding>;
  /** Every interface, where the caller asked for it. */
  readonly records: readonly ClassifiedEni[];
}

export interface RegionOccupancy {
  readonly subnets: ReadonlyMap<string, SubnetOccupancy>;
  /** Distinct interfaces, those of subnets outside the scope included. */
  readonly enis: number;
  /** Interfaces that name a subnet which is not in the facts. */
  readonly enisOutsideScope: number;
}

export interface OccupancyOptions {
  /** Subnets whose records are kept whole; `all` for every subnet. Default: none. */
  readonly keep?: 'all' | ReadonlySet<string>;
}

/** Enough ids to find the holders by; the number is exact beside it. */
const SAMPLE_SIZE = 100;

class Share implements HolderShare {
  enis = 0;
  ips = 0;
  prefixes = 0;
}

/** Keeps the smallest ids, sorted, so that the order in which interfaces go by does not show. */
class SmallestIds implements Sample<string> {
  count = 0;
  readonly items: string[] = [];
  add(id: string): void {
    this.count++;
    const last = this.items.at(-1);
    if (this.items.length === SAMPLE_SIZE && last !== undefined && id >= last) return;
    let at = this.items.length;
    while (at > 0 && (this.items[at - 1] as string) > id) at--;
    this.items.splice(at, 0, id);
    if (this.items.length > SAMPLE_SIZE) this.items.pop();
  }
}

class Holding implements NodeHolding {
  readonly instanceId: string;
  secondaryIps = 0;
  prefixes = 0;
  enis = 0;
  constructor(instanceId: string) {
    this.instanceId = instanceId;
  }
}

/** A node's or other instance's first interface, until its instance is known. */
interface Pending {
  readonly place: Place;
  readonly instanceId: string;
  readonly eniId: string;
  readonly ips: number;
  readonly prefixes: number;
  readonly secondaryIps: number;
  readonly cluster: string | undefined;
  readonly kept?: ClassifiedEni;
}

class Place implements SubnetOccupancy {
  readonly subnet: SubnetFacts;
  readonly map: AddressMap;
  readonly primaries: Uint16Array;
  readonly keep: boolean;
  enis = 0;
  enisWithoutIpv4 = 0;
  readonly holders = new Map<EniClass, Share>();
  readonly clusters = new Map<string, Share>();
  readonly eksUse = new Map<string, EksUseCount>();
  readonly owners = new Map<string, Share>();
  readonly strays: Stray[] = [];
  readonly unattached: ClassifiedEni[] = [];
  readonly mixed = new SmallestIds();
  readonly foreignPrefixHolders = new SmallestIds();
  readonly edgePrefixes: string[] = [];
  readonly stopped = new Map<string, number>();
  readonly nodes = new Map<string, Holding>();
  readonly records: ClassifiedEni[] = [];

  constructor(subnet: SubnetFacts, map: AddressMap, keep: boolean) {
    this.subnet = subnet;
    this.map = map;
    this.primaries = new Uint16Array(map.blocks);
    this.keep = keep;
  }

  /** Marks what the interface holds. @returns the usable addresses that nobody held before. */
  mark(eni: EniRecord): number {
    const map = this.map;
    let added = 0;
    for (const base of eni.prefixes) {
      if (!map.contains(base)) {
        this.strays.push({ eniId: eni.eniId, address: `${formatIpv4(base)}/28` });
        continue;
      }
      const block = (base - map.cidr.base) / BLOCK_IPS;
      if (map.isEdge(block) && !map.isDelegated(block)) this.edgePrefixes.push(`${formatIpv4(base)}/28`);
      added += map.addPrefix(base);
    }
    for (const address of eni.addresses) {
      if (map.contains(address)) added += map.addAddress(address);
      else this.strays.push({ eniId: eni.eniId, address: formatIpv4(address) });
    }
    const primary = eni.primary;
    if (primary !== undefined && map.contains(primary)) {
      const offset = primary - map.cidr.base;
      const block = offset >>> 4;
      this.primaries[block] = (this.primaries[block] as number) | (1 << (offset & 15));
    }
    return added;
  }
}

function share<K>(shares: Map<K, Share>, key: K): Share {
  let found = shares.get(key);
  if (found === undefined) {
    found = new Share();
    shares.set(key, found);
  }
  return found;
}

function count(shareOf: Share, ips: number, prefixes: number): void {
  shareOf.enis++;
  shareOf.ips += ips;
  shareOf.prefixes += prefixes;
}

/** Takes interfaces one by one; {@link OccupancyBuilder.finish} gives the result, once. Repeats of an interface are passed over. */
export class OccupancyBuilder implements EniSink {
  private readonly places = new Map<string, Place>();
  private readonly seen = new IdSet('eni-');
  private readonly nodeInstances = new IdSet('i-');
  private readonly instances = new Map<string, InstanceFacts>();
  private readonly knownNodes = new Set<string>();
  private readonly pending: Pending[] = [];
  private outside = 0;

  constructor(facts: RegionFacts, options: OccupancyOptions = {}) {
    const keep = options.keep;
    for (const subnet of facts.subnets) {
      if (subnet.cidr === undefined) continue;
      const kept = keep === 'all' || (keep?.has(subnet.subnetId) ?? false);
      this.places.set(subnet.subnetId, new Place(subnet, new AddressMap(subnet.cidr), kept));
    }
    if (facts.instances.state !== 'absent') {
      for (const instance of facts.instances.value) this.instances.set(instance.instanceId, instance);
    }
    for (const kubernetes of facts.kubernetes) {
      if (kubernetes.nodes.state === 'absent') continue;
      for (const node of kubernetes.nodes.value)
        if (node.instanceId !== undefined) this.knownNodes.add(node.instanceId);
    }
  }

  add(eni: EniRecord): void {
    if (!this.seen.add(eni.eniId)) return;
    const instanceId = eni.attachment?.instanceId;
    if (instanceId !== undefined && isCniEni(eni)) this.nodeInstances.add(instanceId);
    const place = this.places.get(eni.subnetId);
    if (place === undefined) {
      this.outside++;
      return;
    }
    const instance = instanceId === undefined ? undefined : this.instances.get(instanceId);
    const ips = place.mark(eni);
    const prefixes = eni.prefixes.length;
    const cluster = clusterOfEni(eni, instance);
    const found = classifyEni(eni, instance);
    const eniClass = found === 'primary-of-instance' ? this.primaryClass(instanceId as string) : found;

    place.enis++;
    if (eni.addresses.length === 0 && prefixes === 0) place.enisWithoutIpv4++;
    if (cluster !== undefined) count(share(place.clusters, cluster), ips, prefixes);
    if (eni.ownerId !== undefined) count(share(place.owners, eni.ownerId), ips, prefixes);
    if (prefixes > 0 && eni.addresses.length > 1) place.mixed.add(eni.eniId);
    if (instance?.state === 'stopped' && ips > 0) {
      place.stopped.set(instance.instanceId, (place.stopped.get(instance.instanceId) ?? 0) + ips);
    }
    if (instanceId !== undefined && this.knownNodes.has(instanceId)) this.countNode(place, instanceId, eni);

    const kept =
      place.keep || eni.status === 'available'
        ? { eni, class: eniClass ?? 'instance-other', ...(cluster === undefined ? {} : { cluster }) }
        : undefined;
    if (kept !== undefined && place.keep) place.records.push(kept);
    if (kept !== undefined && eni.status === 'available') place.unattached.push(kept);

    if (eniClass === undefined) {
      const secondaryIps = secondaryIpsOf(eni);
      const waiting = {
        place,
        instanceId: instanceId as string,
        eniId: eni.eniId,
        ips,
        prefixes,
        secondaryIps,
        cluster,
      };
      this.pending.push(kept === undefined ? waiting : { ...waiting, kept });
    } else {
      this.countClass(place, eniClass, eni.eniId, ips, prefixes);
      const role = eksRole(eni, eniClass);
      if (role !== undefined) countEksUse(place.eksUse, cluster, role, prefixes, secondaryIpsOf(eni));
    }
  }

  /** Settles what waited for later interfaces and hands over the maps. */
  finish(): RegionOccupancy {
    for (const { place, instanceId, eniId, ips, prefixes, secondaryIps, cluster, kept } of this.pending) {
      const node = this.nodeInstances.has(instanceId);
      this.countClass(place, node ? 'node-primary' : 'instance-other', eniId, ips, prefixes);
      if (node) countEksUse(place.eksUse, cluster, 'node', prefixes, secondaryIps);
      if (node && kept !== undefined) {
        const at = place.records.indexOf(kept);
        if (at >= 0) place.records[at] = { ...kept, class: 'node-primary' };
      }
    }
    this.pending.length = 0;
    return { subnets: this.places, enis: this.seen.size, enisOutsideScope: this.outside };
  }

  /** `undefined`: not known until every interface has gone by. */
  private primaryClass(instanceId: string): EniClass | undefined {
    return this.knownNodes.has(instanceId) || this.nodeInstances.has(instanceId) ? 'node-primary' : undefined;
  }

  private countClass(place: Place, eniClass: EniClass, eniId: string, ips: number, prefixes: number): void {
    count(share(place.holders, eniClass), ips, prefixes);
    // An EFA interface may well be a node's: it proves nothing either way.
    if (prefixes > 0 && eniClass !== 'efa' && !EKS_CLASSES.has(eniClass)) place.foreignPrefixHolders.add(eniId);
  }

  private countNode(place: Place, instanceId: string, eni: EniRecord): void {
    let holding = place.nodes.get(instanceId);
    if (holding === undefined) {
      holding = new Holding(instanceId);
      place.nodes.set(instanceId, holding);
    }
    holding.enis++;
    holding.prefixes += eni.prefixes.length;
    holding.secondaryIps += secondaryIpsOf(eni);
  }
}
