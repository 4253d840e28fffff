/** DescribeNetworkInterfaces: filters, pages, and what is hidden from whom. */
import type { DescribeNetworkInterfacesRequest } from '@aws-sdk/client-ec2';
import { Refusal } from '../refusal.ts';
import type { NetworkInterface } from '../world/stored.ts';
import type { World } from '../world/world.ts';
import { type Action, action, type Call } from './call.ts';
import { type FieldsOf, matcher, plainValues } from './filters.ts';
import { pageOf, USUAL_BOUNDS } from './paging.ts';

const FIELDS: FieldsOf<NetworkInterface> = {
  'attachment.attachment-id': (eni) => [eni.Attachment?.AttachmentId],
  'attachment.delete-on-termination': (eni) => [eni.Attachment?.DeleteOnTermination],
  'attachment.device-index': (eni) => [eni.Attachment?.DeviceIndex],
  'attachment.instance-id': (eni) => [eni.Attachment?.InstanceId],
  'attachment.instance-owner-id': (eni) => [eni.Attachment?.InstanceOwnerId],
  'attachment.status': (eni) => [eni.Attachment?.Status],
  'addresses.primary': (eni) => (eni.PrivateIpAddresses ?? []).map((entry) => entry.Primary),
  'addresses.private-ip-address': (eni) => (eni.PrivateIpAddresses ?? []).map((entry) => entry.PrivateIpAddress),
  'availability-zone': (eni) => [eni.AvailabilityZone],
  'availability-zone-id': (eni) => [eni.AvailabilityZoneId],
  description: (eni) => [eni.Description],
  'group-id': (eni) => (eni.Groups ?? []).map((group) => group.GroupId),
  'group-name': (eni) => (eni.Groups ?? []).map((group) => group.GroupName),
  'interface-type': (eni) => [eni.InterfaceType],
  'mac-address': (eni) => [eni.MacAddress],
  'network-interface-id': (eni) => [eni.NetworkInterfaceId],
  'operator.managed': (eni) => [eni.Operator?.Managed ?? false],
  'operator.principal': (eni) => [eni.Operator?.Principal],
  'owner-id': (eni) => [eni.OwnerId],
  'private-dns-name': (eni) => [eni.PrivateDnsName],
  'private-ip-address': (eni) => [eni.PrivateIpAddress],
  'requester-id': (eni) => [eni.RequesterId],
  'requester-managed': (eni) => [eni.RequesterManaged],
  'source-dest-check': (eni) => [eni.SourceDestCheck],
  status: (eni) => [eni.Status],
  'subnet-id': (eni) => [eni.SubnetId],
  'vpc-id': (eni) => [eni.VpcId],
};

/** Filters with which a large account may ask without pages (the SDK's own description of the command). */
const NARROWING = new Set([
  'attachment.instance-id',
  'group-id',
  'mac-address',
  'private-dns-name',
  'private-ip-address',
  'subnet-id',
  'vpc-id',
]);

export const describeNetworkInterfaces: Action = action<DescribeNetworkInterfacesRequest>((input, call) => {
  const { world } = call;
  const ids = input.NetworkInterfaceIds;
  if (ids !== undefined && input.MaxResults !== undefined) {
    const message = 'The parameter networkInterfaceIds cannot be used with the parameter maxResults';
    throw new Refusal('InvalidParameterCombination', message);
  }
  const narrowed = ids !== undefined || input.Filters?.some((filter) => NARROWING.has(filter.Name ?? '')) === true;
  if (input.MaxResults === undefined && !narrowed && world.interfaces.size > world.rules.unpaginatedLimit) {
    throw new Refusal('OperationNotPermitted', 'Unpaginated request is not permitted for this account.');
  }
  const view = world.interfaces.ago(call.ageMs);
  const matches = matcher(input.Filters, FIELDS, (eni) => eni.TagSet);
  const sees = visibility(call, input.IncludeManagedResources === true);
  const slots = ids === undefined ? candidates(world, input) : ids.map((id) => slotOf(call, id)).sort((a, b) => a - b);
  const page = pageOf(view, slots, (eni) => sees(eni) && matches(eni), input, USUAL_BOUNDS, call.quirks);
  return { NetworkInterfaces: page.items, NextToken: page.NextToken };
});

function slotOf(call: Call, id: string): number {
  const slot = call.world.interfaces.slotOf(id);
  if (slot === undefined || call.world.interfaces.ago(call.ageMs).at(slot) === undefined) {
    throw new Refusal('InvalidNetworkInterfaceID.NotFound', `The networkInterface ID '${id}' does not exist`);
  }
  return slot;
}

function visibility(call: Call, includeManaged: boolean): (eni: NetworkInterface) => boolean {
  const { world } = call;
  const hidesManaged = world.rules.managedVisibility === 'hidden' && !includeManaged;
  const { participantView } = world.rules;
  return (eni) => {
    if (hidesManaged && eni.Operator?.HiddenByDefault === true) return false;
    if (!participantView || eni.OwnerId === world.account) return true;
    // The owner of a shared subnet sees everybody's interfaces in it, a participant only their own (docs/simulator.md R6).
    return world.subnets.get(eni.SubnetId ?? '')?.OwnerId === world.account;
  };
}

const narrowings = new WeakMap<World, { readonly key: string; readonly slots: readonly number[] }>();

/** The slots that the filters leave to look at, ascending; `undefined` for all. Kept from page to page. */
function candidates(world: World, input: Partial<DescribeNetworkInterfacesRequest>): readonly number[] | undefined {
  const subnets = plainValues(input.Filters, 'subnet-id');
  const vpcs = plainValues(input.Filters, 'vpc-id');
  if (subnets === undefined && vpcs === undefined) return undefined;
  const key = `${world.interfaces.end} ${subnets?.join() ?? ''} ${vpcs?.join() ?? ''}`;
  const known = narrowings.get(world);
  if (known?.key === key) return known.slots;
  const slots = new Set(subnets ?? subnetsOf(world, vpcs ?? []))
    .values()
    .flatMap((id) => world.slotsOf(id))
    .toArray();
  slots.sort((one, other) => one - other);
  narrowings.set(world, { key, slots });
  return slots;
}

function subnetsOf(world: World, vpcs: readonly string[]): string[] {
  const ids = new Set(world.knownSubnetIds());
  return [...ids].filter((id) => {
    const vpc = world.subnets.get(id)?.VpcId;
    return vpc === undefined || vpcs.includes(vpc);
  });
}
