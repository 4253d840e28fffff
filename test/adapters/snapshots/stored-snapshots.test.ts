import { afterEach, expect, test } from '@jest/globals';
import { openArchive } from '../../../lambdas/adapters/snapshots/stored-snapshots.ts';
import { snapshotDayPrefix } from '../../../lambdas/contract/names.ts';
import type { AwsStandIn } from '../../support/aws-stand-in.ts';
import {
  ACCOUNT,
  askedOf,
  type Kept,
  keptSnapshot,
  keyAt,
  REGION,
  startStoredService,
} from '../../support/fakes/stored-service.ts';

let aws: AwsStandIn | undefined;
afterEach(async () => {
  await aws?.stop();
  aws = undefined;
});

async function archive(kept: Kept | undefined) {
  aws = await startStoredService(kept);
  return openArchive({
    region: REGION,
    endpoint: aws.url,
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    attempts: 1,
  });
}

const TIMES = [
  '2026-11-28T23:59:00.000Z',
  '2026-11-29T00:00:00.000Z',
  '2026-11-29T08:00:00.000Z',
  '2026-11-29T08:01:00.000Z',
  '2026-11-30T00:00:00.000Z',
  '2026-11-30T00:00:00.001Z',
];
const keptAt = (times: readonly string[]): Kept =>
  new Map(times.map((time, n) => [keyAt(time), keptSnapshot(time, n)]));

test('of a span: both ends, every page and day of it, nothing outside, the oldest first', async () => {
  const { keysBetween } = await archive(keptAt([...TIMES].reverse()));
  const keys = await keysBetween(Date.parse('2026-11-29T00:00:00Z'), Date.parse('2026-11-30T00:00:00Z'));
  expect(keys).toEqual(TIMES.slice(1, 5).map(keyAt));
  const days = [...new Set(askedOf(aws as AwsStandIn).listed)];
  expect(days).toEqual(['2026-11-29', '2026-11-30'].map((day) => snapshotDayPrefix(ACCOUNT, REGION, new Date(day))));
});

test('a span that begins late in a day and ends early in another misses neither', async () => {
  const { keysBetween } = await archive(keptAt(TIMES));
  const keys = await keysBetween(Date.parse('2026-11-28T23:30:00Z'), Date.parse('2026-11-29T00:10:00Z'));
  expect(keys).toEqual(TIMES.slice(0, 2).map(keyAt));
});

test('nearest before a time, over the end of the day; of the same moment counts', async () => {
  const { nearestBefore } = await archive(keptAt(TIMES));
  expect((await nearestBefore(Date.parse('2026-11-29T07:59:59Z'))).key).toBe(keyAt(TIMES[1] as string));
  expect((await nearestBefore(Date.parse('2026-11-29T08:00:00Z'))).key).toBe(keyAt(TIMES[2] as string));
  const { key, snapshot } = await nearestBefore(Date.parse('2026-12-09T00:00:00Z'));
  expect(key).toBe(keyAt(TIMES[5] as string));
  expect(snapshot.occupancy.subnets.size).toBe(1);
});

test('what there is not', async () => {
  const empty = await archive(new Map());
  expect(await empty.keysBetween(0, 1)).toEqual([]);
  expect(await empty.read(keyAt('2026-11-29T00:00:00Z'))).toBeUndefined();
  await expect(empty.nearestBefore(Date.parse('2026-11-29T00:00:00Z'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(new Set(askedOf(aws as AwsStandIn).listed.slice(-32)).size).toBe(32);
});

test('a snapshot of another version is an error of its own, a refusal names what must be allowed', async () => {
  const key = keyAt('2026-11-29T00:00:00Z');
  const kept: Kept = new Map([[key, '{"schemaVersion":99,"kind":"snapshot"}']]);
  const { nearestBefore, read } = await archive(kept);
  await expect(nearestBefore(Date.parse('2026-11-29T01:00:00Z'))).rejects.toMatchObject({ name: 'StoredError' });
  kept.set(key, '<Error><Code>AccessDenied</Code><Message>no</Message></Error>');
  await expect(read(key)).rejects.toMatchObject({
    name: 'ReadError',
    code: 'DENIED',
    remedy: expect.stringContaining('Allow s3:GetObject and s3:ListBucket'),
  });
});
