/** Commands inside remedies are printed as they can be typed. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { EVENT_WORDS } from '../../../lambdas/core/react/event-words.ts';
import { typable, typableDocument } from '../../../lambdas/core/report/typable.ts';

const REMEDY = 'See who holds it (headroom explain subnet-0a1b). Or headroom explain subnet-0a1b: there.';

describe('a command in a sentence', () => {
  test.each([
    ['a folder', { path: 'snap' }, '--from snap'],
    ['a folder whose name a shell would part', { path: 'my snap' }, "--from 'my snap'"],
    ['a region', { region: 'eu-west-1' }, '--region eu-west-1'],
    ['a folder that knows its region', { path: 'snap', region: 'eu-west-1' }, '--from snap'],
    ['nothing', {}, '--region REGION'],
  ])('read from %s', (_, source, at) => {
    expect(typable(REMEDY, source, { command: 'npm run -s headroom --' })).toBe(
      `See who holds it (npm run -s headroom -- explain subnet-0a1b ${at}). Or npm run -s headroom -- explain subnet-0a1b ${at}: there.`,
    );
  });

  test('of a subnet that only the printer knows', () => {
    const { remedy } = EVENT_WORDS.IP_EXHAUSTED;
    expect(typable(remedy, { path: 'snap' }, { subnetId: 'subnet-0a1b' })).toContain(
      'headroom explain subnet-0a1b --from snap shows',
    );
    expect(typable(remedy, { path: 'snap' })).toContain('headroom explain SUBNET --from snap shows');
  });

  test('that works on files alone asks for a folder', () => {
    expect(typable('headroom plan --untag subnet-0a1b', { region: 'eu-west-1' })).toBe(
      'headroom plan --untag subnet-0a1b --from DIR',
    );
    expect(typable('headroom plan --untag subnet-0a1b', { path: 'snap' })).toBe(
      'headroom plan --untag subnet-0a1b --from snap',
    );
  });

  test('that is whole already stays as it is', () => {
    const once = typable(REMEDY, { path: 'snap' });
    expect(typable(once, { region: 'eu-west-1' })).toBe(once);
  });
});

test('a document has it in its remedies and plans, and nothing else is changed', () => {
  const finding = {
    id: 'a',
    code: 'SUBNET_LOW',
    severity: 'warning',
    message: 'm',
    observed: 1,
    evidence: {},
  } as const;
  const document = {
    schemaVersion: 1 as const,
    generatedAt: '2026-11-30T12:00:00.000Z',
    source: { kind: 'files', path: 'snap', now: null, absent: [], unknown: [] } as const,
    subnets: [],
    findings: [{ ...finding, remedy: 'headroom explain subnet-1' }, finding],
  };
  expect(typableDocument(document as never)).toEqual({
    ...document,
    findings: [{ ...finding, remedy: 'headroom explain subnet-1 --from snap' }, finding],
  });
});

/** The words of a rule end in a known way, or {@link typable} misses them. */
test('no rule writes a command of this program that is left without its source', () => {
  const folder = join(import.meta.dirname, '../../../lambdas/core');
  const commands: string[] = [];
  for (const part of ['assess/rules', 'react', 'remediate']) {
    for (const name of readdirSync(join(folder, part)).filter((file) => file.endsWith('.ts'))) {
      const code = readFileSync(join(folder, part, name), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
      commands.push(
        ...(code.replace(/\$\{[^}]*\}/g, 'subnet-1').match(/\bheadroom (?:explain|plan|assess)\b[^`'"]*/g) ?? []),
      );
    }
  }
  expect(commands.length).toBeGreaterThan(5);
  for (const command of commands) expect(typable(command, { path: 'snap' })).toMatch(/^headroom [^.;:]* --from snap/);
});
