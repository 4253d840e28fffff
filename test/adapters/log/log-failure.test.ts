import { expect, test } from '@jest/globals';
import middy from '@middy/core';
import { logFailure } from '../../../lambdas/adapters/log/log-failure.ts';
import { ReadError } from '../../../lambdas/ports/read-error.ts';

const context = { awsRequestId: 'run-1' };

function failing(error: unknown) {
  const lines: unknown[] = [];
  const handler = middy(async () => {
    throw error;
  }).use(logFailure('observe', (line) => lines.push(JSON.parse(line))));
  return { lines, run: () => (handler as (event: object, of: object) => Promise<unknown>)({}, context) };
}

test('a run that fails leaves one line with the code, and fails all the same', async () => {
  const error = new ReadError('THROTTLED', 'EC2 refuses more calls.');
  const { lines, run } = failing(error);
  await expect(run()).rejects.toBe(error);
  expect(lines).toEqual([
    {
      level: 'error',
      stage: 'observe',
      message: 'EC2 refuses more calls.',
      requestId: 'run-1',
      error: 'ReadError',
      code: 'THROTTLED',
      retryable: error.retryable,
    },
  ]);
});

test('what is no error of ours is told by its name', async () => {
  const { lines, run } = failing(new TypeError('x is undefined'));
  await expect(run()).rejects.toThrow('x is undefined');
  expect(lines).toMatchObject([{ error: 'TypeError', message: 'x is undefined' }]);
});
