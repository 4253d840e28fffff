/** Gives back what leaked interfaces hold: a quarantine tag at the first sighting, deletion at a later one. */
import { TAGS } from '../../contract/tags.ts';
import type { AssessContext, SubnetView } from '../assess/context.ts';
import { roomAfterRelease, type UnattachedEnis } from '../assess/unattached.ts';
import { addresses, count, nameOf } from '../assess/words.ts';
import { isFull } from '../subnet/ledger.ts';
import type { ClassifiedEni } from '../subnet/occupancy.ts';
import { notProtectedGuard, ownerGuard, readGuard } from './fact-guards.ts';
import { type Decision, type Effect, guard, inGuardOrder, type Write } from './plan.ts';
import type { PlanSettings } from './settings.ts';

/** Interfaces that one decision acts on: what a function deletes within its time at EC2's pace for calls that write (5 a second, domain.md 2.38). */
export const MOST_INTERFACES = 200;

/** @returns `undefined` where nothing is leaked, and where all that is waits out its quarantine. */
export function cleanLeakedEnis(
  context: AssessContext,
  settings: PlanSettings,
  view: SubnetView,
  { leaked }: Pick<UnattachedEnis, 'leaked'>,
  findingIds: readonly string[],
): Decision | undefined {
  const { now } = context.facts;
  const ripe: ClassifiedEni[] = [];
  const fresh: ClassifiedEni[] = [];
  for (const one of leaked) {
    // An interface that names a cluster which nobody configured is somebody else's to clean.
    if (one.cluster !== undefined && settings.configured?.has(one.cluster) === false) continue;
    const since = quarantinedAt(one);
    if (since === undefined) fresh.push(one);
    else if (now !== undefined && now - since >= settings.quarantineSeconds * 1000) ripe.push(one);
  }
  // Deletion first: what has waited goes before what begins to wait.
  const stage = ripe.length > 0 ? 'delete' : 'quarantine';
  const chosen = (stage === 'delete' ? ripe : fresh).slice(0, MOST_INTERFACES);
  if (chosen.length === 0) return undefined;
  return decision(context, settings, view, { stage, chosen, leaked: leaked.length }, findingIds);
}

/** `undefined` for a tag that is absent or no time: then it counts as not seen yet, and the quarantine begins anew. */
function quarantinedAt({ eni }: ClassifiedEni): number | undefined {
  const at = Date.parse(eni.tags.get(TAGS.quarantinedAt) ?? '');
  return Number.isNaN(at) ? undefined : at;
}

interface Stage {
  readonly stage: 'quarantine' | 'delete';
  readonly chosen: readonly ClassifiedEni[];
  readonly leaked: number;
}

function decision(
  context: AssessContext,
  settings: PlanSettings,
  view: SubnetView,
  { stage, chosen, leaked }: Stage,
  findingIds: readonly string[],
): Decision {
  const { facts } = view;
  const hours = settings.quarantineSeconds / 3600;
  const ids = chosen.map(({ eni }) => eni.eniId);
  const writes = ids.map(
    (eniId): Write =>
      stage === 'delete'
        ? { kind: 'deleteInterface', eniId }
        : { kind: 'setTags', resourceId: eniId, tags: {}, stamp: TAGS.quarantinedAt },
  );
  const released =
    view.occupancy === undefined ? undefined : roomAfterRelease(view.occupancy, view.reservations ?? [], chosen);
  const held = addresses(released?.ips ?? 0);
  const guards = [
    readGuard(context, [view], ['instances']),
    notProtectedGuard(settings, view),
    ownerGuard(context, view, true),
    guard(
      'leak-proven',
      context.facts.now !== undefined,
      'made by the VPC CNI (tag and description), attached to nothing, of instances that are gone, older than the threshold, not protected',
    ),
    guard(
      'quarantined',
      true,
      stage === 'delete'
        ? `seen leaked ${hours} hours ago and now`
        : `first sighting: nothing is deleted for ${hours} hours`,
    ),
  ];
  return {
    subject: `cleanLeakedEnis/${facts.subnetId}/${stage}`,
    action: 'cleanLeakedEnis',
    findingIds,
    vpcId: facts.vpcId,
    zone: facts.availabilityZone,
    zoneId: facts.availabilityZoneId,
    subnetId: facts.subnetId,
    summary:
      stage === 'delete'
        ? `Delete ${count(chosen.length, 'leaked interface')} of ${nameOf(facts)}: ${held} come back.`
        : `Put ${count(chosen.length, 'leaked interface')} of ${nameOf(facts)} into quarantine; deleted after ${hours} hours if still leaked, they give ${held} back.`,
    reason: `${count(leaked, 'interface')} that the VPC CNI made ${leaked === 1 ? 'is' : 'are'} attached to nothing, and ${leaked === 1 ? 'its instance is' : 'their instances are'} gone. The CNI sweeps them only while a node of that cluster runs.`,
    effect: stage === 'delete' ? effectOf(view, released) : {},
    cost: 'None.',
    risk:
      stage === 'delete'
        ? 'An interface that is attached at this very moment would be needed: each is read again just before, and EC2 refuses to delete one that is attached.'
        : 'None: a tag on an interface that nobody uses.',
    undo: stage === 'delete' ? 'Not possible: a deleted interface is gone.' : `Take ${TAGS.quarantinedAt} away again.`,
    guards: inGuardOrder(guards),
    writes,
    mode: settings.mode.cleanLeakedEnis,
    rejected: [],
    infrastructureCode: [],
    commands: ids.slice(0, 1).map((id) => `aws ec2 describe-network-interfaces --network-interface-ids ${id}`),
  };
}

function effectOf({ ledger }: SubnetView, released: ReturnType<typeof roomAfterRelease> | undefined): Effect {
  if (released === undefined || !isFull(ledger)) return {};
  return {
    availableIps: { before: ledger.availableIps, after: ledger.availableIps + released.ips },
    freePrefixes: { before: ledger.freePrefixes, after: released.freePrefixes },
  };
}
