/** RunInstances, TerminateInstances, StopInstances. */
import type * as ec2 from '@aws-sdk/client-ec2';
import { Refusal } from '../refusal.ts';
import type { LaunchInterface } from '../world/instances.ts';
import { stop, terminate } from '../world/instances.ts';
import type { LaunchTemplate } from '../world/state.ts';
import type { Instance } from '../world/stored.ts';
import type { World } from '../world/world.ts';
import { type Action, action, required } from './call.ts';
import { tagsFor } from './tagging.ts';

/** Where EC2 starts when no type is named anywhere (SDK description of RunInstances). */
const DEFAULT_TYPE = 'm1.small';
const ALSO_TAGGED = ['instance', 'volume', 'network-interface', 'spot-instances-request', 'fleet'];

export const runInstances: Action = action<ec2.RunInstancesRequest>((input, { world }) => {
  const template = templateOf(
    world,
    input.LaunchTemplate?.LaunchTemplateId ?? input.LaunchTemplate?.LaunchTemplateName,
  );
  const tags = (kind: string) => tagsFor(input.TagSpecifications, kind, ALSO_TAGGED);
  const instances = world.launch({
    instanceType: input.InstanceType ?? template.instanceType ?? DEFAULT_TYPE,
    interfaces: interfacesOf(input, template),
    minCount: required(input.MinCount, 'minCount'),
    maxCount: required(input.MaxCount, 'maxCount'),
    tags: tags('instance'),
    interfaceTags: tags('network-interface'),
  });
  const pending = instances.map((instance) => ({ ...instance, State: { Code: 0, Name: 'pending' } }));
  return { ...instances[0]?.launch, Instances: pending, Groups: [] };
});

export const terminateInstances: Action = action<ec2.TerminateInstancesRequest>((input, { world }) => {
  const ids = required(input.InstanceIds, 'instanceIds');
  for (const id of ids) world.instance(id);
  const changes = ids.map((id) => change(terminate(world, id), { Code: 32, Name: 'shutting-down' }));
  return { TerminatingInstances: changes };
});

export const stopInstances: Action = action<ec2.StopInstancesRequest>((input, { world }) => {
  const ids = required(input.InstanceIds, 'instanceIds');
  for (const id of ids) world.instance(id);
  return { StoppingInstances: ids.map((id) => change(stop(world, id), { Code: 64, Name: 'stopping' })) };
});

/** What a launch template says of addresses; nothing where the call names none. */
export function templateOf(world: World, id: string | undefined): LaunchTemplate {
  if (id === undefined) return {};
  const template = world.launchTemplates.get(id);
  if (template === undefined) {
    const message = `The specified launch template, with template ID ${id}, does not exist.`;
    throw new Refusal('InvalidLaunchTemplateId.NotFound', message);
  }
  return template;
}

/** The one interface of a launch that names a subnet and no interfaces. */
export function primaryOf(subnetId: string, template: LaunchTemplate): LaunchInterface {
  return {
    deviceIndex: 0,
    subnetId,
    ...(template.ipv4PrefixCount === undefined ? {} : { prefixCount: template.ipv4PrefixCount }),
    ...(template.secondaryAddressCount === undefined ? {} : { secondaryCount: template.secondaryAddressCount }),
  };
}

function interfacesOf(input: Partial<ec2.RunInstancesRequest>, template: LaunchTemplate): LaunchInterface[] {
  const asked = input.NetworkInterfaces ?? [];
  if (asked.length === 0) {
    const subnetId = input.SubnetId ?? template.subnetId;
    if (subnetId === undefined)
      throw new Refusal('MissingInput', 'No subnets found for the default VPC. Please specify a subnet.');
    const primary = primaryOf(subnetId, template);
    return [input.PrivateIpAddress === undefined ? primary : { ...primary, primary: input.PrivateIpAddress }];
  }
  return asked.map((entry, index) => ({
    deviceIndex: entry.DeviceIndex ?? index,
    networkCardIndex: entry.NetworkCardIndex ?? 0,
    subnetId: required(entry.SubnetId ?? input.SubnetId ?? template.subnetId, 'subnetId'),
    ...(entry.PrivateIpAddress === undefined ? {} : { primary: entry.PrivateIpAddress }),
    addresses: (entry.PrivateIpAddresses ?? []).map((address) => address.PrivateIpAddress ?? ''),
    secondaryCount: entry.SecondaryPrivateIpAddressCount ?? 0,
    prefixes: (entry.Ipv4Prefixes ?? []).map((prefix) => prefix.Ipv4Prefix ?? ''),
    prefixCount: entry.Ipv4PrefixCount ?? 0,
    ...(entry.InterfaceType === undefined ? {} : { interfaceType: entry.InterfaceType }),
    ...(entry.Description === undefined ? {} : { description: entry.Description }),
    groups: entry.Groups ?? [],
    deleteOnTermination: entry.DeleteOnTermination ?? true,
  }));
}

function change(before: Instance, after: { readonly Code: number; readonly Name: string }): object {
  return { InstanceId: before.InstanceId, PreviousState: before.State, CurrentState: after };
}
