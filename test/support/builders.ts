/** Small facts with sensible defaults, so that a test says only what it is about. */
import { parseCidr, parseIpv4 } from '../../lambdas/core/ip/ipv4.ts';
import { OccupancyBuilder, type SubnetOccupancy } from '../../lambdas/core/subnet/occupancy.ts';
import type {
  EniAttachment,
  EniReading,
  EniRecord,
  RegionFacts,
  Reservation,
  ReservationType,
  SubnetFacts,
} from '../../lambdas/core/subnet/snapshot.ts';

export function ip(quad: string): number {
  const address = parseIpv4(quad);
  if (address === undefined) throw new Error(`no address: ${quad}`);
  return address;
}

export function cidr(text: string) {
  const parsed = parseCidr(text);
  if (parsed === undefined) throw new Error(`no CIDR: ${text}`);
  return parsed;
}

export function tags(record: Record<string, string> = {}): ReadonlyMap<string, string> {
  return new Map(Object.entries(record));
}

/** @param at CIDR of the subnet; `null` for an IPv6-only one. */
export function subnet(
  at: string | null,
  fields: Partial<Omit<SubnetFacts, 'cidr' | 'tags'>> & { tags?: Record<string, string> } = {},
): SubnetFacts {
  return {
    subnetId: 'subnet-00000000000000001',
    vpcId: 'vpc-00000000000000001',
    ...(at === null ? {} : { cidr: cidr(at) }),
    availabilityZone: 'us-east-1a',
    availabilityZoneId: 'use1-az1',
    availableIps: at === null ? 0 : 2 ** (32 - cidr(at).length) - 5,
    state: 'available',
    ownerId: '111111111111',
    defaultForAz: false,
    mapPublicIpOnLaunch: false,
    ...fields,
    tags: tags(fields.tags),
  };
}

let serial = 0;

export interface EniFields {
  id?: string;
  subnetId?: string;
  addresses?: readonly string[];
  /** `a.b.c.d/28` or its first address. */
  prefixes?: readonly string[];
  description?: string;
  interfaceType?: string;
  status?: string;
  requesterManaged?: boolean;
  operatorManaged?: boolean;
  ownerId?: string;
  tags?: Record<string, string>;
  attachment?: EniAttachment;
}

export function eni(fields: EniFields = {}): EniRecord {
  const addresses = (fields.addresses ?? []).map(ip);
  serial++;
  return {
    eniId: fields.id ?? `eni-0${serial.toString(16).padStart(16, '0')}`,
    subnetId: fields.subnetId ?? 'subnet-00000000000000001',
    vpcId: 'vpc-00000000000000001',
    description: fields.description ?? '',
    interfaceType: fields.interfaceType ?? 'interface',
    status: fields.status ?? 'in-use',
    ownerId: fields.ownerId ?? '111111111111',
    requesterManaged: fields.requesterManaged ?? false,
    operatorManaged: fields.operatorManaged ?? false,
    ...(fields.attachment === undefined ? {} : { attachment: fields.attachment }),
    tags: tags(fields.tags),
    ...(addresses[0] === undefined ? {} : { primary: addresses[0] }),
    addresses,
    prefixes: (fields.prefixes ?? []).map((prefix) => ip(prefix.split('/')[0] as string)),
  };
}

/** Every interface was read, those that AWS manages among them. */
export const READ: EniReading = { state: 'read', managedResourcesIncluded: true, failures: [] };

export function reservation(at: string, type: ReservationType, subnetId = 'subnet-00000000000000001'): Reservation {
  return { reservationId: `scr-${at}`, subnetId, cidr: cidr(at), type };
}

/** Facts with nothing but subnets; every other input is absent. */
export function region(subnets: readonly SubnetFacts[], fields: Partial<RegionFacts> = {}): RegionFacts {
  const absent = { state: 'absent' } as const;
  return {
    region: 'us-east-1',
    account: '111111111111',
    subnets,
    reservations: absent,
    vpcs: absent,
    routeTables: absent,
    networkAcls: absent,
    zones: absent,
    instances: absent,
    instanceTypes: absent,
    clusters: absent,
    nodegroups: absent,
    addons: absent,
    kubernetes: [],
    failures: [],
    ...fields,
  };
}

/** Runs interfaces through the builder. @returns what it says of the first subnet. */
export function occupy(at: SubnetFacts, enis: readonly EniRecord[], facts: Partial<RegionFacts> = {}): SubnetOccupancy {
  const builder = new OccupancyBuilder(region([at], facts));
  for (const one of enis) builder.add(one);
  const found = builder.finish().subnets.get(at.subnetId);
  if (found === undefined) throw new Error('the subnet has no map');
  return found;
}
