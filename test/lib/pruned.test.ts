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
  const names = bundle.flatMap((one) => (one as { failed?: { name: string } }).failed?.name ?? []);
  expect(names).toEqual([
    'ConditionalCheckFailedException',
    'NoSuchKey',
    'AccessDenied',
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
