/** A region with one cluster, and a clock that the tests move. */

import type { SimulatorOptions } from '../../../simulator/index.ts';
import { World } from '../../../simulator/index.ts';
import { addCluster } from '../../adapters/live/ground.ts';
import { idOf, NOON, serve } from '../../simulator/clients.ts';
import { Observatory } from '../../support/observing.ts';

export interface ObserveGround {
  readonly world: World;
  readonly vpcId: string;
  /** One in each of two zones, /26. */
  readonly subnets: readonly [string, string];
  readonly sky: Observatory;
}

/** Cluster `prod` with a node group in two /26 subnets, two interfaces of nodes in each. */
export async function oneCluster(document: object = {}, options: SimulatorOptions = {}): Promise<ObserveGround> {
  const time = { now: NOON };
  const world = new World({ seed: 7, now: () => time.now });
  const vpcId = idOf(world.addVpc({ cidr: '10.0.0.0/16' }).VpcId);
  const [a, b] = ['a', 'b'].map((letter, n) =>
    idOf(world.addSubnet({ vpcId, cidr: `10.0.${n}.0/26`, zone: `us-east-1${letter}` }).SubnetId),
  ) as [string, string];
  addCluster(world, 'prod', vpcId, [a, b]);
  for (const subnetId of [a, b]) addNode(world, subnetId);
  const simulator = await serve(world, { now: () => time.now, ...options });
  return { world, vpcId, subnets: [a, b], sky: new Observatory(simulator, time, document) };
}

/** An instance of a node group with its first interface, by its tags. */
export function addNode(world: World, subnetId: string): string {
  return idOf(
    world.addEni({
      subnetId,
      tags: { 'cluster.k8s.amazonaws.com/name': 'prod', 'node.k8s.amazonaws.com/instance_id': 'i-0123' },
      description: 'aws-K8S-i-0123',
    }).NetworkInterfaceId,
  );
}

/** Fills a subnet with single addresses until so many are left. */
export function fill(world: World, subnetId: string, left: number): readonly string[] {
  const added: string[] = [];
  while (world.availableIps(subnetId) > left) added.push(idOf(world.addEni({ subnetId }).NetworkInterfaceId));
  return added;
}
