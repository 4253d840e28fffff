/** VPCs, subnets and the CIDR reservations in them. */
import {
  blockOf,
  blockSize,
  type Cidr,
  cidrCovers,
  formatCidr,
  parseCidr,
  parseIpv4,
} from '../../lambdas/core/ip/ipv4.ts';
import { Refusal } from '../refusal.ts';
import { RESERVED_BY_AWS } from './address-map.ts';
import type { WorldState } from './state.ts';
import type { Subnet, SubnetCidrReservation, Tag, Vpc } from './stored.ts';

export interface VpcSpec {
  readonly cidr: string;
  readonly vpcId?: string;
  readonly tags?: readonly Tag[];
}

/** Creates a VPC with what EC2 gives it at once: a main route table with the local route, and a network ACL that allows all. */
export function addVpc(state: WorldState, spec: VpcSpec): Vpc {
  const vpc: Vpc = {
    VpcId: spec.vpcId ?? state.newId('vpc'),
    CidrBlock: spec.cidr,
    CidrBlockAssociationSet: [
      { AssociationId: state.newId('vpc-cidr-assoc'), CidrBlock: spec.cidr, CidrBlockState: { State: 'associated' } },
    ],
    IsDefault: false,
    OwnerId: state.account,
    State: 'available',
    Tags: [...(spec.tags ?? [])],
  };
  state.vpcs.set(vpc.VpcId ?? '', vpc);
  addDefaults(state, vpc);
  return vpc;
}

function addDefaults(state: WorldState, vpc: Vpc): void {
  const owned = { VpcId: vpc.VpcId, OwnerId: state.account, Tags: [] };
  const RouteTableId = state.newId('rtb');
  const RouteTableAssociationId = state.newId('rtbassoc');
  state.routeTables.set(RouteTableId, {
    ...owned,
    RouteTableId,
    Associations: [{ Main: true, RouteTableAssociationId, RouteTableId, AssociationState: { State: 'associated' } }],
    PropagatingVgws: [],
    Routes: [{ DestinationCidrBlock: vpc.CidrBlock, GatewayId: 'local', Origin: 'CreateRouteTable', State: 'active' }],
  });
  const NetworkAclId = state.newId('acl');
  const everywhere = { CidrBlock: '0.0.0.0/0', Protocol: '-1' };
  const LAST_RULE = 32_767;
  state.networkAcls.set(NetworkAclId, {
    ...owned,
    NetworkAclId,
    IsDefault: true,
    Associations: [],
    Entries: [true, false].flatMap((Egress) => [
      { ...everywhere, Egress, RuleAction: 'allow', RuleNumber: 100 },
      { ...everywhere, Egress, RuleAction: 'deny', RuleNumber: LAST_RULE },
    ]),
  });
}

export interface SubnetSpec {
  readonly vpcId: string;
  readonly cidr: string;
  /** Zone name, or id; the first zone of the region if neither is given. */
  readonly zone?: string;
  readonly subnetId?: string;
  readonly tags?: readonly Tag[];
  /** Any further field, as Describe shows it. */
  readonly fields?: Subnet;
}

/**
 * Creates a subnet.
 *
 * @throws Refusal `InvalidVpcID.NotFound`; `InvalidSubnet.Range`: not /16 to /28 or outside the VPC; `InvalidSubnet.Conflict`: overlaps another;
 * `SubnetLimitExceeded`.
 */
export function addSubnet(state: WorldState, spec: SubnetSpec): Subnet {
  const vpc = state.vpcs.get(spec.vpcId);
  if (vpc === undefined) throw new Refusal('InvalidVpcID.NotFound', `The vpc ID '${spec.vpcId}' does not exist`);
  const cidr = canonical(spec.cidr);
  if (!vpcCidrs(vpc).some((range) => cidrCovers(range, cidr)) || cidr.length < 16 || cidr.length > 28) {
    throw new Refusal('InvalidSubnet.Range', `The CIDR '${spec.cidr}' is invalid.`);
  }
  let siblings = 0;
  for (const other of state.subnets.values()) {
    if (other.VpcId !== spec.vpcId) continue;
    siblings++;
    const range = parseCidr(other.CidrBlock ?? '');
    if (range !== undefined && overlap(range, cidr)) {
      throw new Refusal('InvalidSubnet.Conflict', `The CIDR '${spec.cidr}' conflicts with another subnet`);
    }
  }
  if (siblings >= state.rules.maxSubnetsPerVpc) {
    throw new Refusal('SubnetLimitExceeded', 'The maximum number of subnets has been reached.');
  }
  const subnetId = spec.subnetId ?? state.newId('subnet');
  const subnet: Subnet = {
    AssignIpv6AddressOnCreation: false,
    ...zoneOf(state, spec.zone),
    AvailableIpAddressCount: blockSize(cidr.length) - RESERVED_BY_AWS,
    CidrBlock: formatCidr(cidr),
    DefaultForAz: false,
    EnableDns64: false,
    Ipv6CidrBlockAssociationSet: [],
    Ipv6Native: false,
    MapCustomerOwnedIpOnLaunch: false,
    MapPublicIpOnLaunch: false,
    OwnerId: state.account,
    State: 'available',
    SubnetArn: `arn:aws:ec2:${state.region}:${state.account}:subnet/${subnetId}`,
    SubnetId: subnetId,
    Tags: [...(spec.tags ?? [])],
    VpcId: spec.vpcId,
    ...spec.fields,
  };
  state.subnets.set(subnetId, subnet);
  return subnet;
}

