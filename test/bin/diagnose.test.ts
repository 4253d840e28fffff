import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { HeadroomDocument } from '../../lambdas/contract/document.ts';
import { type } from '../support/fake-terminal.ts';
import { plainPen } from '../support/plain-pen.ts';
import { headroom } from '../support/run-headroom.ts';
import { withFolder } from '../support/temp-folder.ts';

const C35 = 'test/cases/c35-cloudtrail-events';
const C03 = 'test/cases/c03-create-eni-invalidparameter-650-free';
const event = (name: string) => `${C35}/${name}.json`;
const content = (name: string) => JSON.parse(readFileSync(event(name), 'utf8')) as { readonly detail: object };

const schema = JSON.parse(readFileSync('docs/schema/document.json', 'utf8')) as object;
const validate = new Ajv2020({ strict: true, allowUnionTypes: true, formats: { 'date-time': true } }).compile(schema);

async function diagnosed(...argv: readonly string[]): Promise<{ status: number; document: HeadroomDocument }> {
  const { status, printed, remarks } = await type('diagnose', ...argv, '--json');
  if (status === 1) throw new Error(remarks.join('\n'));
  const document = JSON.parse(printed) as HeadroomDocument;
  validate(document);
  expect(validate.errors ?? []).toEqual([]);
  return { status, document };
}

describe('the document', () => {
  test('has every event in order, the finding that they make, and the subnet it speaks of', async () => {
    const { status, document } = await diagnosed(event('e01'), event('e04'), event('e09'), event('e17'), '--from', C35);
    expect(status).toBe(2);
    expect(document.events?.map((one) => [one.file, one.index, one.class])).toEqual([
      [event('e01'), 0, 'IP_EXHAUSTED'],
      [event('e04'), 0, 'PREFIX_EXHAUSTED'],
      [event('e09'), 0, 'PERMISSION'],
      [event('e17'), 0, 'NONE'],
    ]);
    expect(document.events?.[1]).toMatchObject({ subnets: ['subnet-00350000000000001'], needsEniLookup: true });
    expect(document.findings).toMatchObject([
      { code: 'SUBNET_EXHAUSTED', severity: 'critical', evidence: { count: 2 } },
    ]);
    expect(document.subnets.map(({ subnetId }) => subnetId)).toEqual(['subnet-00350000000000001']);
  });

  test('of a failure that counts alone decide says what it rests on', async () => {
    const { status, document } = await diagnosed(`${C03}/event.json`, '--from', C03);
    expect(status).toBe(2);
    expect(document.findings).toMatchObject([
      {
        code: 'PREFIX_EXHAUSTED',
        severity: 'critical',
        evidence: { confidence: 'inferred-from-event-and-count; confirm with ENI scan' },
      },
    ]);
  });

  test('with nothing to look subnets up in has what the events say by themselves', async () => {
    const named = await diagnosed(event('e01'));
    expect(named.document).toMatchObject({ source: { kind: 'none' }, events: [{ class: 'IP_EXHAUSTED' }] });
    expect(named.status).toBe(2);
    const open = await diagnosed(event('e07'));
    expect(open.document.events).toMatchObject([
      { class: 'PREFIX_OR_IP_CAPACITY', subnets: ['subnet-00350000000000001'] },
    ]);
    const unresolved = await diagnosed(event('e04'));
    expect(unresolved).toMatchObject({
      status: 3,
      document: { events: [{ class: 'PREFIX_EXHAUSTED', subnets: [] }], findings: [] },
    });
    expect((await diagnosed(event('e14'))).status).toBe(0);
    expect((await diagnosed(event('e17'))).status).toBe(0);
  });
});

describe('the forms of a file', () => {
  const both = [content('e01').detail, content('e03')];
  test.each([
    ['an array', JSON.stringify(both)],
    ['Records', JSON.stringify({ Records: both })],
    ['one a line', both.map((one) => JSON.stringify(one)).join('\n')],
    [
      'lookup-events',
      JSON.stringify({
        Events: both.map((one) => ({ CloudTrailEvent: JSON.stringify('detail' in one ? one.detail : one) })),
      }),
    ],
    ['gzip', gzipSync(JSON.stringify({ Records: both }))],
    ['with a byte order mark', `\ufeff${JSON.stringify(both)}`],
  ])('%s', async (_name, text) => {
    await withFolder({}, async (folder) => {
      const file = `${folder}/events`;
      writeFileSync(file, text);
      const { document } = await diagnosed(file);
      expect(document.events?.map((one) => [one.index, one.class])).toEqual([
        [0, 'IP_EXHAUSTED'],
        [1, 'IP_EXHAUSTED'],
      ]);
    });
  });
});

test('- is standard input', async () => {
  const input = JSON.stringify(content('e01'));
  const { status, stdout } = await headroom(['diagnose', '-', event('e17'), '--json'], { input });
  expect(status).toBe(2);
  const { events } = JSON.parse(stdout) as HeadroomDocument;
  expect(events?.map((one) => [one.file, one.class])).toEqual([
    ['-', 'IP_EXHAUSTED'],
    [event('e17'), 'NONE'],
  ]);
}, 60_000);

describe('the text', () => {
  test('fits the page, says whether it is the subnet, and shows nothing encoded', async () => {
    const { printed } = await type('diagnose', ...['e01', 'e02', 'e03', 'e06', 'e09', 'e17'].map(event), '--from', C35);
    expect(printed.split('\n').filter((line) => plainPen.width(line) > 100)).toEqual([]);
    const flat = printed.replace(/\s+/g, ' ');
    expect(flat).toContain('INSTANCE_ENI_LIMIT');
    expect(flat).toContain('It is not the subnet.');
    expect(flat).toContain('It is the subnet.');
    expect(flat).toContain('also NOT_CAPACITY: UnfulfillableCapacity');
    expect(flat).not.toMatch(/QUJD/);
  });
});

describe('a file that is none of events is told in one line', () => {
  test.each([
    ['truncated', '{"detail-type": ', /no JSON at line 1/],
    ['blank', ' \n', /is blank; expected an event/],
    ['of another command', '{"Subnets": []}', /nothing that looks like an event/],
    ['an empty list', '[]', /holds no event/],
    ['Records without one', '{"Records": []}', /holds no event/],
    ['a number', '7', /holds 7; expected an event/],
    ['a gzip file cut short', gzipSync('{"a": 1}').subarray(0, 15), /no whole gzip file/],
  ])('%s', async (_name, text, said) => {
    await withFolder({}, async (folder) => {
      writeFileSync(`${folder}/event.json`, text);
      const { status, printed, remarks } = await type('diagnose', `${folder}/event.json`);
      expect({ status, printed, remarks }).toEqual({ status: 1, printed: '', remarks: [expect.stringMatching(said)] });
    });
  });

  test('a file that is not there, a folder, and none at all', async () => {
    for (const [argv, said] of [
      [['test/cases/none.json'], /none\.json.*is not there/],
      [['test/cases'], /is a folder/],
      [[], /diagnose FILE/],
      [['-', '-'], /- may be given once/],
    ] as const) {
      const { status, remarks } = await type('diagnose', ...argv);
      expect({ status, remarks }).toEqual({ status: 1, remarks: [expect.stringMatching(said)] });
    }
  });
});
