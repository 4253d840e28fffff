/** What a change that AWS tells of makes worth reading again, beyond what every scan looks at. */
import type { Need } from './scan-lock.ts';

/** Networks around the subnets: VPCs, routes, filters. */
export const NEED_NETWORK: Need = 'network';
/** Clusters, node groups and add-ons. */
export const NEED_CLUSTERS: Need = 'clusters';
/** Reservations of every subnet, where the event does not say of which. */
export const NEED_RESERVATIONS: Need = 'reservations';

/** Reservations of one subnet, or of the subnet that a reservation lies in. */
export function needReservations(id: string): Need {
  return `${NEED_RESERVATIONS}:${id}`;
}

const INTERFACES = 'interfaces:';

/** Interfaces of a VPC, although its counts may not have moved. */
export function needInterfaces(vpcId: string): Need {
  return `${INTERFACES}${vpcId}`;
}

/** VPCs whose interfaces are asked for. */
export function askedVpcs(needs: readonly Need[]): ReadonlySet<string> {
  return new Set(needs.filter((need) => need.startsWith(INTERFACES)).map((need) => need.slice(INTERFACES.length)));
}

/** The subnet or reservation that a need names; `undefined` for any other need. */
export function reservationSubject(need: Need): string | undefined {
  return need.startsWith(`${NEED_RESERVATIONS}:`) ? need.slice(NEED_RESERVATIONS.length + 1) : undefined;
}

/** As far as an EventBridge event is looked at. */
export interface AwsEvent {
  readonly source?: unknown;
  readonly detail?: unknown;
}

const NETWORK_CALLS: ReadonlySet<string> = new Set([
  'CreateSubnet',
  'DeleteSubnet',
  'AssociateVpcCidrBlock',
  'DisassociateVpcCidrBlock',
]);
const RESERVATION_CALLS: ReadonlySet<string> = new Set(['CreateSubnetCidrReservation', 'DeleteSubnetCidrReservation']);
/** Ids of subnets and of their reservations, wherever CloudTrail puts them. */
const SUBNET_OR_RESERVATION = /\b(?:subnet|scr)-[0-9a-f]{8,17}\b/g;

/**
 * The needs of an event. Instances that come and go move a subnet's count and tags stand in DescribeSubnets: every scan sees both, so they need nothing more.
 */
export function needsOf({ source, detail }: AwsEvent): readonly Need[] {
  if (source === 'aws.eks') return [NEED_CLUSTERS];
  const { eventName, requestParameters, responseElements } = record(detail);
  if (typeof eventName !== 'string') return [];
  if (NETWORK_CALLS.has(eventName)) return [NEED_NETWORK];
  if (!RESERVATION_CALLS.has(eventName)) return [];
  const named = new Set(JSON.stringify([requestParameters, responseElements]).match(SUBNET_OR_RESERVATION) ?? []);
  return named.size === 0 ? [NEED_RESERVATIONS] : [...named].map(needReservations);
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
