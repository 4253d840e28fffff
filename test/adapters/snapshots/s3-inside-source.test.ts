import { createHash } from 'node:crypto';
import { S3Client } from '@aws-sdk/client-s3';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Bucket } from '../../../lambdas/adapters/snapshots/bucket.ts';
import { s3InsideSource } from '../../../lambdas/adapters/snapshots/s3-inside-source.ts';
import { type AwsStandIn, startAwsStandIn } from '../../support/aws-stand-in.ts';

const NOON = Date.UTC(2026, 10, 30, 12);
const DAY = 86_400_000;

interface StoredFile {
  text: string;
  etag: string;
  at: number;
}

let standIn: AwsStandIn;
let files: Map<string, StoredFile>;
let denied: boolean;
let source: ReturnType<typeof s3InsideSource>;

beforeEach(async () => {
  files = new Map();
  denied = false;
  standIn = await startAwsStandIn(({ path }) => {
    const url = new URL(path, 'http://s3');
    if (denied) return { status: 403, body: '<Error><Code>AccessDenied</Code><Message>no</Message></Error>' };
    if (url.searchParams.get('list-type') === '2') {
      const contents = [...files].map(
        ([key, { etag, at }]) =>
          `<Contents><Key>${key}</Key><ETag>${etag}</ETag><LastModified>${new Date(at).toISOString()}</LastModified></Contents>`,
      );
      return { body: `<ListBucketResult><IsTruncated>false</IsTruncated>${contents.join('')}</ListBucketResult>` };
    }
    const file = files.get(url.pathname.split('/').slice(2).join('/'));
    return file === undefined
      ? { status: 404, body: '<Error><Code>NoSuchKey</Code></Error>' }
      : { body: file.text, headers: { etag: file.etag } };
  });
  const client = new S3Client({
    endpoint: standIn.url,
    region: 'us-east-1',
    maxAttempts: 1,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  source = s3InsideSource(client, 'bucket', new Bucket(client, 'bucket'), new Map());
});
afterEach(() => standIn.stop());

function put(key: string, document: unknown, at = NOON): void {
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  files.set(key, { text, etag: `"${createHash('md5').update(text).digest('hex')}"`, at });
}

const node = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: {} },
  spec: {},
  status: {},
});
const list = (...items: readonly object[]) => ({ apiVersion: 'v1', kind: 'List', items });
const gets = () => standIn.calls.filter(({ path }) => !path.includes('list-type'));

test('each cluster has the facts of its own files, and a name that is none of ours is left alone', async () => {
  put('facts/prod/nodes.json', list(node('n1')));
  put('facts/prod/nodes.2.json', list(node('n2')));
  put('facts/blue/nodes.json', node('b1'));
  put('facts/blue/readme.txt', 'hello');
  put('facts/blue/deeper/nodes.json', node('b2'));
  const { kubernetes, failures } = await source.read(NOON - DAY);
  expect(failures).toEqual([]);
  expect(
    kubernetes.map(({ cluster, nodes }) => [
      cluster,
      nodes.state === 'read' ? nodes.value.map(({ name }) => name) : nodes.state,
    ]),
  ).toEqual([
    ['blue', ['b1']],
    ['prod', ['n1', 'n2']],
  ]);
  expect(kubernetes[0]?.pods).toEqual({ state: 'absent' });
});

test('what is older than the limit does not count, and the tag says that something changed', async () => {
  put('facts/prod/nodes.json', node('n1'), NOON - DAY - 1);
  put('facts/blue/nodes.json', node('b1'), NOON - DAY);
  const { kubernetes, tag } = await source.read(NOON - DAY);
  expect(kubernetes.map(({ cluster }) => cluster)).toEqual(['blue']);
  const later = await source.read(NOON);
  expect(later.kubernetes).toEqual([]);
  expect(later.tag).not.toBe(tag);
});

test('a file is fetched once, and again when it changed', async () => {
  put('facts/prod/nodes.json', node('n1'));
  const { tag } = await source.read(0);
  expect((await source.read(0)).tag).toBe(tag);
  expect(gets()).toHaveLength(1);
  put('facts/prod/nodes.json', node('n2'));
  const changed = await source.read(0);
  expect(gets()).toHaveLength(2);
  expect(changed.tag).not.toBe(tag);
});

test('a file that is not what its name says is named, and the others count', async () => {
  put('facts/prod/nodes.json', '{"kind": "Pod"');
  put('facts/prod/pods.json', list());
  const { kubernetes, failures } = await source.read(0);
  expect(failures).toMatchObject([{ input: 'nodes', cluster: 'prod', code: 'SYNTAX', call: 's3:GetObject' }]);
  expect(failures[0]?.message).toContain('facts/prod/nodes.json');
  expect(kubernetes).toMatchObject([{ cluster: 'prod', nodes: { state: 'absent' }, pods: { state: 'read' } }]);
});

test('a bucket that may not be listed is a failure, not a region without facts', async () => {
  denied = true;
  const { kubernetes, failures } = await source.read(0);
  expect(kubernetes).toEqual([]);
  expect(failures).toMatchObject([{ code: 'AccessDenied', call: 's3:ListBucket' }]);
});
