import { describe, expect, test } from '@jest/globals';
import { diffOf } from '../../../../lambdas/core/report/diff/diff.ts';
import { UNKNOWN_CELL } from '../../../../lambdas/core/report/html/block-words.ts';
import { unpackFrames } from '../../../../lambdas/core/report/html/cell-frames.ts';
import { unpackHolders } from '../../../../lambdas/core/report/html/holders.ts';
import { reportHtml, SIZE_BUDGET } from '../../../../lambdas/core/report/html/render.ts';
import { type EniFields, region, subnet } from '../../../support/builders.ts';
import { ASSETS, carried, dataOf, holdersOf, html, inflated, reading, TOOLS } from './reading.ts';

const DEFAULT_ID = 'subnet-00000000000000001';
const FULL = region([subnet('10.0.0.0/26', { availableIps: 0 })], { region: 'eu-north-1' });
const HELD: EniFields[] = [
  { id: 'eni-a', addresses: ['10.0.0.20', '10.0.0.21'] },
  { id: 'eni-b', prefixes: ['10.0.0.32/28'], attachment: { instanceId: 'i-1' } },
];

describe('the file', () => {
  const page = html(FULL, HELD);

  test('lets only its own script and style run, and asks nothing of a network', () => {
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? '';
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `script-src 'sha256-${TOOLS.sha256('the script')}'`,
      `style-src 'sha256-${TOOLS.sha256('the style')}'`,
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    expect(page).not.toMatch(/(?:src|href)="(?!#|data:,")/);
    expect(page).not.toMatch(/ style="| on\w+="/);
  });

  test('says in words how it stands before any script runs', () => {
    expect(page).toContain('<h1>What room is left in eu-north-1</h1>');
    expect(page).toMatch(/Worst is subnet-00000000000000001 in us-east-1a: 0 of 59 addresses free/);
    expect(page).toContain('0 of 1 subnet with IPv4 are exact, 1 partial');
  });

  test('carries who holds which address', () => {
    const { holders, ids } = holdersOf(page);
    const found = unpackHolders(inflated(holders[0] as string));
    const names = Buffer.from(inflated(ids[0] as string)).toString();
    expect(names.split('\n')).toEqual(['eni-a', 'eni-b', 'i-1']);
    expect([...found.owners.subarray(18, 24)]).toEqual([0, 0, 1, 1, 0, 0]);
    expect([...found.owners.subarray(32, 48)]).toEqual(Array(16).fill(2));
    expect(found.holders[0]).toMatchObject({ primary: 20, instance: -1 });
    expect(found.instances).toEqual([{ pods: -1, held: 16 }]);
  });
});

test('how full what a node holds is, where its pods are known', () => {
  const nodes = { state: 'read' as const, value: [{ name: 'n1', instanceId: 'i-1', labels: new Map() }] };
  const pod = (name: string, hostNetwork: boolean) => ({ name, namespace: 'x', nodeName: 'n1', hostNetwork });
  const pods = { state: 'read' as const, value: [pod('a', false), pod('b', false), pod('host', true)] };
  const absent = { state: 'absent' as const };
  const inside = { nodes, pods, nodeClasses: absent, nodePools: absent, eniConfigs: absent, daemonSet: absent };
  const page = html({ ...FULL, kubernetes: [inside] }, HELD);
  const found = unpackHolders(inflated(holdersOf(page).holders[0] as string));
  expect(found.instances).toEqual([{ pods: 2, held: 16 }]);
});

test('what was not read is said, and no map is made up', () => {
  const page = html(FULL, null);
  expect(page).toContain('Not read: what this report cannot know');
  expect(dataOf(page).subnets[0]).toMatchObject({ blocks: 0, freePrefixes: null, confidence: 'counts-only' });
});

test('a region without a subnet, and one without IPv4', () => {
  expect(html(region([]), [])).toContain('There is no subnet in scope.');
  expect(html(region([subnet(null)]), [])).toContain('No subnet has IPv4 addresses.');
});

/** Controls, escapes and turning marks, as they would reach a reader raw. */
const RAW = /[\p{Cc}\p{Cf}]/u;

test.each(['</script><script>alert(1)</script>', '"><img src=x>', '\u202eabc', '\u0000\u001b[2J', '🔥'.repeat(60)])(
  'a hostile name %j is text in the file and in what the script gets',
  (name) => {
    const facts = region([subnet('10.0.0.0/26', { availableIps: 0, tags: { Name: name } })], { region: name });
    const page = html(facts, HELD);
    expect(page).not.toContain('<script>alert');
    expect(page).not.toContain('<img');
    expect(page.replaceAll('\n', '')).not.toMatch(RAW);
    expect(dataOf(page).subnets[0]?.name).not.toMatch(RAW);
  },
);

describe('over time', () => {
  const first = reading(
    region([subnet('10.0.0.0/26'), subnet('10.9.0.0/26', { subnetId: 'subnet-old' })], { now: 0 }),
    [],
  );
  const last = reading(region([subnet('10.0.0.0/26', { availableIps: 57 })], { now: 60_000 }), [
    { addresses: ['10.0.0.20', '10.0.0.21'] },
  ]);
  const diff = diffOf(first.side, last.side, 0);
  const page = reportHtml({ frames: [first.frame, last.frame], latest: last.latest, diff }, ASSETS, TOOLS);
  const data = dataOf(page);

  test('a reading is named by its time', () => {
    expect(data.frames).toEqual([
      { label: '1970-01-01 00:00 UTC', freeIps: 118, freePrefixes: 4 },
      { label: '1970-01-01 00:01 UTC', freeIps: 57, freePrefixes: 1 },
    ]);
  });

  test('a subnet that is gone stays on the map of its time', () => {
    expect(data.subnets.map(({ id, overTime }) => [id, overTime?.ips])).toEqual([
      [DEFAULT_ID, [59, 57]],
      ['subnet-old', [59, null]],
    ]);
    const frames = unpackFrames(inflated(carried(page, 'cells')));
    expect(frames.map((frame) => [...frame.subarray(4)].every((byte) => byte === UNKNOWN_CELL))).toEqual([false, true]);
  });

  test('says what changed', () => {
    expect(data.changes.map(({ subnet: position, change }) => [position, change])).toEqual([
      [0, 'changed'],
      [1, 'removed'],
    ]);
  });
});

test('holders are left out before the file grows too large, those of the worst subnets last', () => {
  const subnets = Array.from({ length: 12 }, (_, n) =>
    subnet(`10.${n}.0.0/18`, { subnetId: `subnet-${n}`, availableIps: n === 11 ? 0 : 4379 }),
  );
  const enis = subnets.flatMap(({ subnetId }, n) =>
    Array.from({ length: 12000 }, (_, i) => ({ subnetId, addresses: [`10.${n}.${i % 60}.${1 + Math.floor(i / 60)}`] })),
  );
  const { frame, latest } = reading(region(subnets), enis);
  // Without compression this is far too much for one file.
  const plain = { ...TOOLS, deflate: (bytes: Uint8Array) => Buffer.from(bytes).toString('base64') };
  const page = reportHtml({ frames: [frame], latest }, ASSETS, plain);
  expect(Buffer.byteLength(page)).toBeLessThanOrEqual(SIZE_BUDGET);
  const { holders } = holdersOf(page);
  expect(holders[0]).not.toBeNull();
  expect(holders).toContain(null);
});
