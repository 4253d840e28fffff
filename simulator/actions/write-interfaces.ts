/** Calls that change network interfaces and their addresses. */
import type * as ec2 from '@aws-sdk/client-ec2';
import { formatIpv4 } from '../../lambdas/core/ip/ipv4.ts';
import { Refusal } from '../refusal.ts';
import { interfaceOf } from '../world/interfaces.ts';
import { type Action, action, required } from './call.ts';
import { tagsFor } from './tagging.ts';

export const createNetworkInterface: Action = action<ec2.CreateNetworkInterfaceRequest>((input, { world }) => {
  const subnetId = required(input.SubnetId, 'subnetId');
  const named = input.PrivateIpAddresses ?? [];
  const first = named.find((entry) => entry.Primary === true)?.PrivateIpAddress ?? input.PrivateIpAddress;
  const others = named.map((entry) => entry.PrivateIpAddress ?? '').filter((address) => address !== first);
  atMostOne({
    PrivateIpAddresses: others.length > 0,
    SecondaryPrivateIpAddressCount: given(input.SecondaryPrivateIpAddressCount),
    Ipv4Prefixes: given(input.Ipv4Prefixes?.length),
    Ipv4PrefixCount: given(input.Ipv4PrefixCount),
  });
  const eni = world.addEni({
    subnetId,
    ...(first === undefined ? {} : { primary: first }),
    addresses: others,
    count: input.SecondaryPrivateIpAddressCount ?? 0,
    prefixes: (input.Ipv4Prefixes ?? []).map((entry) => entry.Ipv4Prefix ?? ''),
    prefixCount: input.Ipv4PrefixCount ?? 0,
    description: input.Description ?? '',
    ...(input.InterfaceType === undefined ? {} : { interfaceType: input.InterfaceType }),
    groups: input.Groups ?? [],
    tags: tagsFor(input.TagSpecifications, 'network-interface'),
  });
  // The answer to the call is the one place where EC2 shows `pending` (docs/simulator.md L1).
  return { NetworkInterface: { ...eni, Status: 'pending' }, ClientToken: input.ClientToken };
});

export const assignPrivateIpAddresses: Action = action<ec2.AssignPrivateIpAddressesRequest>((input, { world }) => {
  const eniId = required(input.NetworkInterfaceId, 'networkInterfaceId');
  interfaceOf(world, eniId);
  atMostOne({
    PrivateIpAddresses: given(input.PrivateIpAddresses?.length),
    SecondaryPrivateIpAddressCount: given(input.SecondaryPrivateIpAddressCount),
  });
  atMostOne({ Ipv4Prefixes: given(input.Ipv4Prefixes?.length), Ipv4PrefixCount: given(input.Ipv4PrefixCount) });
  if (input.AllowReassignment === true && given(input.PrivateIpAddresses?.length)) {
    throw new Refusal('UnsupportedOperation', 'The simulator does not move addresses between interfaces.');
  }
  const claimed = world.assign(eniId, {
    addresses: input.PrivateIpAddresses ?? [],
    count: input.SecondaryPrivateIpAddressCount ?? 0,
    prefixes: input.Ipv4Prefixes ?? [],
    prefixCount: input.Ipv4PrefixCount ?? 0,
  });
  return {
    NetworkInterfaceId: eniId,
    AssignedPrivateIpAddresses: claimed.addresses.map((address) => ({ PrivateIpAddress: formatIpv4(address) })),
    AssignedIpv4Prefixes: claimed.prefixes.map((prefix) => ({ Ipv4Prefix: `${formatIpv4(prefix)}/28` })),
  };
});

export const unassignPrivateIpAddresses: Action = action<ec2.UnassignPrivateIpAddressesRequest>((input, { world }) => {
  const eniId = required(input.NetworkInterfaceId, 'networkInterfaceId');
  world.unassign(eniId, input.PrivateIpAddresses ?? [], input.Ipv4Prefixes ?? []);
  return {};
});

export const attachNetworkInterface: Action = action<ec2.AttachNetworkInterfaceRequest>((input, { world }) => {
  const attachmentId = world.attach({
    eniId: required(input.NetworkInterfaceId, 'networkInterfaceId'),
    instanceId: required(input.InstanceId, 'instanceId'),
    deviceIndex: required(input.DeviceIndex, 'deviceIndex'),
    networkCardIndex: input.NetworkCardIndex ?? 0,
  });
  return { AttachmentId: attachmentId, NetworkCardIndex: input.NetworkCardIndex ?? 0 };
});

export const detachNetworkInterface: Action = action<ec2.DetachNetworkInterfaceRequest>((input, { world }) => {
  world.detach(required(input.AttachmentId, 'attachmentId'));
  return {};
});

export const deleteNetworkInterface: Action = action<ec2.DeleteNetworkInterfaceRequest>((input, { world }) => {
  world.deleteEni(required(input.NetworkInterfaceId, 'networkInterfaceId'));
  return {};
});

/** Whether a number was asked for at all: a count of 0 asks for nothing. */
function given(count: number | undefined): boolean {
  return count !== undefined && count > 0;
}

/** The SDK's own description of these parameters: each excludes the others. */
function atMostOne(parameters: Readonly<Record<string, boolean>>): void {
  const present = Object.keys(parameters).filter((name) => parameters[name] === true);
  if (present.length > 1) {
    const message = `The parameters ${present.join(' and ')} cannot be used together`;
    throw new Refusal('InvalidParameterCombination', message);
  }
}
