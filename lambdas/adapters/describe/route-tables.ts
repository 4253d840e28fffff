/** `describe-route-tables`: only what tells whether two subnets route alike. */
import type { Place } from '../../core/input/place.ts';
import type { RouteTableFacts } from '../../core/subnet/snapshot.ts';
import { itemsOf } from './documents.ts';
import { asObject, type Fields, flagAt, optionalListAt, optionalObjectAt, optionalTextAt, textAt } from './fields.ts';

export function decodeRouteTables(document: unknown, place: Place): readonly RouteTableFacts[] {
  return itemsOf(document, place, { command: 'describe-route-tables', key: 'RouteTables' }, toRouteTable);
}

function toRouteTable(fields: Fields, place: Place): RouteTableFacts {
  const associations = optionalListAt(fields, 'Associations', place).map((item, index) =>
    toAssociation(item, place.at('Associations').at(index)),
  );
  const routes = optionalListAt(fields, 'Routes', place).map((item, index) =>
    toRoute(item, place.at('Routes').at(index)),
  );
  return {
    routeTableId: textAt(fields, 'RouteTableId', place, 'a route table id'),
    vpcId: textAt(fields, 'VpcId', place, 'a VPC id'),
    main: associations.some(({ main }) => main),
    subnetIds: associations.flatMap(({ subnetId }) => (subnetId === undefined ? [] : [subnetId])).sort(),
    routes: routes.sort(),
  };
}

/** States in which an association has no say. */
const GONE = new Set(['disassociating', 'disassociated', 'failed']);

function toAssociation(raw: unknown, place: Place): { readonly main: boolean; readonly subnetId?: string } {
  const fields = asObject(raw, place);
  const state = optionalObjectAt(fields, 'AssociationState', place);
  const name = state && optionalTextAt(state, 'State', place.at('AssociationState'));
  if (name !== undefined && GONE.has(name)) return { main: false };
  const subnetId = optionalTextAt(fields, 'SubnetId', place);
  const main = flagAt(fields, 'Main', place);
  return subnetId === undefined ? { main } : { main, subnetId };
}

const DESTINATIONS = ['DestinationCidrBlock', 'DestinationIpv6CidrBlock', 'DestinationPrefixListId'];
/** One of them is set; a route through an instance names its interface too, and the interface is what decides. */
const TARGETS = [
  'GatewayId',
  'NatGatewayId',
  'TransitGatewayId',
  'VpcPeeringConnectionId',
  'LocalGatewayId',
  'CarrierGatewayId',
  'EgressOnlyInternetGatewayId',
  'CoreNetworkArn',
  'NetworkInterfaceId',
  'InstanceId',
];

/** `0.0.0.0/0 -> nat-0a`; what leads nowhere says `blackhole`. */
function toRoute(raw: unknown, place: Place): string {
  const fields = asObject(raw, place);
  const first = (keys: readonly string[]) => {
    for (const key of keys) {
      const value = optionalTextAt(fields, key, place);
      if (value !== undefined && value !== '') return value;
    }
    return undefined;
  };
  const blackhole = optionalTextAt(fields, 'State', place) === 'blackhole' ? ' (blackhole)' : '';
  return `${first(DESTINATIONS) ?? 'unknown'} -> ${first(TARGETS) ?? 'unknown'}${blackhole}`;
}
