import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readBundledConfig } from '../../../lambdas/adapters/configuration/bundled-config.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'headroom-config-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

test('reads the document that synth wrote beside the bundle', () => {
  const file = path.join(directory, 'config.json');
  writeFileSync(file, '{"schedule": {"tick": "5 minutes"}}');
  expect(readBundledConfig(file).schedule.tick).toBe(300);
});

test('names the file of a document that does not fit', () => {
  const file = path.join(directory, 'wrong.json');
  writeFileSync(file, '{"mode": "on"}');
  expect(() => readBundledConfig(file)).toThrow(/wrong\.json cannot be used:\n {2}mode = "on"/);
});
