/** One family of errors: nothing is thrown on purpose beside it, and each of it says what it is to a program. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { linesOf } from '../../bin/failure.ts';
import { UsageError } from '../../bin/usage-error.ts';
import { ConfigError } from '../../lambdas/contract/config-problem.ts';
import { InputError } from '../../lambdas/core/input/input-error.ts';
import { Place } from '../../lambdas/core/input/place.ts';
import { ReadError } from '../../lambdas/ports/read-error.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Thrown and caught inside one module or folder, never seen by a caller. */
const SIGNALS = ['RawAnswersError', 'UnexpectedPage'];

test('every class of errors is of the family, but for signals within a part', () => {
  const outside = ['lambdas', 'bin', 'lib'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => [
        ...readFileSync(join(ROOT, folder, name), 'utf8').matchAll(/class (\w+) extends (?:Range|Type)?Error\b/g),
      ])
      .map(([, name]) => name),
  );
  expect(outside.sort()).toEqual(['HeadroomError', ...SIGNALS].sort());
});

test.each<readonly [Error, readonly string[]]>([
  [new UsageError('--out needs a value'), ['--out needs a value']],
  [new ReadError('DENIED', 'It was denied.', { remedy: 'Allow it.' }), ['It was denied. Allow it.']],
  [
    new InputError('MISSING_FIELD', Place.of('a.json'), { found: 'is missing', expected: 'text' }),
    ['a.json: is missing; expected text'],
  ],
  [
    new ConfigError([{ field: 'mode', value: '"x"', remedy: 'one of a, b' }]),
    ['the configuration cannot be used:', '  mode = "x": one of a, b'],
  ],
  [new TypeError('x is undefined'), ['unexpected: x is undefined (NODE_DEBUG=headroom shows where)']],
])('%s is told in its lines', (error, lines) => {
  expect(linesOf(error)).toEqual(lines);
});
