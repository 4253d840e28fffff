import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { UNUSED_METHODS, withoutMethods } from '../../lib/function/unused-methods.ts';

const read = (file: string) => readFileSync(path.join(import.meta.dirname, '../../node_modules', file), 'utf8');

describe.each(UNUSED_METHODS.map((one) => [one.file, one] as const))('%s', (file, { methods }) => {
  test('has each, and without them nothing else is missing', () => {
    const source = read(file);
    const less = withoutMethods(source, methods);
    const names = (text = '') =>
      [...text.matchAll(/^ {4}(?:async |static )*\*?(\w+)\(.*\{$/gm)].map(([, name]) => name);
    expect(names(source)).toEqual(expect.arrayContaining([...methods]));
    expect(names(less)).toEqual(names(source).filter((name) => !methods.includes(name ?? '')));
  });
});

test('the metadata of an object are the only map that S3 is sent, and go in headers', () => {
  const schemas = read('@aws-sdk/client-s3/dist-es/schemas/schemas_0.js');
  const maps = schemas.match(/128 \| 0/g) ?? [];
  const inHeaders = schemas.match(/\[128 \| 0, \{ \[_hPH\]: _xam \}\]/g) ?? [];
  expect(schemas).not.toMatch(/= \[2, n0/);
  expect(maps.length).toBe(inHeaders.length + (schemas.match(/^var Metadata = 128 \| 0;$/gm) ?? []).length);
});

describe('a file', () => {
  const source = 'export class A {\n  a() { return 1; }\n  static b() {}\n  get c() { return 2; }\n}\n';

  test('loses what is named, and that alone', () => {
    expect(withoutMethods(source, ['a'])).toBe(source.replace('a() { return 1; }', ''));
  });

  test.each([
    ['lacks one', ['a', 'z']],
    ['has one that is static', ['b']],
    ['has one twice', ['a']],
  ])('that %s is left whole', (what, methods) => {
    expect(
      withoutMethods(what.endsWith('twice') ? source + source.replace('A', 'B') : source, methods),
    ).toBeUndefined();
  });
});
