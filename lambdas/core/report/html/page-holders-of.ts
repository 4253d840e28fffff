/** Who holds which address of a subnet, from the records of its interfaces to the form that the page unpacks. */
import { podsByNode } from '../../assess/nodes.ts';
import { ENI_CLASSES } from '../../subnet/eni-class.ts';
import type { SubnetOccupancy } from '../../subnet/occupancy.ts';
import type { RegionFacts } from '../../subnet/snapshot.ts';
import { printable } from '../printable.ts';
import type { PageHolder, PageHolders } from './holders.ts';

const PREFIX_IPS = 16;

/** Pods that need an address of their node, by instance; without an entry where that is not known. */
export type PodsByInstance = ReadonlyMap<string, number>;

export function podsByInstance({ kubernetes }: RegionFacts): PodsByInstance {
  const counts = new Map<string, number>();
  for (const inside of kubernetes) {
    const pods = podsByNode(inside);
    if (pods === undefined || inside.nodes.state === 'absent') continue;
    for (const { name, instanceId } of inside.nodes.value) {
      if (instanceId !== undefined) counts.set(instanceId, pods.get(name) ?? 0);
    }
  }
  return counts;
}

export interface SubnetHolders {
  readonly packed: PageHolders;
  /** Ids of the interfaces, then of the instances, in the order of `packed`. */
  readonly ids: readonly string[];
}

/**
 * @param occupancy with its records kept.
 * @param clusters every cluster's position in the page's list.
 */
export function subnetHolders(
  { map, records }: SubnetOccupancy,
  clusters: ReadonlyMap<string, number>,
  pods: PodsByInstance,
): SubnetHolders {
  const owners = new Uint32Array(map.blocks * PREFIX_IPS);
  const instances = new Map<string, { at: number; held: number }>();
  const holders: PageHolder[] = [];
  const eniIds: string[] = [];
  for (const { eni, class: eniClass, cluster } of records) {
    const inside = (address: number) => map.contains(address);
    const addresses = eni.addresses.filter(inside);
    const prefixes = eni.prefixes.filter(inside);
    if (addresses.length === 0 && prefixes.length === 0) continue;
    const owner = holders.length + 1;
    const base = map.cidr.base;
    for (const prefix of prefixes) owners.fill(owner, prefix - base, prefix - base + PREFIX_IPS);
    for (const address of addresses) owners[address - base] = owner;
    const instanceId = eni.attachment?.instanceId;
    let instance = -1;
    if (instanceId !== undefined) {
      const known = instances.get(instanceId) ?? { at: instances.size, held: 0 };
      known.held += addresses.filter((address) => address !== eni.primary).length + PREFIX_IPS * prefixes.length;
      instances.set(instanceId, known);
      instance = known.at;
    }
    holders.push({
      eniClass: ENI_CLASSES.indexOf(eniClass),
      cluster: cluster === undefined ? -1 : (clusters.get(cluster) ?? -1),
      instance,
      primary: eni.primary !== undefined && inside(eni.primary) ? eni.primary - base : -1,
    });
    eniIds.push(printable(eni.eniId));
  }
  return {
    packed: {
      holders,
      instances: [...instances].map(([id, { held }]) => ({ pods: pods.get(id) ?? -1, held })),
      owners,
    },
    ids: [...eniIds, ...[...instances.keys()].map(printable)],
  };
}
