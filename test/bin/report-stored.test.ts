/** Reports of what the deployed service kept. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { everyNth } from '../../bin/report/read-stored.ts';
import { dataOf, holdersOf } from '../core/report/html/reading.ts';
import type { AwsStandIn } from '../support/aws-stand-in.ts';
import { type } from '../support/fake-terminal.ts';
import { askedOf, type Kept, keptSnapshot, keyAt, startStoredService } from '../support/fakes/stored-service.ts';
import { headroom } from '../support/run-headroom.ts';
import { withFolder } from '../support/temp-folder.ts';

let aws: AwsStandIn | undefined;
afterEach(async () => {
  await aws?.stop();
  aws = undefined;
});

/** One snapshot an hour from midnight, each with an address more than the one before. */
const hours = (most: number): Kept =>
  new Map(
    Array.from({ length: most }, (_, n) => {
      const time = new Date(Date.UTC(2026, 10, 29, n)).toISOString();
      return [keyAt(time), keptSnapshot(time, n % 14)];
    }),
  );

async function report(kept: Kept | undefined, ...args: readonly string[]) {
  aws = await startStoredService(kept);
  const env = {
    AWS_ENDPOINT_URL: aws.url,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'a',
    AWS_SECRET_ACCESS_KEY: 'b',
  };
  let html: string | undefined;
  const ran = await withFolder({}, async (folder) => {
    const out = path.join(folder, 'report.html');
    const result = await headroom(['report', '--out', out, ...args], { env });
    if ((await readdir(folder)).length > 0) html = await readFile(out, 'utf8');
    return result;
  });
  return { ...ran, html, ...askedOf(aws) };
}

test('--since and --until: every snapshot of the span is a reading, with what changed between the ends', async () => {
  const { stdout, stderr, html, read } = await report(
    hours(6),
    '--since',
    '2026-11-29T01:00Z',
    '--until',
    '2026-11-29T04:00Z',
  );
  expect({ stderr, stdout }).toEqual({ stderr: '', stdout: expect.stringMatching(/1 subnet, 4 readings, /) });
  expect(read).toEqual([1, 2, 3, 4].map((hour) => keyAt(`2026-11-29T0${hour}:00:00Z`)));
  const data = dataOf(html ?? '');
  expect(data.frames.map(({ label, freeIps }) => [label, freeIps])).toEqual([
    ['2026-11-29 01:00 UTC', 250],
    ['2026-11-29 02:00 UTC', 249],
    ['2026-11-29 03:00 UTC', 248],
    ['2026-11-29 04:00 UTC', 247],
  ]);
  // What is stored has no word of single interfaces: the page says so, and takes nobody's silence for a change.
  expect(holdersOf(html ?? '').holders).toEqual([null]);
  expect(data.noHolders[0]).toBe('The service keeps how many addresses each kind of holder has, not which.');
  expect(data.explain).toEqual(['headroom explain ', ' --region eu-central-1']);
  expect(data.changes.map(({ lines }) => lines)).toEqual([
    [
      'addresses free by EC2’s count: 250 -> 247 (-3)',
      'whole /28 free: 13 -> 10 (-3)',
      'fragmentation in percent: 7 -> 29 (+22)',
      '/28 blocks changed: 3',
      'holders: not known on one side',
    ],
  ]);
});

test('many are thinned evenly to 50 with the latest among them, and those of another version left out; both are said', async () => {
  const kept = hours(120);
  kept.set(keyAt('2026-12-03T23:00:00Z'), '{"schemaVersion":99,"kind":"snapshot"}');
  const { stdout, stderr, read } = await report(kept, '--since', '2026-11-29', '--until', '2026-12-04');
  expect(stdout).toMatch(/39 readings/);
  expect(read).toHaveLength(40);
  expect(read.at(-1)).toBe(keyAt('2026-12-03T23:00:00Z'));
  expect(stderr.trim().split('\n')).toEqual([
    'headroom: 1 snapshot of another version left out',
    'headroom: 40 of 120 snapshots read, evenly over the time',
  ]);
});

test('--at: one reading, the nearest before', async () => {
  const { stdout, read } = await report(hours(3), '--at', '2026-11-29T01:59Z');
  expect(stdout).toMatch(/report\.html: 1 subnet, [^,]*(?!readings)/);
  expect(stdout).not.toContain('readings');
  expect(read).toEqual([keyAt('2026-11-29T01:00:00Z')]);
});

describe('one line, status 1, and nothing written', () => {
  test.each([
    ['no service', undefined, ['--since', '2026-11-29', '--until', '2026-11-30'], /No deployed service was found/],
    ['no service at a time', undefined, ['--at', '2026-11-29'], /No deployed service was found/],
    [
      'no snapshot in the span',
      hours(2),
      ['--since', '2026-11-01', '--until', '2026-11-02'],
      /no snapshot from 2026-11-01/,
    ],
    [
      'none but of another version',
      new Map([[keyAt('2026-11-29T01:00:00Z'), '{"schemaVersion":99,"kind":"snapshot"}']]),
      ['--since', '2026-11-29', '--until', '2026-11-30'],
      /version/,
    ],
  ])('%s', async (_what, kept, args, message) => {
    const { status, stdout, stderr, html } = await report(kept, ...args);
    expect({ status, stdout, html }).toEqual({ status: 1, stdout: '', html: undefined });
    expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(message)]);
  });

  test.each([
    ['--until alone', ['--until', '2026-11-30']],
    ['an end before the beginning', ['--since', '2026-11-30', '--until', '2026-11-29']],
    ['a beginning to come', ['--since', '2999-01-01']],
    ['a span of years', ['--since', '2020-01-01', '--until', '2026-01-01']],
    ['both a time and a span', ['--at', '2026-11-29', '--since', '2026-11-29']],
    ['a folder as well', ['--since', '2026-11-29', '--from', 'examples/sample-region']],
    ['one subnet of it', ['--at', '2026-11-29', '--subnet', 'subnet-1']],
  ])('%s', async (_what, args) => {
    await withFolder({}, async (folder) => {
      const { status, printed, remarks } = await type('report', '--out', path.join(folder, 'x.html'), ...args);
      expect({ status, printed, lines: remarks.length }).toEqual({ status: 1, printed: '', lines: 1 });
      expect(remarks[0]).toMatch(/at|since|until/);
      expect(await readdir(folder)).toEqual([]);
    });
  });
});

test.each([
  [0, 50, 0, undefined],
  [50, 50, 50, 0],
  [51, 50, 26, 0],
  [1440, 50, 50, 18],
])('of %i at most %i: %i, from number %p on', (count, most, left, first) => {
  const thinned = everyNth([...Array(count).keys()], most);
  expect(thinned).toHaveLength(left);
  expect(thinned[0]).toBe(first);
  expect(thinned.at(-1)).toBe(count === 0 ? undefined : count - 1);
});
