/** The EC2 calls that reading a region makes, each at the pace of all the others. Nothing but commands, so that a bundle holds only these. */
import {
  DescribeAvailabilityZonesCommand,
  type DescribeAvailabilityZonesCommandInput,
  DescribeInstancesCommand,
  type DescribeInstancesCommandInput,
  DescribeInstanceTypesCommand,
  type DescribeInstanceTypesCommandInput,
  DescribeNetworkAclsCommand,
  type DescribeNetworkAclsCommandInput,
  type DescribeNetworkInterfacesCommandInput,
  DescribeRouteTablesCommand,
  type DescribeRouteTablesCommandInput,
  DescribeSubnetsCommand,
  type DescribeSubnetsCommandInput,
  DescribeVpcsCommand,
  type DescribeVpcsCommandInput,
  EC2Client,
  GetSubnetCidrReservationsCommand,
  type GetSubnetCidrReservationsCommandInput,
} from '@aws-sdk/client-ec2';
import type { EniSink } from '../../core/subnet/snapshot.ts';
import { watched } from '../live/throttle-watch.ts';
import { EniQueryProtocol, scanInterfaces } from './eni-reader/eni-query-protocol.ts';
import { InterfaceCalls } from './interface-calls.ts';

export class Ec2Calls extends InterfaceCalls {
  private scanning: EC2Client | undefined;

  /** A page through the scanner and into the sink. Rejects with `UnexpectedPage` where only the SDK's decoder may judge the answer. */
  readonly scannedInterfaces = (input: DescribeNetworkInterfacesCommandInput, sink: EniSink) =>
    this.run('ec2:DescribeNetworkInterfaces', (how) => {
      this.scanning ??= watched(new EC2Client({ ...this.config, protocol: EniQueryProtocol }), this.pace);
      return scanInterfaces(this.scanning, input, sink, how);
    });

  readonly subnets = (input: DescribeSubnetsCommandInput) =>
    this.run('ec2:DescribeSubnets', (how) => this.client.send(new DescribeSubnetsCommand(input), how));

  readonly reservations = (input: GetSubnetCidrReservationsCommandInput) =>
    this.run('ec2:GetSubnetCidrReservations', (how) =>
      this.client.send(new GetSubnetCidrReservationsCommand(input), how),
    );

  readonly vpcs = (input: DescribeVpcsCommandInput) =>
    this.run('ec2:DescribeVpcs', (how) => this.client.send(new DescribeVpcsCommand(input), how));

  readonly routeTables = (input: DescribeRouteTablesCommandInput) =>
    this.run('ec2:DescribeRouteTables', (how) => this.client.send(new DescribeRouteTablesCommand(input), how));

  readonly networkAcls = (input: DescribeNetworkAclsCommandInput) =>
    this.run('ec2:DescribeNetworkAcls', (how) => this.client.send(new DescribeNetworkAclsCommand(input), how));

  readonly zones = (input: DescribeAvailabilityZonesCommandInput) =>
    this.run('ec2:DescribeAvailabilityZones', (how) =>
      this.client.send(new DescribeAvailabilityZonesCommand(input), how),
    );

  readonly instances = (input: DescribeInstancesCommandInput) =>
    this.run('ec2:DescribeInstances', (how) => this.client.send(new DescribeInstancesCommand(input), how));

  readonly instanceTypes = (input: DescribeInstanceTypesCommandInput) =>
    this.run('ec2:DescribeInstanceTypes', (how) => this.client.send(new DescribeInstanceTypesCommand(input), how));
}
