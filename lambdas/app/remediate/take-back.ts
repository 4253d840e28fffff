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

async function backOne(world: RemediateWorld, lock: VpcLock, change: Change): Promise<string | undefined> {
  const { reader, writer } = world;
  switch (change.kind) {
    case 'interface':
      return undefined;
    case 'tags': {
      const { resourceId, written, previous } = change;
      const eni = resourceId.startsWith('eni-');
      const now = eni
        ? (await reader.interfaces([resourceId])).get(resourceId)?.tags
        : (await reader.subnetTags([resourceId])).get(resourceId);
      // A key that was there before was never written, and a value that is another by now is somebody else's.
      const ours = Object.entries(written).filter(([key, value]) => previous[key] === null && now?.get(key) === value);
      if (ours.length === 0) return undefined;
      await lock.check();
      await writer.removeTags([resourceId], Object.fromEntries(ours));
      return `${ours.map(([key]) => key).join(', ')} off ${resourceId}`;
    }
    case 'reservation': {
      const { subnetId, cidr, reservationId } = change;
      // The call cannot be limited by IAM: only the very reservation that Headroom made, still standing where it was made, is deleted.
      if (reservationId === '' || (await reader.reservations(subnetId)).get(cidr) !== reservationId) return undefined;
      await lock.check();
      await writer.deleteReservation(reservationId);
      return `reservation ${cidr} of ${subnetId}`;
    }
  }
}
