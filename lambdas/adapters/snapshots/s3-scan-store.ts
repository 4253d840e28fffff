/** What is kept between scans and for good, in the bucket, under the keys of contract/names.ts. */
import { latestSnapshotKey, regionCacheKey, snapshotKey, vpcCacheKey } from '../../contract/names.ts';
import {
  regionFromText,
  regionToText,
  StoredError,
  snapshotToText,
  vpcFromText,
  vpcToText,
} from '../../core/stored/stored-region.ts';
import type { Log, ScanStore } from '../../ports/observing.ts';
import type { Bucket } from './bucket.ts';

export interface Place {
  readonly account: string;
  readonly region: string;
}

export function s3ScanStore(bucket: Bucket, { account, region }: Place, log: Log): ScanStore {
  /** What cannot be read is read anew from AWS: a new version of Headroom meets texts of the old one once. */
  const readable = async <T>(key: string, decode: (text: string) => T): Promise<T | undefined> => {
    const text = await bucket.read(key);
    if (text === undefined) return undefined;
    try {
      return decode(text);
    } catch (error) {
      if (!(error instanceof StoredError)) throw error;
      log('warn', 'observe', 'what was kept cannot be read and is made anew', { key, error: error.message });
      return undefined;
    }
  };
  return {
    region: () => readable(regionCacheKey(account, region), regionFromText),
    vpc: (vpcId) => readable(vpcCacheKey(account, region, vpcId), vpcFromText),
    saveRegion: (kept) => bucket.write([regionCacheKey(account, region)], regionToText(kept)),
    saveVpc: (vpc) => bucket.write([vpcCacheKey(account, region, vpc.vpcId)], vpcToText(vpc)),
    saveSnapshot: (snapshot, at) =>
      bucket.write(
        [snapshotKey(account, region, new Date(at)), latestSnapshotKey(account, region)],
        snapshotToText(snapshot),
      ),
  };
}
