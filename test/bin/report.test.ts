import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type } from '../support/fake-terminal.ts';
import { withFolder } from '../support/temp-folder.ts';

const SAMPLE = 'examples/sample-region';
const FRAGMENTED = 'test/cases/c01-frag-23-377-free';

test('writes one file and says what it is, with the exit status of the findings', async () => {
  await withFolder({}, async (folder) => {
    const out = path.join(folder, 'report.html');
    const { status, printed } = await type('report', '--from', SAMPLE, '--out', out);
    expect(status).toBe(2);
    expect(printed).toMatch(/report\.html: 8 subnets, 2 critical, 2 warning, 9 info, \d+ kB\n$/);
    expect(await readdir(folder)).toEqual(['report.html']);
    expect(await readFile(out, 'utf8')).toMatch(/^<!doctype html>/);
  });
});

test('nothing critical is status 0; several folders make a time-lapse', async () => {
  await withFolder({}, async (folder) => {
    const out = path.join(folder, 'report.html');
    const { status, printed } = await type('report', '--from', FRAGMENTED, '--from', FRAGMENTED, '--out', out);
    expect(status).toBe(0);
    expect(printed).toContain('2 readings');
  });
});

describe('status 1, one line, and nothing written', () => {
  test.each([
    ['no --out', ['report', '--from', SAMPLE]],
    ['no such folder', ['report', '--from', 'test/no-such-folder', '--out', 'OUT']],
    ['a second folder that is none', ['report', '--from', SAMPLE, '--from', 'test/no-such-folder', '--out', 'OUT']],
    ['both a folder and a region', ['report', '--from', SAMPLE, '--region', 'eu-west-1', '--out', 'OUT']],
    ['a subnet that nobody knows', ['report', '--from', SAMPLE, '--subnet', 'subnet-x', '--out', 'OUT']],
    ['a place that cannot be written', ['report', '--from', SAMPLE, '--out', 'OUT/no/such/place.html']],
  ])('%s', async (_what, argv) => {
    await withFolder({ 'report.html': 'as before' }, async (folder) => {
      const out = path.join(folder, 'report.html');
      const { status, printed, remarks } = await type(...argv.map((word) => word.replace('OUT', out)));
      expect({ status, printed, lines: remarks.length }).toEqual({ status: 1, printed: '', lines: 1 });
      expect(await readFile(out, 'utf8')).toBe('as before');
      expect(await readdir(folder)).toEqual(['report.html']);
    });
  });
});
