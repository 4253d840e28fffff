/** A region in which each action has its work: a full subnet with a standby beside it, a lightly used one beside a scattered one, and leaked interfaces. */
import { World } from '../../../simulator/index.ts';
import { EKS_VPC_ID, fragment, present } from '../service/region.ts';
import { ACCOUNT, REGION } from '../testbed.ts';
import { CLUSTER, DISCOVERY, NODE_TAGS } from './region.ts';

const HOUR = 3_600_000;

export interface AutoRegion {
  readonly world: World;
  readonly subnets: {
    readonly full: string;
    readonly standby: string;
    readonly scattered: string;
    readonly light: string;
  };
  /** Where the leaked interfaces are. */
  readonly places: { readonly ripe: string; readonly fresh: string };
  /** Interfaces that the CNI left behind. */
  readonly leaked: {
    /** Seen leaked before, and its quarantine is over. */
    readonly ripe: string;
    /** Never seen before. */
    readonly fresh: readonly string[];
  };
  /** Interfaces that look leaked but for one thing each: nothing may happen to them. */
  readonly spared: { readonly attached: string; readonly guarded: string; readonly ofAnother: string };
}

export function autoRegion(): AutoRegion {
  const world = new World({ seed: 6, account: ACCOUNT, region: REGION });
  world.addVpc({ cidr: '10.0.0.0/16', vpcId: EKS_VPC_ID });
  const subnet = (cidr: string, letter: string, tags: Readonly<Record<string, string>> = {}) =>
    present(world.addSubnet({ vpcId: EKS_VPC_ID, cidr, zone: `${REGION}${letter}`, tags }).SubnetId);
  const found = { [DISCOVERY]: CLUSTER };
  const subnets = {
    full: subnet('10.0.0.0/24', 'a', found),
    standby: subnet('10.0.3.0/24', 'a', { 'headroom:standby-for': CLUSTER }),
    scattered: subnet('10.0.1.0/24', 'b', found),
    light: subnet('10.0.4.0/22', 'b', found),
  };
  for (const [subnetId, third] of [
    [subnets.full, 0],
    [subnets.scattered, 1],
  ] as const) {
    world.launch({ subnetId, prefixCount: 1, tags: NODE_TAGS });
    fragment({ world }, subnetId, present(world.enisOf(subnetId)[0]?.NetworkInterfaceId), third);
  }
  return { world, subnets, ...leftovers(world, subnet) };
}

/** Two subnets of zone c, which no cluster uses any more: in one a quarantine is over, in the other it begins. */
function leftovers(world: World, subnet: (cidr: string, letter: string) => string) {
  const [old, young] = [subnet('10.0.8.0/24', 'c'), subnet('10.0.9.0/24', 'c')];
  const ago = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString();
  const eni = (subnetId: string, tags: Readonly<Record<string, string>> = {}) =>
    present(
      world.addEni({
        subnetId,
        description: 'aws-K8S-i-00000000000000bad',
        tags: {
          'cluster.k8s.amazonaws.com/name': CLUSTER,
          'node.k8s.amazonaws.com/instance_id': 'i-00000000000000bad',
          'node.k8s.amazonaws.com/createdAt': ago(48),
          ...tags,
        },
      }).NetworkInterfaceId,
    );
  const quarantined = { 'headroom:quarantined-at': ago(2) };
  const attached = eni(old, quarantined);
  const [node] = world.launch({ subnetId: old });
  world.attach({ eniId: attached, instanceId: present(node?.InstanceId), deviceIndex: 1, networkCardIndex: 0 });
  return {
    places: { ripe: old, fresh: young },
    leaked: { ripe: eni(old, quarantined), fresh: [eni(young), eni(young)] },
    spared: {
      attached,
      guarded: eni(old, { ...quarantined, 'headroom:protected': 'true' }),
      ofAnother: eni(old, { ...quarantined, 'cluster.k8s.amazonaws.com/name': 'dev' }),
    },
  };
}
