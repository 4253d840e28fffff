import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { FINDING_CODES } from '../../lambdas/contract/finding.ts';

const runbook = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8');

/** Sections by heading; links to them use the heading in lower case as anchor. */
const sections = new Map(
  runbook
    .split(/^## /m)
    .slice(1)
    .map((text) => {
      const end = text.indexOf('\n');
      return [text.slice(0, end).trim(), text.slice(end).split(/^(?:# |---)/m)[0] ?? ''] as const;
    }),
);

describe('the runbook', () => {
  test.each(FINDING_CODES)('has a section for %s that says what it means, how sure it is and what to do', (code) => {
    const section = sections.get(code);
    expect(section).toBeDefined();
    for (const part of ['Means', 'How sure', 'Look first', 'Do', 'Not'])
      expect(section).toContain(`**${part}** `.trim());
    // Readable at 3 a.m.: a screenful.
    expect((section as string).trim().split('\n').length).toBeLessThan(25);
  });

  test('speaks of no finding code that does not exist, and has each section once', () => {
    const codes = new Set<string>(FINDING_CODES);
    const named = runbook.match(/\b[A-Z]{2,}(?:_[A-Z0-9]+)+\b/g) ?? [];
    const settings = /^(?:WARM|MINIMUM|ENABLE|IP|AWS_VPC)_/;
    expect(named.filter((name) => !codes.has(name) && !settings.test(name))).toEqual([]);
    expect(runbook.match(/^## /gm)?.length).toBe(sections.size);
  });
});
