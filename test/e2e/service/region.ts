/** A region with one cluster in prefix mode, in two zones of the VPC that the EKS emulator puts every cluster into. */
import { World } from '../../../simulator/index.ts';
import { ACCOUNT, REGION } from '../testbed.ts';

/** What MiniStack's DescribeCluster says of every cluster. */
export const EKS_VPC_ID = 'vpc-00000000';

export interface ServiceRegion {
  readonly world: World;
  readonly subnets: { readonly a: string; readonly b: string; readonly c: string };
  /** First interface of the node in each subnet. */
  readonly nodeEnis: { readonly a: string; readonly b: string };
}

/** A value that must be there. */
export function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a value was expected');
  return value;
}

export function serviceRegion(): ServiceRegion {
  const world = new World({ seed: 30, account: ACCOUNT, region: REGION });
  world.addVpc({ cidr: '10.0.0.0/16', vpcId: EKS_VPC_ID });
  const subnet = (third: number, letter: string) =>
    present(world.addSubnet({ vpcId: EKS_VPC_ID, cidr: `10.0.${third}.0/24`, zone: `${REGION}${letter}` }).SubnetId);
  const subnets = { a: subnet(0, 'a'), b: subnet(1, 'b'), c: subnet(2, 'c') };
  const node = (subnetId: string) => {
    const tags = [
      { Key: 'eks:cluster-name', Value: 'prod' },
      { Key: 'kubernetes.io/cluster/prod', Value: 'owned' },
    ];
    world.launch({ subnetId, prefixCount: 1, tags });
    return present(world.enisOf(subnetId)[0]?.NetworkInterfaceId);
  };
  return { world, subnets, nodeEnis: { a: node(subnets.a), b: node(subnets.b) } };
}

/** Free /28s of a subnet, counted from its interfaces alone: no address of the block is held, and none is reserved by AWS. */
export function freeBlocks(world: World, subnetId: string): readonly number[] {
  const held = new Set<number>();
  for (const eni of world.enisOf(subnetId)) {
    for (const { PrivateIpAddress } of eni.PrivateIpAddresses ?? []) held.add(lastByte(PrivateIpAddress) >> 4);
    for (const { Ipv4Prefix } of eni.Ipv4Prefixes ?? []) held.add(lastByte(Ipv4Prefix?.split('/')[0]) >> 4);
  }
  return Array.from({ length: 16 }, (_, block) => block).filter((block) => block > 0 && block < 15 && !held.has(block));
}

function lastByte(address: string | undefined): number {
  return Number(address?.split('.')[3]);
}

/** The nodes of a subnet take prefixes, and then one single address in each /28 that is left: many addresses stay free and no prefix can be had. */
export function fragment({ world }: Pick<ServiceRegion, 'world'>, subnetId: string, eniId: string, third: number) {
  world.assign(eniId, { prefixCount: 3 });
  const addresses = freeBlocks(world, subnetId).map((block) => `10.0.${third}.${block * 16 + 5}`);
  const other = world.addEni({
    subnetId,
    tags: { 'cluster.k8s.amazonaws.com/name': 'prod' },
    description: 'aws-K8S-i-0a',
  });
  for (const address of addresses) world.assign(present(other.NetworkInterfaceId), { addresses: [address] });
  return { recover: () => world.unassign(present(other.NetworkInterfaceId), addresses) };
}
