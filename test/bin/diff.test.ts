import { describe, expect, test } from '@jest/globals';
import { diffSchema } from '../../lambdas/contract/diff-document.ts';
import { type } from '../support/fake-terminal.ts';

const SAMPLE = 'examples/sample-region';
const FRAGMENTED = 'test/cases/c01-frag-23-377-free';
const UNUSABLE = 'test/cases/c10-most-ips-but-no-prefix';

describe('exit status', () => {
  test('2 while the later side has critical findings, old or new', async () => {
    expect((await type('diff', FRAGMENTED, UNUSABLE)).status).toBe(2);
    expect((await type('diff', SAMPLE, SAMPLE)).status).toBe(2);
  });

  test('0 where it has none', async () => {
    expect((await type('diff', UNUSABLE, FRAGMENTED)).status).toBe(0);
  });

  test.each([[[]], [[FRAGMENTED]], [[FRAGMENTED, 'test/no-such-folder']], [[FRAGMENTED, FRAGMENTED, '--jsn']]])(
    '1 for diff %j',
    async (args) => {
      const { status, printed, remarks } = await type('diff', ...args);
      expect({ status, printed }).toEqual({ status: 1, printed: '' });
      expect(remarks).toHaveLength(1);
    },
  );
});

test('--json is one document that fits its schema', async () => {
  const { printed } = await type('diff', FRAGMENTED, UNUSABLE, '--json');
  const document = diffSchema.parse(JSON.parse(printed));
  expect(document.subnets.map(({ change }) => change)).toEqual(['removed', 'added', 'added']);
});
