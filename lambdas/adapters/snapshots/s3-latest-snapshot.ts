import { latestSnapshotKey } from '../../contract/names.ts';
import { snapshotFromText } from '../../core/stored/stored-region.ts';
import type { LatestSnapshot } from '../../ports/latest-snapshot.ts';
import type { Bucket } from './bucket.ts';
import type { Place } from './s3-scan-store.ts';

/** Reads the one key under which observe keeps the newest snapshot. */
export function s3LatestSnapshot(bucket: Bucket, { account, region }: Place): LatestSnapshot {
  return {
    read: async () => {
      const text = await bucket.read(latestSnapshotKey(account, region));
      return text === undefined ? undefined : snapshotFromText(text);
    },
  };
}
