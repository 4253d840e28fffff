import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { HeadroomDocument } from '../../lambdas/contract/document.ts';
import { type } from '../support/fake-terminal.ts';
import { plainPen } from '../support/plain-pen.ts';

const CASES = 'test/cases';
const cases = readdirSync(CASES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const schema = JSON.parse(readFileSync('docs/schema/document.json', 'utf8')) as object;
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, formats: { 'date-time': true } });
const validate = ajv.compile(schema);

function documentIn(printed: string): HeadroomDocument {
  const document = JSON.parse(printed) as HeadroomDocument;
  validate(document);
  expect(validate.errors ?? []).toEqual([]);
  return document;
}

function expectPage(printed: string): void {
  const tooWide = printed.split('\n').filter((line) => plainPen.width(line) > 100);
  expect(tooWide).toEqual([]);
  expect(printed).toMatch(/\S/);
}

describe.each(cases)('%s', (name) => {
  const from = ['--from', `${CASES}/${name}`] as const;

  test('assess --json is the published document, and its exit status follows from it', async () => {
    const { status, printed } = await type('assess', ...from, '--json');
    const { findings = [], source } = documentIn(printed);
    const critical = findings.some(({ severity }) => severity === 'critical');
    const blind = source.absent.includes('network-interfaces') || source.unknown.length > 0;
    expect(status).toBe(critical ? 2 : blind ? 3 : 0);
  });

  test('assess fits the page and names every critical finding, its place and the time', async () => {
    const { printed } = await type('assess', ...from);
    expectPage(printed);
    expect(printed).toMatch(/region \S+/);
    expect(printed.replace(/\s+/g, ' ')).toMatch(/as of \d{4}-|time not given/);
    const { findings = [] } = documentIn((await type('assess', ...from, '--json')).printed);
    for (const { code, severity } of findings) if (severity === 'critical') expect(printed).toContain(code);
  });

  test('plan changes nothing, fits the page, and its document is the published one', async () => {
    const { status, printed } = await type('plan', ...from, '--json');
    const { plan = [], findings = [] } = documentIn(printed);
    expect(status).toBe((await type('assess', ...from, '--json')).status);
    const known = new Set(findings.map(({ id }) => id));
    for (const { findingIds, writes, guards } of plan) {
      expect(findingIds.filter((id) => !known.has(id))).toEqual([]);
      expect(findingIds.length).toBeGreaterThan(0);
      if (writes.length > 0) expect(guards.length).toBeGreaterThan(4);
    }
    expectPage((await type('plan', ...from)).printed);
  });

  test('explain draws every subnet, fits the page, and its document is the published one', async () => {
    const { subnets } = documentIn((await type('assess', ...from, '--json')).printed);
    for (const subnet of subnets.slice(0, 4)) {
      const text = await type('explain', subnet.subnetId, ...from);
      expectPage(text.printed);
      const explained = documentIn((await type('explain', subnet.subnetId, ...from, '--json')).printed);
      expect(explained.subnets).toEqual([subnet]);
      const { blocks } = explained;
      if (!('blocks' in subnet)) continue;
      const counted = { total: blocks?.length, edge: 0, delegated: 0, occupied: 0, free: 0 };
      for (const { state } of blocks ?? []) counted[state]++;
      expect(subnet.blocks).toMatchObject(counted);
    }
  });
});
