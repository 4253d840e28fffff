import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { type } from '../support/fake-terminal.ts';
import { launch, open, violations } from './chromium.ts';

let browser: Browser;
let folder: string;
let file: string;

beforeAll(async () => {
  browser = await launch();
  folder = await mkdtemp(path.join(tmpdir(), 'headroom-'));
  file = path.join(folder, 'report.html');
  await type('report', '--from', 'examples/sample-region', '--out', file);
});

afterAll(async () => {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
});

const SHOP_A = 'shop-nodes-a';

describe.each(['light', 'dark'] as const)('%s', (colorScheme) => {
  test.each([1280, 390])(
    'at %i pixels nothing is inaccessible, nothing overflows, nothing is asked for',
    async (width) => {
      const { page, complaints, asked, url } = await open(browser, file, {
        colorScheme,
        viewport: { width, height: 900 },
      });
      expect(await violations(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
      expect(complaints).toEqual([]);
      expect(asked.filter((one) => one !== url && !one.startsWith('data:'))).toEqual([]);
      await page.context().close();
    },
  );

  test('every cell of the map stands out from its ground or from its pattern', async () => {
    const { page } = await open(browser, file, { colorScheme });
    const grounds = await page.evaluate(() => {
      const read = (selector: string) => {
        const found = document.querySelector(selector);
        return found === null ? '' : getComputedStyle(found).backgroundImage + getComputedStyle(found).backgroundColor;
      };
      return ['free', 'free-prefix', 'delegated', 'occupied', 'free-explicit', 'edge'].map((kind) =>
        read(`.legend .kind-${kind}`),
      );
    });
    expect(new Set(grounds).size).toBe(6);
    await page.context().close();
  });
});

describe('the map', () => {
  test('draws the worst subnet first, with its numbers in words', async () => {
    const { page } = await open(browser, file);
    expect(await page.locator('#subnet h3').innerText()).toBe(SHOP_A);
    expect(await page.locator('#subnet [role=gridcell]').count()).toBe(32);
    expect(await page.locator('.subnet-numbers').innerText()).toBe('0 of 19 /28 free, 317 of 507 addresses free');
    await page.context().close();
  });

  test('a click on a cell shows who holds it', async () => {
    const { page } = await open(browser, file);
    await page.locator('#subnet [role=gridcell]', { hasText: 'P' }).first().click();
    expect(await page.locator('#block h4').innerText()).toBe('10.0.0.16/28');
    const words = await page.locator('#block').innerText();
    expect(words).toMatch(/Delegated prefix/);
    expect(words).toMatch(/Held by eni-[0-9a-f]{17} \(node-primary, cluster shop\) of i-[0-9a-f]{17}/);
    expect(words).toMatch(/How many of its 16 addresses pods use is not known/);
    await page.context().close();
  });

  test('the keyboard walks it: one stop of the tab key, arrows, Home and End', async () => {
    const { page } = await open(browser, file);
    expect(await page.locator('#subnet [role=gridcell][tabindex="0"]').count()).toBe(1);
    await page.locator('#subnet [role=gridcell][tabindex="0"]').focus();
    const here = async (key: string) => {
      await page.keyboard.press(key);
      const label = await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
      expect(await page.locator('#block h4').innerText()).toBe(label.split(':')[0]);
      return label;
    };
    expect(await here('Control+Home')).toMatch(/^10\.0\.0\.0\/28: edge/);
    expect(await here('ArrowRight')).toMatch(/^10\.0\.0\.16\/28: delegated/);
    expect(await here('ArrowDown')).toMatch(/^10\.0\.1\.16\/28:/);
    expect(await here('End')).toMatch(/^10\.0\.1\.240\/28: edge/);
    expect(await here('ArrowRight')).toMatch(/^10\.0\.1\.240\/28:/);
    expect(await here('Home')).toMatch(/^10\.0\.1\.0\/28:/);
    expect(await here('PageUp')).toMatch(/^10\.0\.1\.0\/28:/);
    expect(await here('ArrowUp')).toMatch(/^10\.0\.0\.0\/28:/);
    expect(await here('Control+End')).toMatch(/^10\.0\.1\.240\/28:/);
    await page.context().close();
  });

  test('small maps move with arrows, and Enter draws one large', async () => {
    const { page } = await open(browser, file);
    await page.locator('.tile[aria-current]').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    const second = await page.locator('.tile-name').nth(1).innerText();
    expect(await page.locator('#subnet h3').innerText()).toBe(second);
    expect(await page.locator('.tile[tabindex="0"]').count()).toBe(1);
    await page.context().close();
  });

  test('small maps are drawn in the colours of the theme', async () => {
    const inks = async (colorScheme: 'light' | 'dark') => {
      const { page } = await open(browser, file, { colorScheme });
      await page.locator('.tile canvas').first().scrollIntoViewIfNeeded();
      await page.waitForFunction(() => document.querySelector('.tile-numbers')?.textContent !== '');
      const pixels = await page.evaluate(() => {
        const canvas = document.querySelector<HTMLCanvasElement>('.tile canvas');
        return [...(canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [])].join();
      });
      await page.context().close();
      return pixels;
    };
    const [light, dark] = [await inks('light'), await inks('dark')];
    expect(light).not.toBe(dark);
    expect(new Set(light.match(/\d+,\d+,\d+,255/g)).size).toBeGreaterThan(3);
  });
});

test('tables sort by any column, both ways', async () => {
  const { page } = await open(browser, file);
  const nodes = async () => {
    const texts = await page.locator('#room-tables table').first().locator('tbody tr td:nth-child(4)').allInnerTexts();
    return texts.map(Number);
  };
  await page.getByRole('button', { name: 'More nodes' }).click();
  const up = await nodes();
  expect(up).toEqual([...up].sort((a, b) => a - b));
  await page.keyboard.press('Enter');
  expect(await nodes()).toEqual([...up].reverse());
  expect(await page.locator('th[aria-sort]').first().getAttribute('aria-sort')).toBe('descending');
  await page.context().close();
});

test('the filter leaves what it names, and a finding leads to its map', async () => {
  const { page } = await open(browser, file);
  await page.locator('#filter').fill('batch-nodes-b');
  await page.waitForFunction(() => document.querySelectorAll('.wall > li:not([hidden])').length === 1);
  const codes = await page.locator('.finding code').allInnerTexts();
  expect(codes.length).toBeGreaterThan(0);
  await page.locator('.finding .link').first().click();
  expect(await page.locator('#subnet h3').innerText()).toBe('batch-nodes-b');
  await page.context().close();
});

test('printed, it is light, without controls, and within the paper', async () => {
  const { page } = await open(browser, file, { colorScheme: 'dark' });
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(255, 255, 255)');
  expect(await page.locator('#filter').isVisible()).toBe(false);
  expect(await page.locator('#subnet [role=gridcell]').first().isVisible()).toBe(true);
  const pdf = await page.pdf({ format: 'A4' });
  const pages = pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0;
  expect(pages).toBeGreaterThanOrEqual(2);
  expect(pages).toBeLessThanOrEqual(12);
  await page.context().close();
});

test('without a script it still says how it stands', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`file://${file}`);
  expect(await page.locator('.verdict').innerText()).toMatch(/Worst is shop-nodes-a/);
  expect(await page.locator('noscript').innerText()).toMatch(/which your browser does not run/);
  await context.close();
});
