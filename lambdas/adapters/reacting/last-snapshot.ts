/** The newest snapshot in the bucket, decoded once for the batches that come while it is new. */
import { latestSnapshotKey } from '../../contract/names.ts';
import type { AssessSettings } from '../../core/assess/settings.ts';
import { roomsOfSnapshot } from '../../core/react/known-region.ts';
import { StoredError, snapshotFromText } from '../../core/stored/stored-region.ts';
import type { KnownRegion, LastSnapshot, ReactLog } from '../../ports/reacting.ts';
import type { Bucket } from '../snapshots/bucket.ts';

/** Milliseconds for which what was decoded counts: a scan comes every minute, and a storm brings a batch every two seconds. */
const FRESH_MS = 30_000;

/** What outlives a run. */
export interface Decoded {
  latest?: { readonly at: number; readonly region: KnownRegion | undefined };
}

export interface LastSnapshotOptions {
  readonly bucket: Bucket;
  readonly place: { readonly account: string; readonly region: string };
  readonly settings: AssessSettings;
  readonly decoded: Decoded;
  readonly now: () => number;
  readonly log: ReactLog;
}

/** A snapshot that another version of Headroom wrote counts as none, until the next scan writes a new one. */
export function lastSnapshot({ bucket, place, settings, decoded, now, log }: LastSnapshotOptions): LastSnapshot {
  async function decode(): Promise<KnownRegion | undefined> {
    const text = await bucket.read(latestSnapshotKey(place.account, place.region));
    if (text === undefined) return undefined;
    try {
      return { rooms: roomsOfSnapshot(snapshotFromText(text), settings), enis: new Map() };
    } catch (error) {
      if (!(error instanceof StoredError)) throw error;
      log('warn', 'the newest snapshot is of another version', { error: error.message });
      return undefined;
    }
  }
  return {
    async read() {
      const at = now();
      if (decoded.latest === undefined || at - decoded.latest.at >= FRESH_MS) {
        decoded.latest = { at, region: await decode() };
      }
      return decoded.latest.region;
    },
  };
}
