/** The actions that the simulator answers. */
import type { Action } from './call.ts';
import { describeInstances, describeInstanceTypes } from './describe-instances.ts';
import { describeNetworkInterfaces } from './describe-interfaces.ts';
import {
  describeAvailabilityZones,
  describeNetworkAcls,
  describeRouteTables,
  describeSubnets,
  describeVpcs,
  getSubnetCidrReservations,
} from './describe-network.ts';
import { createFleet } from './fleet.ts';
import { createTags, deleteTags } from './tagging.ts';
import { runInstances, stopInstances, terminateInstances } from './write-instances.ts';
import {
  assignPrivateIpAddresses,
  attachNetworkInterface,
  createNetworkInterface,
  deleteNetworkInterface,
  detachNetworkInterface,
  unassignPrivateIpAddresses,
} from './write-interfaces.ts';
import {
  createSubnet,
  createSubnetCidrReservation,
  createVpc,
  deleteSubnet,
  deleteSubnetCidrReservation,
} from './write-subnets.ts';

export const ACTIONS: ReadonlyMap<string, Action> = new Map(
  Object.entries({
    AssignPrivateIpAddresses: assignPrivateIpAddresses,
    AttachNetworkInterface: attachNetworkInterface,
    CreateFleet: createFleet,
    CreateNetworkInterface: createNetworkInterface,
    CreateSubnet: createSubnet,
    CreateSubnetCidrReservation: createSubnetCidrReservation,
    CreateTags: createTags,
    CreateVpc: createVpc,
    DeleteNetworkInterface: deleteNetworkInterface,
    DeleteSubnet: deleteSubnet,
    DeleteSubnetCidrReservation: deleteSubnetCidrReservation,
    DeleteTags: deleteTags,
    DescribeAvailabilityZones: describeAvailabilityZones,
    DescribeInstances: describeInstances,
    DescribeInstanceTypes: describeInstanceTypes,
    DescribeNetworkAcls: describeNetworkAcls,
    DescribeNetworkInterfaces: describeNetworkInterfaces,
    DescribeRouteTables: describeRouteTables,
    DescribeSubnets: describeSubnets,
    DescribeVpcs: describeVpcs,
    DetachNetworkInterface: detachNetworkInterface,
    GetSubnetCidrReservations: getSubnetCidrReservations,
    RunInstances: runInstances,
    StopInstances: stopInstances,
    TerminateInstances: terminateInstances,
    UnassignPrivateIpAddresses: unassignPrivateIpAddresses,
  }),
);
