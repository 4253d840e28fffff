/** Changes back what a plan changed, from the undo ledger: only what Headroom itself wrote, and only where it still stands as written. */
import type { Change } from '../../core/remediate/undo.ts';
import type { RemediateWorld } from '../../ports/remediating.ts';
import type { VpcLock } from './vpc-lock.ts';

/** The last change first. @returns what was changed back, in words. */
export async function takeBack(
  world: RemediateWorld,
  lock: VpcLock,
  changes: readonly Change[],
): Promise<readonly string[]> {
  const done: string[] = [];
  for (const change of [...changes].reverse()) {
    const what = await backOne(world, lock, change);
    if (what !== undefined) done.push(what);
  }
  return done;
}

/** Whether anything of the changes still stands as Headroom wrote it. */
export async function anyStands(reader: RemediateWorld['reader'], changes: readonly Change[]): Promise<boolean> {
  for (const change of changes) if ((await oursIn(reader, change)) !== undefined) return true;
  return false;
}

/** What of a change can be taken back; `undefined`: nothing. */
type Ours =
  | { readonly kind: 'tags'; readonly resourceId: string; readonly tags: { readonly [key: string]: string } }
  | Extract<Change, { kind: 'reservation' }>;

async function oursIn(reader: RemediateWorld['reader'], change: Change): Promise<Ours | undefined> {
  switch (change.kind) {
    case 'interface':
      return undefined;
    case 'tags': {
      const { resourceId, written, previous } = change;
      const now = resourceId.startsWith('eni-')
        ? (await reader.interfaces([resourceId])).get(resourceId)?.tags
        : (await reader.subnetTags([resourceId])).get(resourceId);
      // A key that was there before was never written, and a value that is another by now is somebody else's.
      const ours = Object.entries(written).filter(([key, value]) => previous[key] === null && now?.get(key) === value);
      return ours.length === 0 ? undefined : { kind: 'tags', resourceId, tags: Object.fromEntries(ours) };
    }
    case 'reservation': {
      const { subnetId, cidr, reservationId } = change;
      // The call cannot be limited by IAM: only the very reservation that Headroom made, still standing where it was made, is deleted.
      const stands = reservationId !== '' && (await reader.reservations(subnetId)).get(cidr) === reservationId;
      return stands ? change : undefined;
    }
  }
}

async function backOne({ reader, writer }: RemediateWorld, lock: VpcLock, change: Change): Promise<string | undefined> {
  const ours = await oursIn(reader, change);
  if (ours === undefined) return undefined;
  await lock.check();
  if (ours.kind === 'reservation') {
    await writer.deleteReservation(ours.reservationId);
    return `reservation ${ours.cidr} of ${ours.subnetId}`;
  }
  await writer.removeTags([ours.resourceId], ours.tags);
  return `${Object.keys(ours.tags).join(', ')} off ${ours.resourceId}`;
}
