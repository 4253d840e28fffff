/** The policy in the documentation, the typed list of calls and the calls that the adapters make are one and the same. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { READ_CALLS, READ_PERMISSIONS } from '../../lambdas/contract/read-calls.ts';

const ROOT = join(import.meta.dirname, '../..');
const DOCUMENT = readFileSync(join(ROOT, 'docs/permissions.md'), 'utf8');

interface Policy {
  readonly Statement: readonly {
    readonly Effect: string;
    readonly Action: readonly string[];
    readonly Resource: string;
  }[];
}

test('the first policy of docs/permissions.md allows what reading needs, and nothing else', () => {
  const policy = JSON.parse(/```json\n([\s\S]*?)```/.exec(DOCUMENT)?.[1] ?? '') as Policy;
  expect(policy.Statement).toHaveLength(1);
  expect(policy.Statement[0]).toMatchObject({ Effect: 'Allow', Resource: '*' });
  expect(policy.Statement[0]?.Action).toEqual(READ_PERMISSIONS);
});

test('each call has its line, with the reason that the code gives', () => {
  const rows = [...DOCUMENT.matchAll(/^\| `([a-z0-9]+:\w+)` +\| (.*?) +\|$/gm)].map(([, call, why]) => [call, why]);
  expect(rows).toEqual(Object.entries(READ_CALLS).map(([call, { why }]) => [call, why]));
});

test('every command that the reading adapters send is one of the calls, and every call is sent', () => {
  const sent = ['ec2', 'eks', 'sts'].flatMap((service) => {
    const folder = join(ROOT, 'lambdas/adapters', service);
    // What writes has a file of its own, which no reading imports.
    const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('-writer.ts'));
    const text = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
    return [...text.matchAll(/new (\w+)Command\(/g)].map(([, action]) => `${service}:${action}`);
  });
  expect([...new Set(sent)].sort()).toEqual(Object.keys(READ_CALLS).sort());
});
