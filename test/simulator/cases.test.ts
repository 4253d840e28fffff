import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  DescribeAvailabilityZonesCommand,
  DescribeInstancesCommand,
  DescribeInstanceTypesCommand,
  type EC2Client,
  GetSubnetCidrReservationsCommand,
  paginateDescribeNetworkInterfaces,
  paginateDescribeSubnets,
} from '@aws-sdk/client-ec2';
import { DescribeClusterCommand, DescribeNodegroupCommand } from '@aws-sdk/client-eks';
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import { describe, expect, test } from '@jest/globals';
import { loadWorld } from '../../simulator/index.ts';
import { ec2Client, eksClient, serve, stsClient } from './clients.ts';

const CASES = join(import.meta.dirname, '../cases');
const FOLDERS = readdirSync(CASES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .concat('c12-untag-causes-drift/after');

type Document = Record<string, unknown>;

/** The lists of a file, read without the loader: one document or several. */
function listed(folder: string, file: string, key: string): unknown[] {
  const names = readdirSync(join(CASES, folder)).filter((name) => name.startsWith(file) && name.endsWith('.json'));
  return names.flatMap((name) => {
    const parsed = JSON.parse(readFileSync(join(CASES, folder, name), 'utf8')) as Document | Document[];
    return [parsed].flat().flatMap((document) => (document[key] ?? []) as unknown[]);
  });
}

/** As JSON, which is how the CLI would print it, in order of id. */
function printed(items: readonly unknown[], id: string): Document[] {
  const plain = JSON.parse(JSON.stringify(items)) as Document[];
  return plain.sort((one, other) => String(one[id]).localeCompare(String(other[id])));
}

async function subnetsOf(client: EC2Client): Promise<unknown[]> {
  const items: unknown[] = [];
  for await (const page of paginateDescribeSubnets({ client, pageSize: 5 }, {})) items.push(...(page.Subnets ?? []));
  return items;
}

async function interfacesOf(client: EC2Client): Promise<unknown[]> {
  const items: unknown[] = [];
  const pages = paginateDescribeNetworkInterfaces({ client, pageSize: 5 }, { IncludeManagedResources: true });
  for await (const page of pages) items.push(...(page.NetworkInterfaces ?? []));
  return items;
}

describe.each(FOLDERS)('%s', (folder) => {
  test('every resource is described as the files have it', async () => {
    const client = ec2Client(await serve(await loadWorld(join(CASES, folder))));
    const subnets = listed(folder, 'subnets', 'Subnets');
    expect(printed(await subnetsOf(client), 'SubnetId')).toEqual(printed(subnets, 'SubnetId'));
    expect(printed(await interfacesOf(client), 'NetworkInterfaceId')).toEqual(
      printed(listed(folder, 'network-interfaces', 'NetworkInterfaces'), 'NetworkInterfaceId'),
    );
    const { Reservations } = await client.send(new DescribeInstancesCommand({}));
    expect(Reservations).toEqual(listed(folder, 'instances', 'Reservations'));
    const { AvailabilityZones } = await client.send(
      new DescribeAvailabilityZonesCommand({ AllAvailabilityZones: true }),
    );
    expect(AvailabilityZones).toEqual(listed(folder, 'availability-zones', 'AvailabilityZones'));
    const types = await client.send(new DescribeInstanceTypesCommand({}));
    expect(types.InstanceTypes).toEqual(listed(folder, 'instance-types', 'InstanceTypes'));
    const reservations: unknown[] = [];
    for (const subnet of subnets as Document[]) {
      const command = new GetSubnetCidrReservationsCommand({ SubnetId: String(subnet.SubnetId) });
      const answer = await client.send(command);
      reservations.push(...(answer.SubnetIpv4CidrReservations ?? []));
    }
    expect(printed(reservations, 'SubnetCidrReservationId')).toEqual(
      printed(listed(folder, 'cidr-reservations', 'SubnetIpv4CidrReservations'), 'SubnetCidrReservationId'),
    );
  });
});

test('clusters, node groups and the caller are served on the same port', async () => {
  const upgrade = await serve(await loadWorld(join(CASES, 'c19-eks-upgrade-three-28')));
  const { cluster } = await eksClient(upgrade).send(new DescribeClusterCommand({ name: 'cluster-a' }));
  expect(cluster?.resourcesVpcConfig?.subnetIds).toHaveLength(3);
  expect(cluster?.version).toBe('1.21');

  const nodes = eksClient(await serve(await loadWorld(join(CASES, 'c09-launchable-but-unusable'))));
  const command = new DescribeNodegroupCommand({ clusterName: 'cluster-a', nodegroupName: 'nodes' });
  expect((await nodes.send(command)).nodegroup?.instanceTypes).toEqual(['m5.large']);

  const shared = stsClient(await serve(await loadWorld(join(CASES, 'c17-shared-subnet-invisible-enis'))));
  expect((await shared.send(new GetCallerIdentityCommand({}))).Account).toBe('111111111111');
});
