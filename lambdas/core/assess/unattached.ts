/** Which unattached interfaces are surely left over, and what releasing them would give. The proofs that need no history. */
import { TAGS } from '../../contract/tags.ts';
import { AddressMap, popCount } from '../ip/address-map.ts';
import { isAssignable, reservedSpace } from '../subnet/blocks.ts';
import { CNI_DESCRIPTION, hasNodeTag, TAG } from '../subnet/eni-class.ts';
import type { ClassifiedEni, SubnetOccupancy } from '../subnet/occupancy.ts';
import type { EniRecord, Reservation } from '../subnet/snapshot.ts';
import type { AssessContext, SubnetView } from './context.ts';
import { compareText } from './finding.ts';
import { subnetThresholds } from './subnet-thresholds.ts';

export interface UnattachedEnis {
  /** Made by the VPC CNI for an instance that is gone, and older than the threshold. By id. */
  readonly leaked: readonly ClassifiedEni[];
  /** Once a node's first interface, kept because its launch template said so. For review by a person. By id. */
  readonly detachedPrimaries: readonly ClassifiedEni[];
}

/** Makes the function that sorts the unattached interfaces of a subnet; whatever lacks one proof is in neither list. */
export function unattachedSorter(context: AssessContext): (view: SubnetView) => UnattachedEnis {
  const gone = goneInstances(context);
  return (view) => sortUnattached(context, view, gone);
}

function sortUnattached(
  context: AssessContext,
  view: SubnetView,
  gone: (instanceId: string) => boolean,
): UnattachedEnis {
  const leaked: ClassifiedEni[] = [];
  const detachedPrimaries: ClassifiedEni[] = [];
  const minAgeMs = subnetThresholds(context, view).leakedEniAgeSeconds * 1000;
  for (const held of view.occupancy?.unattached ?? []) {
    const { eni } = held;
    if (!mayBeLeftOver(context, view, eni)) continue;
    const instanceId = eni.tags.get(TAG.cniInstance);
    if (eni.description.startsWith(CNI_DESCRIPTION)) {
      const age = ageMs(context, eni);
      if (instanceId !== undefined && gone(instanceId) && age !== undefined && age > minAgeMs) leaked.push(held);
    } else if (hasNodeTag(eni.tags) && (instanceId === undefined || gone(instanceId))) {
      detachedPrimaries.push(held);
    }
  }
  const byId = (a: ClassifiedEni, b: ClassifiedEni) => compareText(a.eni.eniId, b.eni.eniId);
  return { leaked: leaked.sort(byId), detachedPrimaries: detachedPrimaries.sort(byId) };
}

/** Unattached, made by no service, protected by nobody, and of an account whose instances we can see. */
function mayBeLeftOver(context: AssessContext, view: SubnetView, eni: EniRecord): boolean {
  if (eni.status !== 'available' || eni.attachment !== undefined) return false;
  if (eni.requesterManaged || eni.operatorManaged || eni.interfaceType !== 'interface') return false;
  const unmanaged = eni.tags.get(TAG.cniNoManage);
  if (eni.tags.has(TAGS.protected) || (unmanaged !== undefined && unmanaged !== 'false')) return false;
  // In a shared subnet the instances of another account are always "gone" to us.
  const ours = context.facts.account ?? view.facts.ownerId;
  return eni.ownerId === undefined || ours === undefined || eni.ownerId === ours;
}

/**
 * Whether an instance surely exists no more: the instances were all read, and it is not among them or is terminated.
 *
 * The list must not be older than the interfaces by more than the age that a leak needs, or an instance that started since would count as gone.
 */
function goneInstances(context: AssessContext): (instanceId: string) => boolean {
  const { instances } = context.facts;
  if (instances.state === 'absent') return () => false;
  const states = new Map(instances.value.map((instance) => [instance.instanceId, instance.state]));
  const complete = instances.state === 'read';
  return (instanceId) => {
    const state = states.get(instanceId);
    return state === undefined ? complete : state === 'terminated';
  };
}

/** Since the CNI's own `createdAt`: EC2 keeps no creation time of an interface. `undefined` where either time is not known. */
function ageMs(context: AssessContext, eni: EniRecord): number | undefined {
  const created = Date.parse(eni.tags.get(TAG.cniCreatedAt) ?? '');
  return context.facts.now === undefined || Number.isNaN(created) ? undefined : context.facts.now - created;
}

export interface Released {
  /** Addresses won back. */
  readonly ips: number;
  /** Free prefixes afterwards, as the ledger counts `freePrefixes`. */
  readonly freePrefixes: number;
}

/** What the subnet would have if these interfaces let go of everything they hold. */
export function roomAfterRelease(
  occupancy: SubnetOccupancy,
  reservations: readonly Reservation[],
  enis: readonly ClassifiedEni[],
): Released {
  const { map } = occupancy;
  const after = new AddressMap(map.cidr);
  after.used.set(map.used);
  for (const { eni } of enis) {
    for (const address of eni.addresses) {
      if (!map.contains(address)) continue;
      const offset = address - map.cidr.base;
      after.used[offset >>> 4] = (after.used[offset >>> 4] as number) & ~(1 << (offset & 15));
    }
    for (const base of eni.prefixes) if (map.contains(base)) after.used[(base - map.cidr.base) >>> 4] = 0;
  }
  const reserved = reservedSpace(map, reservations);
  let ips = 0;
  let freePrefixes = 0;
  for (let block = 0; block < map.blocks; block++) {
    ips += popCount((map.used[block] as number) & ~(after.used[block] as number));
    if (isAssignable(after, reserved, block)) freePrefixes++;
  }
  return { ips, freePrefixes };
}
