import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ownWords } from '../../lib/function/own-words.ts';

const COMPARE = path.join(import.meta.dirname, 'pruned/compare.ts');

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'headroom-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

/** Without the members of answers that stand nowhere in our sources. */
function named(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(named);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !/^[A-Z]/.test(key) || ownWords().has(key));
  return Object.fromEntries(kept.map(([key, of]) => [key, named(of)]));
}

interface Made {
  readonly requests: readonly unknown[];
  readonly outcomes: readonly unknown[];
}

test('a bundle sends what the SDK itself sends, and reads answers and errors as it does, but for what nobody asks of them', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [COMPARE, directory], { maxBuffer: 2 ** 24 });
  const { unknown, ...made } = JSON.parse(stdout) as { unknown: unknown[]; source: Made; bundle: Made };
  expect(unknown).toEqual([]);
  expect(made.bundle.requests).toEqual(made.source.requests);
  // X-Ray's header, by which Lambda sees functions that call each other without end.
  for (const { headers } of made.bundle.requests as readonly { headers?: Record<string, string> }[]) {
    if (headers !== undefined) expect(headers['X-Amzn-Trace-Id']).toContain('Root=1-5759e988');
  }
  // FIPS and dual-stack endpoints, China and GovCloud are among them.
  const hosts = new Set(made.source.requests.map((one) => (one as { hostname?: string }).hostname));
  expect([...hosts]).toEqual(
    expect.arrayContaining([
      'headroom-snapshots.s3.eu-central-1.amazonaws.com',
      'headroom-snapshots.s3-fips.dualstack.us-gov-west-1.amazonaws.com',
      'dynamodb.cn-north-1.amazonaws.com.cn',
      'events.us-gov-west-1.amazonaws.com',
    ]),
  );
  const source = made.source.outcomes;
  const bundle = made.bundle.outcomes;
  // An error whose name stands nowhere in our sources goes by the service's.
  const renamed = JSON.stringify(source.map(named)).replace(
    '"QueueDoesNotExist"',
    '"AWS.SimpleQueueService.NonExistentQueue"',
  );
  expect(bundle.map(named)).toEqual(JSON.parse(renamed));
  expect(bundle).not.toEqual(source);
  // Throttling and a fault, each tried again until the answer came.
  const attempts = bundle.flatMap((one) => (one as { metadata?: { attempts: number } }).metadata?.attempts ?? []);
  expect(attempts.filter((times) => times > 1)).toEqual([2, 3, 2]);
  const names = bundle.flatMap((one) => (one as { failed?: { name: string } }).failed?.name ?? []);
  expect(names).toEqual([
    'ConditionalCheckFailedException',
    'NoSuchKey',
    'AccessDenied',
    // A body whose checksum is another than S3 says.
    'Error',
    'ResourceNotFound',
    'InvalidSubnetID.NotFound',
    'AccessDeniedException',
    'ResourceNotFoundException',
    'ResourceNotFoundException',
    'AuthorizationErrorException',
    'AWS.SimpleQueueService.NonExistentQueue',
    'ParameterNotFound',
  ]);
});