/** @throws Refusal `DependencyViolation`: something in the subnet still holds an address. */
export function deleteSubnet(state: WorldState, subnetId: string): void {
  ownSubnet(state, subnetId);
  if (state.slotsOf(subnetId).some((slot) => state.interfaces.at(slot) !== undefined)) {
    const message = `The subnet '${subnetId}' has dependencies and cannot be deleted.`;
    throw new Refusal('DependencyViolation', message);
  }
  for (const reservation of state.reservations.values()) {
    if (reservation.SubnetId === subnetId) state.reservations.delete(reservation.SubnetCidrReservationId ?? '');
  }
  state.dropMap(subnetId);
  state.subnets.delete(subnetId);
}

export interface ReservationSpec {
  readonly subnetId: string;
  readonly cidr: string;
  readonly type: 'prefix' | 'explicit';
  readonly description?: string;
  readonly tags?: readonly Tag[];
}

/** Reserves a range of a subnet. Addresses in it that are held stay held; the free ones leave the count. */
export function reserve(state: WorldState, spec: ReservationSpec): SubnetCidrReservation {
  const subnet = ownSubnet(state, spec.subnetId);
  const range = parseCidr(spec.cidr);
  const cidr = parseCidr(subnet.CidrBlock ?? '');
  if (range === undefined || cidr === undefined || !cidrCovers(cidr, range)) {
    const message = `Reservation CIDR ${spec.cidr} is not within the subnet CIDR ${subnet.CidrBlock ?? ''}`;
    throw new Refusal('InvalidParameterValue', message);
  }
  for (const other of state.reservations.values()) {
    const taken = parseCidr(other.Cidr ?? '');
    if (other.SubnetId === spec.subnetId && taken !== undefined && overlap(taken, range)) {
      const message = `Reservation CIDR ${spec.cidr} has overlap with existing reserved CIDR block`;
      throw new Refusal('InvalidParameterValue', message);
    }
  }
  state.changing(spec.subnetId, (map) => map.reserve(range, spec.type, true));
  const reservation: SubnetCidrReservation = {
    SubnetCidrReservationId: state.newId('scr'),
    SubnetId: spec.subnetId,
    Cidr: spec.cidr,
    ReservationType: spec.type,
    OwnerId: state.account,
    ...(spec.description === undefined ? {} : { Description: spec.description }),
    Tags: [...(spec.tags ?? [])],
  };
  state.reservations.set(reservation.SubnetCidrReservationId ?? '', reservation);
  return reservation;
}

/** Ends a reservation; its free addresses count again. */
export function unreserve(state: WorldState, reservationId: string): SubnetCidrReservation {
  const reservation = state.reservations.get(reservationId);
  if (reservation === undefined) {
    const message = `The subnet CIDR reservation ID '${reservationId}' does not exist`;
    throw new Refusal('InvalidSubnetCidrReservationId.NotFound', message);
  }
  const subnetId = reservation.SubnetId ?? '';
  ownSubnet(state, subnetId);
  const range = parseCidr(reservation.Cidr ?? '');
  const type = reservation.ReservationType;
  if (range !== undefined && type !== undefined) {
    state.changing(subnetId, (map) => map.reserve(range, type, false));
  }
  state.reservations.delete(reservationId);
  return reservation;
}

/** Only the owner of a shared subnet may change it (docs/simulator.md E9). */
function ownSubnet(state: WorldState, subnetId: string): Subnet {
  const subnet = state.subnet(subnetId);
  if (subnet.OwnerId !== undefined && subnet.OwnerId !== state.account) {
    throw new Refusal('UnauthorizedOperation', 'You are not authorized to perform this operation.', 403);
  }
  return subnet;
}

/** EC2 rewrites a block with host bits to its canonical form (docs/simulator.md A1). */
function canonical(text: string): Cidr {
  const [address, length] = text.split('/');
  const base = parseIpv4(address ?? '');
  const bits = Number(length);
  if (base === undefined || length === undefined || !/^\d{1,2}$/.test(length) || bits > 32) {
    throw new Refusal(
      'InvalidParameterValue',
      `Value (${text}) for parameter cidrBlock is invalid. This is not a valid CIDR block.`,
    );
  }
  return blockOf(base, bits);
}

function vpcCidrs(vpc: Vpc): Cidr[] {
  const texts = [vpc.CidrBlock, ...(vpc.CidrBlockAssociationSet ?? []).map((association) => association.CidrBlock)];
  return texts.map((text) => parseCidr(text ?? '')).filter((cidr) => cidr !== undefined);
}

function overlap(one: Cidr, other: Cidr): boolean {
  return cidrCovers(one, other) || cidrCovers(other, one);
}

function zoneOf(state: WorldState, zone: string | undefined): Pick<Subnet, 'AvailabilityZone' | 'AvailabilityZoneId'> {
  for (const candidate of state.zones.values()) {
    if (zone === undefined || candidate.ZoneName === zone || candidate.ZoneId === zone) {
      return { AvailabilityZone: candidate.ZoneName, AvailabilityZoneId: candidate.ZoneId };
    }
  }
  if (zone === undefined || state.zones.size > 0) {
    throw new Refusal('InvalidParameterValue', `Value (${zone ?? ''}) for parameter availabilityZone is invalid.`);
  }
  return { AvailabilityZone: zone };
}
