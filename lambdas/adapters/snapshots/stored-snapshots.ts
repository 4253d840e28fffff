/** Finds the snapshot that was the newest at a time, and those of a span of time, among those that the service keeps in its bucket. */
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { snapshotDayPrefix, snapshotKey } from '../../contract/names.ts';
import { type StoredSnapshot, snapshotFromText } from '../../core/stored/stored-region.ts';
import { ReadError } from '../../ports/read-error.ts';
import { fatalCallError } from '../aws-error.ts';
import {
  findDeployment,
  requiredOutput,
  type ServiceOptions,
  serviceClientConfig,
} from '../deployment/find-deployment.ts';
import { Bucket } from './bucket.ts';

const DAY_MS = 86_400_000;
/** Days that a search goes back. The service reads everything every quarter of an hour: one that is silent for so long is asked for by mistake. */
const DAYS_BACK = 31;

export interface FoundSnapshot {
  readonly snapshot: StoredSnapshot;
  readonly key: string;
}

/** What the deployed service kept. Its reads fail as every read does; a snapshot of another version is a StoredError. */
export interface SnapshotArchive {
  readonly region: string;
  /** @param at epoch milliseconds. @throws ReadError `NOT_FOUND` where no snapshot is that old, or none in the 31 days before. */
  readonly nearestBefore: (at: number) => Promise<FoundSnapshot>;
  /** Keys of all snapshots from one time to another, both included, the oldest first; empty where there are none. Epoch milliseconds. */
  readonly keysBetween: (since: number, until: number) => Promise<readonly string[]>;
  /** @returns `undefined` where it is gone by now: snapshots end after deployment.snapshotRetention. */
  readonly read: (key: string) => Promise<StoredSnapshot | undefined>;
}

/** @throws ReadError `NOT_FOUND` where no service is deployed; the others as for every read. */
export async function openArchive(options: ServiceOptions): Promise<SnapshotArchive> {
  const deployment = await findDeployment(options);
  const name = requiredOutput(deployment, 'bucket');
  const { account, region } = deployment;
  const client = new S3Client(serviceClientConfig({ ...options, region }));
  const bucket = new Bucket(client, name);
  const asking = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw fatalCallError(error, { call: 's3:GetObject', permission: 's3:GetObject and s3:ListBucket' }, { region });
    }
  };
  const keysOfDay = (day: number) =>
    asking(() => keysOf(client, name, snapshotDayPrefix(account, region, new Date(day))));
  const keyAt = (time: number) => snapshotKey(account, region, new Date(time));
  const read = async (key: string) => {
    const text = await asking(() => bucket.read(key));
    return text === undefined ? undefined : snapshotFromText(text);
  };
  return {
    region,
    read,
    async keysBetween(since, until) {
      const found: string[] = [];
      for (let day = since - (since % DAY_MS); day <= until; day += DAY_MS) found.push(...(await keysOfDay(day)));
      // Keys sort by time.
      return found.filter((key) => key >= keyAt(since) && key <= keyAt(until));
    },
    async nearestBefore(at) {
      for (let back = 0; back <= DAYS_BACK; back++) {
        const keys = await keysOfDay(at - back * DAY_MS);
        // That of the wanted time stands right behind the one that was newest then.
        const key = keys.filter((one) => back > 0 || one <= keyAt(at)).at(-1);
        const snapshot = key === undefined ? undefined : await read(key);
        if (key !== undefined && snapshot !== undefined) return { snapshot, key };
      }
      throw new ReadError(
        'NOT_FOUND',
        `The service in ${region} has no snapshot from before ${new Date(at).toISOString()}, or none in the ${DAYS_BACK} days before it.`,
        { remedy: 'Give a later time; snapshots are kept for as long as deployment.snapshotRetention says.' },
      );
    },
  };
}

/**
 * The snapshot of the deployed service that is nearest before a time.
 *
 * @param at epoch milliseconds.
 * @throws ReadError `NOT_FOUND` where no service is deployed or none of its snapshots is that old; the others as for every read. StoredError for a snapshot of another version.
 */
export async function snapshotAt(options: ServiceOptions, at: number): Promise<FoundSnapshot> {
  return (await openArchive(options)).nearestBefore(at);
}

async function keysOf(client: S3Client, bucket: string, prefix: string): Promise<readonly string[]> {
  const keys: string[] = [];
  let token: string | undefined;
  do {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: token }),
    );
    for (const { Key } of page.Contents ?? []) if (Key !== undefined) keys.push(Key);
    token = page.NextContinuationToken;
  } while (token !== undefined);
  return keys.sort();
}
