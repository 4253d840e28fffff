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

test('a bundle reads answers and errors as the SDK itself does, but for what nobody asks of them', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [COMPARE, directory]);
  const { unknown, source, bundle } = JSON.parse(stdout) as Record<'unknown' | 'source' | 'bundle', unknown[]>;
  expect(unknown).toEqual([]);
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
