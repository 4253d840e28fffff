/**
 * The region that `demo` shows: made by simulated API calls, the way real regions come to be, so that its fragmentation is nobody's drawing.
 *
 * Seeded, at a fixed time: the same on every machine. examples/sample-region is what `observe` writes of it.
 */
import { Refusal, World } from '../../simulator/index.ts';
import { keepRunning, LEAKS, leakedInterface, pod, SampleCluster, type SampleSubnet } from './sample-cluster.ts';

/** When the sample region is looked at. */
export const SAMPLE_NOW = Date.parse('2026-11-30T09:00:00Z');
export const SAMPLE_REGION = 'eu-west-1';
const ACCOUNT = '111122223333';
const SEED = 20_261_130;

/** Pods with an interface of their own that start before the fragmented zone is full, and how many of every ten end again. */
const POD_STARTS = 220;
const PODS_ENDING_OF_TEN = 7;

export interface SampleRegion {
  readonly world: World;
  /** The subnet that EC2 shows as half free and that has no whole /28 left. */
  readonly fragmented: string;
}

export function sampleRegion(): SampleRegion {
  const world = new World({ seed: SEED, region: SAMPLE_REGION, account: ACCOUNT, now: () => SAMPLE_NOW });
  world.services.caller = { UserId: 'AIDASAMPLE', Account: ACCOUNT, Arn: `arn:aws:iam::${ACCOUNT}:user/on-call` };
  const fragmented = shop(world);
  billing(world);
  batch(world);
  return { world, fragmented };
}

/** Prefix delegation, three zones, pods with security groups of their own in the first: they come and go, and each takes one address at random. */
function shop(world: World): string {
  const cluster = new SampleCluster(world, { name: 'shop', vpcCidr: '10.0.0.0/16', prefixes: true });
  const [a, b, c] = [
    cluster.addSubnet('shop-nodes-a', '10.0.0.0/23', 'a'),
    cluster.addSubnet('shop-nodes-b', '10.0.2.0/23', 'b'),
    cluster.addSubnet('shop-nodes-c', '10.0.4.0/23', 'c'),
  ] as const;
  for (const zone of [a, b, c]) cluster.launchNodes(zone, 5);
  cluster.register([a, b, c]);
  churn(world, a, cluster.name);
  growUntilRefused(cluster, a);
  // Standing by in the same zone, for whichever of the two clusters needs it first.
  cluster.addStandby('standby-a', '10.0.64.0/22', 'a');
  return a.id;
}

/** Pods start and end; what stays is strewn over the subnet. */
function churn(world: World, subnet: SampleSubnet, cluster: string): void {
  const running: string[] = [];
  for (let started = 0; started < POD_STARTS; started++) {
    running.push(pod(world, subnet, cluster, started));
    if (world.random.below(10) >= PODS_ENDING_OF_TEN) continue;
    const ending = running.splice(world.random.below(running.length), 1)[0];
    if (ending !== undefined) world.deleteEni(ending);
  }
  for (const eniId of running) keepRunning(world, eniId);
}

/** Nodes are added, each with a prefix, until EC2 has no whole /28 left to give. */
function growUntilRefused(cluster: SampleCluster, subnet: SampleSubnet): void {
  for (;;) {
    try {
      cluster.launchNodes(subnet, 1);
    } catch (error) {
      if (error instanceof Refusal) return;
      throw error;
    }
  }
}

/** A healthy one: its nodes take their prefixes from a range that is reserved for them. */
function billing(world: World): void {
  const cluster = new SampleCluster(world, { name: 'billing', vpcCidr: '10.1.0.0/16', prefixes: true });
  const zones = [
    cluster.addSubnet('billing-nodes-a', '10.1.0.0/22', 'a'),
    cluster.addSubnet('billing-nodes-b', '10.1.4.0/22', 'b'),
  ];
  for (const subnet of zones) {
    world.addReservation({
      subnetId: subnet.id,
      cidr: secondQuarter(subnet.cidr),
      type: 'prefix',
      description: 'for prefix delegation',
    });
    cluster.launchNodes(subnet, 6);
  }
  cluster.register(zones);
}

/** The second /24 of a /22. */
function secondQuarter(cidr: string): string {
  return cidr.replace(/(\d+)\.0\/22$/, (_, part: string) => `${Number(part) + 1}.0/24`);
}

/** Single addresses; nodes that were killed have left their second interfaces behind. */
function batch(world: World): void {
  const cluster = new SampleCluster(world, { name: 'batch', vpcCidr: '10.2.0.0/16', prefixes: false });
  const zones = [
    cluster.addSubnet('batch-nodes-a', '10.2.0.0/24', 'a'),
    cluster.addSubnet('batch-nodes-b', '10.2.1.0/24', 'b'),
  ];
  for (const subnet of zones) cluster.launchNodes(subnet, 4);
  for (let i = 0; i < LEAKS; i++) leakedInterface(world, zones[1] as SampleSubnet, cluster.name);
  cluster.register(zones);
}
