/** The state of one simulated region: its resources, its address maps, its clock and its luck. */
import { parseCidr, parseIpv4 } from '../../lambdas/core/ip/ipv4.ts';
import { Refusal } from '../refusal.ts';
import { AddressMap } from './address-map.ts';
import { Random } from './random.ts';
import { DEFAULT_RULES, type Rules } from './rules.ts';
import type {
  AvailabilityZone,
  Instance,
  InstanceTypeInfo,
  NetworkAcl,
  NetworkInterface,
  RouteTable,
  Subnet,
  SubnetCidrReservation,
  Vpc,
} from './stored.ts';
import { type Base, Table } from './table.ts';

export interface StateOptions {
  readonly seed?: number;
  readonly account?: string;
  readonly region?: string;
  /** Epoch milliseconds. */
  readonly now?: () => number;
  readonly rules?: Partial<Rules>;
}

/** Interfaces that are worked out when asked for, and where those of a subnet lie among them. */
export interface InterfaceBase extends Base<NetworkInterface> {
  /** First and one past the last slot of a subnet's interfaces. */
  slotsOf(subnetId: string): readonly [number, number] | undefined;
}

/** A launch template, as far as it bears on addresses. */
export interface LaunchTemplate {
  readonly instanceType?: string;
  readonly subnetId?: string;
  readonly ipv4PrefixCount?: number;
  readonly secondaryAddressCount?: number;
}

/** Documents of EKS and STS, as the AWS CLI prints them. */
export interface OtherServices {
  readonly clusters: Map<string, Readonly<Record<string, unknown>>>;
  readonly nodegroups: Map<string, Map<string, Readonly<Record<string, unknown>>>>;
  readonly addons: Map<string, Map<string, Readonly<Record<string, unknown>>>>;
  caller: Readonly<Record<string, unknown>>;
}

export class WorldState {
  account: string;
  region: string;
  rules: Rules;
  clock: () => number;
  random: Random;
  /** Ids have a stream of their own, so that they do not sway the choice of addresses. */
  ids: Random;

  readonly vpcs: Table<Vpc>;
  readonly subnets: Table<Subnet>;
  readonly interfaces: Table<NetworkInterface>;
  readonly reservations: Table<SubnetCidrReservation>;
  readonly instances: Table<Instance>;
  readonly routeTables: Table<RouteTable>;
  readonly networkAcls: Table<NetworkAcl>;
  readonly zones: Table<AvailabilityZone>;
  readonly instanceTypes: Table<InstanceTypeInfo>;
  readonly launchTemplates = new Map<string, LaunchTemplate>();
  /** Pools with no instances left, `m5.large:us-east-1a`. */
  readonly emptyPools = new Set<string>();
  readonly services: OtherServices = { clusters: new Map(), nodegroups: new Map(), addons: new Map(), caller: {} };

  readonly #base: InterfaceBase | undefined;
  readonly #maps = new Map<string, AddressMap>();
  readonly #slotsBySubnet = new Map<string, number[]>();
  /** `AvailableIpAddressCount` before it is cut off at 0. */
  readonly #balances = new Map<string, number>();
  /** What invisible holders have, while a change is under way. */
  readonly #hidden = new Map<string, number>();
  #pending: { readonly at: number; readonly apply: () => void }[] = [];

  constructor(options: StateOptions = {}, base?: InterfaceBase) {
    this.account = options.account ?? '111111111111';
    this.region = options.region ?? 'us-east-1';
    this.clock = options.now ?? Date.now;
    this.rules = { ...DEFAULT_RULES, ...options.rules };
    const seed = options.seed ?? 1;
    this.random = new Random(seed);
    this.ids = new Random(seed ^ 0x5bd1e995);
    this.#base = base;
    const now = (): number => this.clock();
    this.vpcs = new Table(now);
    this.subnets = new Table(now);
    this.interfaces = new Table(now, base);
    this.reservations = new Table(now);
    this.instances = new Table(now);
    this.routeTables = new Table(now);
    this.networkAcls = new Table(now);
    this.zones = new Table(now);
    this.instanceTypes = new Table(now);
  }

  /** A new id with this prefix, `subnet-0...`. */
  newId(prefix: string): string {
    return `${prefix}-${this.ids.hex17()}`;
  }

  /** Changes rules; those not named stay. */
  setRules(rules: Partial<Rules>): void {
    this.rules = { ...this.rules, ...rules };
  }

  /** Does later what takes time: attaching, detaching. */
  later(ms: number, apply: () => void): void {
    if (ms <= 0) apply();
    else this.#pending.push({ at: this.clock() + ms, apply });
  }

