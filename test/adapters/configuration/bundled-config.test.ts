import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readBundledConfig } from '../../../lambdas/adapters/configuration/bundled-config.ts';
import { parseConfig } from '../../../lambdas/contract/config.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'headroom-config-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

test('gives back what synth read, whatever is set', () => {
  const config = parseConfig({
    mode: 'propose',
    clusters: { blue: { karpenterSelectors: [{ tags: { team: 'a' } }], thresholds: { zoneLowNodes: 3 } } },
    schedule: { tick: '5 minutes' },
    notifications: { quietHours: { from: '22:00', to: '06:00', timeZone: 'Europe/Berlin' } },
    remediation: {
      approvers: ['arn:aws:iam::111122223333:role/on-call'],
      windows: [{ from: '08:00', to: '10:00', timeZone: 'UTC' }],
    },
  });
  const file = path.join(directory, 'config.json');
  writeFileSync(file, JSON.stringify(config));
  expect(readBundledConfig(file)).toEqual(config);
});

test.each(['{}', '{"schedule": {"tick": "5 minutes"}}'])('refuses %s, which is as a person writes it', (text) => {
  const file = path.join(directory, 'written.json');
  writeFileSync(file, text);
  expect(() => readBundledConfig(file)).toThrow(expect.objectContaining({ code: 'CONFIG_NOT_BUNDLED' }));
});
