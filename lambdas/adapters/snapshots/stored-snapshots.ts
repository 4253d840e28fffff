/** Finds the snapshot that was the newest at a time, among those that the service keeps in its bucket. */
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

/**
 * The snapshot of the deployed service that is nearest before a time.
 *
 * @param at epoch milliseconds.
 * @throws ReadError `NOT_FOUND` where no service is deployed or none of its snapshots is that old; the others as for every read. StoredError for a snapshot of another version.
 */
export async function snapshotAt(options: ServiceOptions, at: number): Promise<FoundSnapshot> {
  const deployment = await findDeployment(options);
  const bucket = requiredOutput(deployment, 'bucket');
  const { account, region } = deployment;
  const client = new S3Client(serviceClientConfig({ ...options, region }));
  try {
    for (let back = 0; back <= DAYS_BACK; back++) {
      const day = new Date(at - back * DAY_MS);
      const keys = await keysOf(client, bucket, snapshotDayPrefix(account, region, day));
      // Keys sort by time; that of the wanted time stands right behind the one that was newest then.
      const last = keys.filter((key) => back > 0 || key <= snapshotKey(account, region, new Date(at))).at(-1);
      if (last === undefined) continue;
      const text = await new Bucket(client, bucket).read(last);
      if (text !== undefined) return { snapshot: snapshotFromText(text), key: last };
    }
  } catch (error) {
    if (error instanceof Error && error.name === 'StoredError') throw error;
    throw fatalCallError(error, { call: 's3:GetObject', permission: 's3:GetObject and s3:ListBucket' }, { region });
  }
  throw new ReadError(
    'NOT_FOUND',
    `The service in ${region} has no snapshot from before ${new Date(at).toISOString()}, or none in the ${DAYS_BACK} days before it.`,
    { remedy: 'Give a later time; snapshots are kept for as long as deployment.snapshotRetention says.' },
  );
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
