import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { eni, region, reservation, subnet } from '../support/builders.ts';
import { launch, open, violations } from './chromium.ts';
import { inputOf, writeReport } from './make-report.ts';

let browser: Browser;
let folder: string;

beforeAll(async () => {
  browser = await launch();
  folder = await mkdtemp(path.join(tmpdir(), 'headroom-'));
});

afterAll(async () => {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
});

const NAMES: readonly (readonly [given: string, shown: string])[] = [
  ['<script>document.title="owned"</script>', '<script>document.title="owned"</script>'],
  ['</script><img src=x onerror=alert(1)>', '</script><img src=x onerror=alert(1)>'],
  [`"'><b>&amp;`, `"'><b>&amp;`],
  ['a\u202edcba\u2066', 'a\\u202edcba\\u2066'],
  ['a\u0000\u0007\u001b[31mb\u009b', 'a\\u0000\\u0007\\u001b[31mb\\u009b'],
  ['\u{1f525}'.repeat(63), '\u{1f525}'.repeat(63)],
  ['W'.repeat(255), 'W'.repeat(255)],
];

test('whatever a name, a tag or a description says is text, and breaks no layout', async () => {
  const subnets = NAMES.map(([name], n) =>
    subnet(`10.0.${n}.0/24`, { subnetId: `subnet-${n}`, availableIps: 0, tags: { Name: name } }),
  );
  const facts = region(subnets, {
    region: NAMES[1]?.[0] ?? '',
    now: 0,
    reservations: {
      state: 'read',
      value: NAMES.map(([description], n) => ({
        ...reservation(`10.0.${n}.64/28`, 'prefix', `subnet-${n}`),
        description,
      })),
    },
  });
  const input = inputOf(facts, (sink) => {
    for (const [n, [name]] of NAMES.entries()) {
      sink.add(
        eni({
          id: `eni-${name}`,
          subnetId: `subnet-${n}`,
          addresses: [`10.0.${n}.20`],
          description: `aws-K8S-${name}`,
          tags: { 'cluster.k8s.amazonaws.com/name': name },
          attachment: { instanceId: name, deviceIndex: 1 },
        }),
      );
    }
  });
  const file = path.join(folder, 'hostile.html');
  await writeReport(file, input);
  const { page, complaints, asked, url } = await open(browser, file, { viewport: { width: 390, height: 900 } });
  const names = await page.locator('.tile-name').allTextContents();
  expect([...names].sort()).toEqual(NAMES.map(([, shown]) => shown).sort());
  for (let at = 0; at < NAMES.length; at++) {
    await page.locator('.tile').nth(at).click();
    const shown = names[at] as string;
    expect(await page.locator('#subnet h3').innerText()).toBe(shown);
    await page.locator('#subnet .kind-occupied').first().click();
    const words = await page.locator('#block').innerText();
    expect(words).toContain(`eni-${shown}`);
    expect(words).toContain(`cluster ${shown}`);
  }
  expect(await page.title()).toMatch(/^Headroom: What room is left in/);
  expect(await page.locator('main img, main script, main b:not(.counts b)').count()).toBe(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  expect(await violations(page)).toEqual([]);
  expect(complaints).toEqual([]);
  expect(asked.filter((one) => one !== url && !one.startsWith('data:'))).toEqual([]);
  await page.context().close();
});
