/** A simulated region that tests and the demo build and change by hand, and that the server answers from. */

import { type AttachSpec, attach, detach, instanceOf } from './attachments.ts';
import type { Claimed, Wanted } from './claims.ts';
import { type LaunchSpec, launch, stop, terminate } from './instances.ts';
import { assign, createInterface, deleteInterface, type InterfaceSpec, unassign } from './interfaces.ts';
import { type LaunchTemplate, type StateOptions, WorldState } from './state.ts';
import type { Instance, NetworkInterface, Subnet, SubnetCidrReservation, Tag, Vpc } from './stored.ts';
import {
  addSubnet,
  addVpc,
  deleteSubnet,
  type ReservationSpec,
  reserve,
  type SubnetSpec,
  unreserve,
  type VpcSpec,
} from './subnets.ts';
import { SyntheticInterfaces, type SyntheticSpec, syntheticSubnets } from './synthetic.ts';
import { createTags, deleteTags } from './tags.ts';

/** Tags as a plain object. */
export type TagsLike = Readonly<Record<string, string>> | readonly Tag[];

export interface WorldOptions extends StateOptions {
  /** Letters of the region's zones; `''` for none. */
  readonly zones?: string;
}

/**
 * One region. Each method is the call of that name in EC2, with the same rules and the same refusals, and without HTTP.
 *
 * @example
 * const world = new World({ seed: 7 });
 * const vpc = world.addVpc({ cidr: '10.0.0.0/16' });
 * const subnet = world.addSubnet({ vpcId: vpc.VpcId!, cidr: '10.0.1.0/24', zone: 'us-east-1a' });
 * world.addEni({ subnetId: subnet.SubnetId!, prefixCount: 2 });
 * world.availableIps(subnet.SubnetId!) === 251 - 1 - 32;
 */
export class World extends WorldState {
  constructor(options: WorldOptions = {}, base?: SyntheticInterfaces) {
    super(options, base);
    [...(options.zones ?? 'abc')].forEach((letter, index) => {
      this.addZone(`${this.region}${letter}`, `${shortRegion(this.region)}-az${index + 1}`);
    });
  }

  /** A region with a great many interfaces in little memory: each is worked out when it is asked for, the same every time. */
  static synthetic(spec: SyntheticSpec, options: Omit<WorldOptions, 'account' | 'region'> = {}): World {
    const base = new SyntheticInterfaces(spec);
    const world = new World({ seed: spec.seed ?? 1, ...options, account: base.account, region: base.region }, base);
    world.setRules({ maxInterfaces: Math.max(world.rules.maxInterfaces, 2 * spec.enis) });
    syntheticSubnets(world, base);
    return world;
  }

  addZone(zone: string, zoneId: string, zoneType = 'availability-zone'): void {
    this.zones.set(zone, {
      State: 'available',
      OptInStatus: 'opt-in-not-required',
      RegionName: this.region,
      ZoneName: zone,
      ZoneId: zoneId,
      ZoneType: zoneType,
      GroupName: this.region,
      NetworkBorderGroup: this.region,
      Messages: [],
    });
  }

  addVpc(spec: VpcSpec): Vpc {
    return addVpc(this, spec);
  }

  addSubnet(spec: Omit<SubnetSpec, 'tags'> & { readonly tags?: TagsLike }): Subnet {
    return addSubnet(this, { ...spec, tags: tagList(spec.tags) });
  }

  deleteSubnet(subnetId: string): void {
    deleteSubnet(this, subnetId);
  }

  addEni(spec: Omit<InterfaceSpec, 'tags'> & { readonly tags?: TagsLike }): NetworkInterface {
    return createInterface(this, { ...spec, tags: tagList(spec.tags) });
  }

  /** Adds an interface in the shape of DescribeNetworkInterfaces, as a load balancer or another account would make it. */
  putEni(eni: NetworkInterface): void {
    this.putInterface(eni);
  }

  deleteEni(eniId: string): void {
    deleteInterface(this, eniId);
  }

  assign(eniId: string, wanted: Wanted): Claimed {
    return assign(this, eniId, wanted);
  }

  unassign(eniId: string, addresses: readonly string[], prefixes: readonly string[] = []): void {
    unassign(this, eniId, addresses, prefixes);
  }

  attach(spec: AttachSpec): string {
    return attach(this, spec);
  }

  detach(attachmentId: string): void {
    detach(this, attachmentId);
  }

  addReservation(spec: ReservationSpec): SubnetCidrReservation {
    return reserve(this, spec);
  }

  deleteReservation(reservationId: string): void {
    unreserve(this, reservationId);
  }

  /** Launches instances, by default one with one interface at device 0. */
  launch(spec: Partial<LaunchSpec> & { readonly subnetId?: string; readonly prefixCount?: number }): Instance[] {
    const { subnetId, prefixCount, ...rest } = spec;
    const primary = { deviceIndex: 0, subnetId: subnetId ?? '', ...(prefixCount === undefined ? {} : { prefixCount }) };
    return launch(this, { instanceType: 'm5.large', minCount: 1, maxCount: 1, interfaces: [primary], ...rest });
  }

  terminate(instanceId: string): void {
    terminate(this, instanceId);
  }

  stop(instanceId: string): void {
    stop(this, instanceId);
  }

  instance(instanceId: string): Instance {
    return instanceOf(this, instanceId);
  }

  tag(resourceId: string, tags: TagsLike): void {
    createTags(this, [resourceId], tagList(tags));
  }

  untag(resourceId: string, ...keys: readonly string[]): void {
    if (keys.length > 0)
      deleteTags(
        this,
        [resourceId],
        keys.map((Key) => ({ Key })),
      );
  }

  addLaunchTemplate(id: string, template: LaunchTemplate): void {
    this.launchTemplates.set(id, template);
  }

  /** `AvailableIpAddressCount` of a subnet now, whatever a stale read says. */
  availableIps(subnetId: string): number {
    return this.subnet(subnetId).AvailableIpAddressCount ?? 0;
  }

  /** Live interfaces of a subnet. */
  enisOf(subnetId: string): NetworkInterface[] {
    return this.slotsOf(subnetId)
      .map((slot) => this.interfaces.at(slot))
      .filter((eni) => eni !== undefined);
  }
}

function tagList(tags: TagsLike = []): readonly Tag[] {
  return isTagList(tags) ? tags : Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
}

function isTagList(tags: TagsLike): tags is readonly Tag[] {
  return Array.isArray(tags);
}

/** `us-east-1` -> `use1`, `ap-southeast-2` -> `apse2`: how zone ids begin. */
function shortRegion(region: string): string {
  const [area = '', ...rest] = region.split('-');
  const direction = rest
    .slice(0, -1)
    .join('')
    .replace(/(north|south|east|west|central|gov)/g, (word) => word.charAt(0));
  return `${area}${direction}${rest.at(-1) ?? ''}`;
}
