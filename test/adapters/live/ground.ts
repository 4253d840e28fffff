/** Regions to read, and what comes of reading them. */
import type { EniReading, EniRecord, RegionFacts } from '../../../lambdas/core/subnet/snapshot.ts';
import type { RegionSource } from '../../../lambdas/ports/region-source.ts';
import { World } from '../../../simulator/index.ts';
import { idOf } from '../../simulator/clients.ts';

/** A region to read. */
export interface Ground {
  readonly world: World;
  readonly vpcs: readonly string[];
  /** Two of each VPC, in the order of the VPCs. */
  readonly subnets: readonly string[];
}

/** Four VPCs with two subnets each, eight interfaces in each subnet. */
export function fourVpcs(): Ground {
  const world = new World({ seed: 4 });
  const vpcs = [0, 1, 2, 3].map((n) => idOf(world.addVpc({ cidr: `10.${n}.0.0/16` }).VpcId));
  const subnets = vpcs.flatMap((vpcId, n) =>
    ['a', 'b'].map((letter, m) => {
      const spec = { vpcId, cidr: `10.${n}.${m}.0/24`, zone: `us-east-1${letter}` };
      return idOf(world.addSubnet(spec).SubnetId);
    }),
  );
  for (const subnetId of subnets) for (let n = 0; n < 8; n++) world.addEni({ subnetId });
  return { world, vpcs, subnets };
}

export interface Read {
  readonly facts: RegionFacts;
  readonly enis: EniReading;
  readonly records: readonly EniRecord[];
}

export async function readAll(source: RegionSource): Promise<Read> {
  const facts = await source.facts();
  const records: EniRecord[] = [];
  const enis = await source.networkInterfaces(facts, { add: (eni) => records.push(eni) });
  return { facts, enis, records };
}

export function distinct(records: readonly EniRecord[]): string[] {
  return [...new Set(records.map(({ eniId }) => eniId))].sort();
}

export function enisOf(world: World, subnets: readonly string[]): string[] {
  return subnets.flatMap((id) => world.enisOf(id).map((eni) => idOf(eni.NetworkInterfaceId))).sort();
}

/** A cluster with a node group and the CNI add-on in a VPC, as EKS describes them. */
export function addCluster(world: World, name: string, vpcId: string, subnetIds: readonly string[]): void {
  const { clusters, nodegroups, addons } = world.services;
  clusters.set(name, { name, version: '1.33', status: 'ACTIVE', resourcesVpcConfig: { vpcId, subnetIds } });
  const nodes = { clusterName: name, nodegroupName: 'nodes', subnets: subnetIds, instanceTypes: ['m5.large'] };
  nodegroups.set(name, new Map([['nodes', nodes]]));
  addons.set(
    name,
    new Map([['vpc-cni', { clusterName: name, addonName: 'vpc-cni', addonVersion: 'v1.20.4-eksbuild.1' }]]),
  );
}