  /** Does what is due. Called before each request. */
  settle(): void {
    if (this.#pending.length === 0) return;
    const now = this.clock();
    const due = this.#pending.filter((change) => change.at <= now).sort((one, other) => one.at - other.at);
    this.#pending = this.#pending.filter((change) => change.at > now);
    for (const change of due) change.apply();
  }

  /** Takes the world as it is for what it has always been: a stale read then shows at least this. */
  forgetPast(): void {
    const tables = [this.vpcs, this.subnets, this.interfaces, this.reservations, this.instances, this.routeTables];
    for (const table of [...tables, this.networkAcls, this.zones, this.instanceTypes]) table.forget();
  }

  /** @throws Refusal `InvalidSubnetID.NotFound` */
  subnet(subnetId: string): Subnet {
    const subnet = this.subnets.get(subnetId);
    if (subnet === undefined) {
      throw new Refusal('InvalidSubnetID.NotFound', `The subnet ID '${subnetId}' does not exist`);
    }
    return subnet;
  }

  /** Slots of a subnet's interfaces in ascending order; some may hold nothing any more. */
  slotsOf(subnetId: string): readonly number[] {
    const added = this.#slotsBySubnet.get(subnetId) ?? [];
    const range = this.#base?.slotsOf(subnetId);
    if (range === undefined) return added;
    const [first, end] = range;
    return [...Array.from({ length: end - first }, (_, index) => first + index), ...added];
  }

  /** Ids of every subnet that is described or that an interface names. */
  knownSubnetIds(): string[] {
    return [...[...this.subnets.values()].map((subnet) => subnet.SubnetId ?? ''), ...this.#slotsBySubnet.keys()];
  }

  /** Stores an interface, new or changed, and leaves the address map to the caller. */
  storeInterface(eni: NetworkInterface): void {
    const id = eni.NetworkInterfaceId ?? '';
    const known = this.interfaces.get(id) !== undefined;
    const slot = this.interfaces.set(id, eni);
    if (known || eni.SubnetId === undefined) return;
    const slots = this.#slotsBySubnet.get(eni.SubnetId);
    if (slots === undefined) this.#slotsBySubnet.set(eni.SubnetId, [slot]);
    else slots.push(slot);
  }

  /** Adds an interface as Describe would show it, whoever made it, and takes its addresses; those that are held already stay with their holder. */
  putInterface(eni: NetworkInterface): void {
    const subnetId = eni.SubnetId ?? '';
    if (this.subnets.get(subnetId)?.CidrBlock !== undefined) this.changing(subnetId, (map) => holdAll(map, eni));
    this.storeInterface(eni);
  }

  /** The address map of a subnet, built from its interfaces and reservations on first use. `undefined` for an IPv6-only subnet. */
  mapOf(subnetId: string): AddressMap | undefined {
    const known = this.#maps.get(subnetId);
    if (known !== undefined) return known;
    const cidr = parseCidr(this.subnet(subnetId).CidrBlock ?? '');
    if (cidr === undefined) return undefined;
    const map = new AddressMap(cidr);
    for (const reservation of this.reservations.values()) {
      const range = parseCidr(reservation.Cidr ?? '');
      if (reservation.SubnetId !== subnetId || range === undefined || reservation.ReservationType === undefined)
        continue;
      map.reserve(range, reservation.ReservationType, true);
    }
    for (const slot of this.slotsOf(subnetId)) {
      const eni = this.interfaces.at(slot);
      if (eni !== undefined) holdAll(map, eni);
    }
    this.#maps.set(subnetId, map);
    return map;
  }

  /** Drops the map of a subnet: it is built anew when next needed. */
  dropMap(subnetId: string): void {
    this.#maps.delete(subnetId);
  }

  /**
   * Runs a change of a subnet's map and moves `AvailableIpAddressCount` by what the change took or gave back. The count starts as the subnet
   * says, which may differ from the map where a holder is invisible.
   */
  changing<T>(subnetId: string, change: (map: AddressMap) => T): T {
    const map = this.mapOf(subnetId);
    if (map === undefined) throw new Refusal('InvalidParameterValue', `Subnet ${subnetId} has no IPv4 CIDR block`);
    const before = this.countOf(map);
    this.#hidden.set(subnetId, before - this.#balanceOf(subnetId));
    try {
      return change(map);
    } finally {
      this.#hidden.delete(subnetId);
      const delta = this.countOf(map) - before;
      if (delta !== 0) {
        const subnet = this.subnet(subnetId);
        const balance = this.#balanceOf(subnetId) + delta;
        this.#balances.set(subnetId, balance);
        this.subnets.set(subnetId, { ...subnet, AvailableIpAddressCount: Math.max(0, balance) });
      }
    }
  }

  /** How far the subnet's own count was below the map's before the change that is under way: what invisible holders have. */
  hiddenOf(subnetId: string, map: AddressMap): number {
    return this.#hidden.get(subnetId) ?? this.countOf(map) - this.#balanceOf(subnetId);
  }

  #balanceOf(subnetId: string): number {
    return this.#balances.get(subnetId) ?? this.subnet(subnetId).AvailableIpAddressCount ?? 0;
  }

  /** What `AvailableIpAddressCount` would be by the map alone. */
  countOf(map: AddressMap): number {
    const leavesOut = this.rules.countLeavesOut;
    let count = map.free;
    if (leavesOut === 'both' || leavesOut === 'prefix') count -= map.reservedFree('prefix');
    if (leavesOut === 'both' || leavesOut === 'explicit') count -= map.reservedFree('explicit');
    return count;
  }
}

/** Takes every address and prefix of an interface; addresses outside the subnet take nothing. */
function holdAll(map: AddressMap, eni: NetworkInterface): void {
  for (const prefix of eni.Ipv4Prefixes ?? []) {
    const cidr = parseCidr(prefix.Ipv4Prefix ?? '');
    if (cidr !== undefined) map.takePrefix(cidr.base);
  }
  for (const entry of eni.PrivateIpAddresses ?? []) {
    const address = parseIpv4(entry.PrivateIpAddress ?? '');
    if (address !== undefined) map.take(address);
  }
}
