/** Facts from inside the clusters: the `kubectl get -o json` files that people put under `facts/<cluster>/` of the bucket. */
import { ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import { BUCKET_PREFIXES } from '../../contract/names.ts';
import { InputError } from '../../core/input/input-error.ts';
import { Place } from '../../core/input/place.ts';
import type { InputName, ReadFailure } from '../../core/subnet/snapshot.ts';
import type { InsideSource } from '../../ports/observing.ts';
import { awsCode, awsMessage } from '../aws-error.ts';
import { inputOfFile } from '../files/input-files.ts';
import type { Bucket } from './bucket.ts';
import { decodeInside, type InsideInput, type InsidePart, isInsideInput, kubernetesOf } from './inside-parts.ts';

interface FactFile {
  readonly key: string;
  readonly cluster: string;
  readonly input: InsideInput;
  readonly etag: string;
}

/** @param decoded files by key, ETag and all, that this process has decoded before: a warm function reads only what is new. */
export function s3InsideSource(
  client: S3Client,
  bucketName: string,
  bucket: Bucket,
  decoded: Map<string, { readonly etag: string; readonly part: InsidePart }>,
): InsideSource {
  return {
    async read(notBefore) {
      const failures: ReadFailure[] = [];
      const parts: { readonly cluster: string; readonly part: InsidePart }[] = [];
      const files = await listFiles(client, bucketName, notBefore).catch((error: unknown) => {
        failures.push(failure(error, 'nodes', 's3:ListBucket'));
        return [];
      });
      for (const { key, cluster, input, etag } of files) {
        const known = decoded.get(key);
        try {
          const part = known?.etag === etag ? known.part : await readFile(bucket, key, input);
          decoded.set(key, { etag, part });
          parts.push({ cluster, part });
        } catch (error) {
          failures.push({ ...failure(error, input, 's3:GetObject'), cluster });
        }
      }
      const tag = files.map(({ key, etag }) => `${key} ${etag}`).join('\n');
      return { kubernetes: kubernetesOf(parts), failures, tag };
    },
  };
}

async function readFile(bucket: Bucket, key: string, input: InsideInput): Promise<InsidePart> {
  const place = Place.of(key);
  const text = await bucket.read(key);
  if (text === undefined) throw new InputError('NOT_FOUND', place, { found: 'is gone', expected: 'the listed file' });
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw new InputError('SYNTAX', place, { found: 'is no JSON', expected: 'what kubectl get -o json prints' });
  }
  return decodeInside(input, document, place);
}

async function listFiles(client: S3Client, bucket: string, notBefore: number): Promise<readonly FactFile[]> {
  const files: FactFile[] = [];
  let token: string | undefined;
  do {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix: BUCKET_PREFIXES.facts, ContinuationToken: token }),
    );
    for (const { Key = '', ETag = '', LastModified } of page.Contents ?? []) {
      const [cluster, file, ...deeper] = Key.slice(BUCKET_PREFIXES.facts.length).split('/');
      const input = deeper.length > 0 ? undefined : inputOfFile(file ?? '');
      if (cluster === undefined || cluster === '' || input === undefined || !isInsideInput(input)) continue;
      if (LastModified === undefined || LastModified.getTime() < notBefore) continue;
      files.push({ key: Key, cluster, input, etag: ETag });
    }
    token = page.NextContinuationToken;
  } while (token !== undefined);
  return files.sort((a, b) => (a.key < b.key ? -1 : 1));
}

function failure(error: unknown, input: InputName, call: string): ReadFailure {
  return { input, call, code: awsCode(error), message: awsMessage(error) };
}
