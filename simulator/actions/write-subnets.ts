/** Calls that make VPCs, and change subnets and their CIDR reservations. */
import type * as ec2 from '@aws-sdk/client-ec2';
import { unreserve } from '../world/subnets.ts';
import { type Action, action, required } from './call.ts';
import { tagsFor } from './tagging.ts';

export const createVpc: Action = action<ec2.CreateVpcRequest>((input, { world }) => {
  const vpc = world.addVpc({
    cidr: required(input.CidrBlock, 'cidrBlock'),
    tags: tagsFor(input.TagSpecifications, 'vpc'),
  });
  return { Vpc: vpc };
});

export const createSubnet: Action = action<ec2.CreateSubnetRequest>((input, { world }) => {
  const zone = input.AvailabilityZone ?? input.AvailabilityZoneId;
  const subnet = world.addSubnet({
    vpcId: required(input.VpcId, 'vpcId'),
    cidr: required(input.CidrBlock, 'cidrBlock'),
    ...(zone === undefined ? {} : { zone }),
    tags: tagsFor(input.TagSpecifications, 'subnet'),
  });
  return { Subnet: subnet };
});

export const deleteSubnet: Action = action<ec2.DeleteSubnetRequest>((input, { world }) => {
  world.deleteSubnet(required(input.SubnetId, 'subnetId'));
  return {};
});

export const createSubnetCidrReservation: Action = action<ec2.CreateSubnetCidrReservationRequest>(
  (input, { world }) => {
    const reservation = world.addReservation({
      subnetId: required(input.SubnetId, 'subnetId'),
      cidr: required(input.Cidr, 'cidr'),
      type: required(input.ReservationType, 'reservationType'),
      ...(input.Description === undefined ? {} : { description: input.Description }),
      tags: tagsFor(input.TagSpecifications, 'subnet-cidr-reservation'),
    });
    return { SubnetCidrReservation: reservation };
  },
);

export const deleteSubnetCidrReservation: Action = action<ec2.DeleteSubnetCidrReservationRequest>(
  (input, { world }) => {
    const id = required(input.SubnetCidrReservationId, 'subnetCidrReservationId');
    return { DeletedSubnetCidrReservation: unreserve(world, id) };
  },
);
