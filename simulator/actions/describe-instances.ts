/** DescribeInstances and DescribeInstanceTypes. */
import type { DescribeInstancesRequest, DescribeInstanceTypesRequest, Filter } from '@aws-sdk/client-ec2';
import { Refusal } from '../refusal.ts';
import { CATALOGUE } from '../world/instance-types.ts';
import type { Instance, InstanceTypeInfo } from '../world/stored.ts';
import type { World } from '../world/world.ts';
import { type Action, action } from './call.ts';
import { type FieldsOf, matcher } from './filters.ts';
import { pageOf, USUAL_BOUNDS } from './paging.ts';

const INSTANCE_FIELDS: FieldsOf<Instance> = {
  'availability-zone': (instance) => [instance.Placement?.AvailabilityZone],
  'instance-id': (instance) => [instance.InstanceId],
  'instance-state-code': (instance) => [instance.State?.Code],
  'instance-state-name': (instance) => [instance.State?.Name],
  'instance-type': (instance) => [instance.InstanceType],
  'owner-id': (instance) => [instance.launch.OwnerId],
  'private-ip-address': (instance) => [instance.PrivateIpAddress],
  'reservation-id': (instance) => [instance.launch.ReservationId],
  'subnet-id': (instance) => [instance.SubnetId],
  'vpc-id': (instance) => [instance.VpcId],
};

/** Instances of a page stand in the launch reservations they came from. */
export const describeInstances: Action = action<DescribeInstancesRequest>((input, call) => {
  if (input.InstanceIds !== undefined && input.MaxResults !== undefined) {
    const message = 'The parameter instancesSet cannot be used with the parameter maxResults';
    throw new Refusal('InvalidParameterCombination', message);
  }
  const view = call.world.instances.ago(call.ageMs);
  for (const id of input.InstanceIds ?? []) {
    if (view.get(id) === undefined) {
      throw new Refusal('InvalidInstanceID.NotFound', `The instance ID '${id}' does not exist`);
    }
  }
  const wanted = input.InstanceIds === undefined ? undefined : new Set(input.InstanceIds);
  const matches = matcher(input.Filters, INSTANCE_FIELDS, (instance) => instance.Tags);
  const showsHidden = input.IncludeManagedResources === true || call.world.rules.managedVisibility === 'visible';
  const accept = (instance: Instance): boolean =>
    (wanted?.has(instance.InstanceId ?? '') ?? true) &&
    (showsHidden || instance.Operator?.HiddenByDefault !== true) &&
    matches(instance);
  const page = pageOf(view, undefined, accept, input, USUAL_BOUNDS, call.quirks);
  const groups = Map.groupBy(page.items, (instance) => instance.launch.ReservationId);
  const reservations = [...groups.values()].map((instances) => ({ ...instances[0]?.launch, Instances: instances }));
  return { Reservations: reservations, NextToken: page.NextToken };
});

const TYPE_FIELDS: FieldsOf<InstanceTypeInfo> = {
  'bare-metal': (type) => [type.BareMetal],
  'current-generation': (type) => [type.CurrentGeneration],
  hypervisor: (type) => [type.Hypervisor],
  'instance-type': (type) => [type.InstanceType],
};

export const describeInstanceTypes: Action = action<DescribeInstanceTypesRequest>((input, call) => {
  const matches = matcher(input.Filters as readonly Filter[] | undefined, TYPE_FIELDS, () => []);
  const names = input.InstanceTypes;
  if (names === undefined) {
    const all = knownTypes(call.world);
    const view = { end: all.length, at: (slot: number) => all[slot], get: () => undefined };
    const page = pageOf(view, undefined, matches, input, { min: 5, max: 100, unasked: 100 }, call.quirks);
    return { InstanceTypes: page.items, NextToken: page.NextToken };
  }
  const omits = call.world.rules.unknownInstanceTypes === 'omit';
  const found = names.map((name) => call.world.instanceTypes.get(name) ?? (omits ? undefined : CATALOGUE.get(name)));
  const unknown = names.filter((_, index) => found[index] === undefined);
  if (unknown.length > 0 && !omits) {
    const message = `The following supplied instance types do not exist: [${unknown.join(', ')}]`;
    throw new Refusal('InvalidInstanceType', message);
  }
  return { InstanceTypes: found.filter((type) => type !== undefined).filter(matches) };
});

function knownTypes(world: World): readonly InstanceTypeInfo[] {
  const own = [...world.instanceTypes.values()];
  return own.length > 0 || world.rules.unknownInstanceTypes === 'omit' ? own : [...CATALOGUE.values()];
}
