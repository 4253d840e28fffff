import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { exportedNames, REPLACEMENTS, replacementFor } from '../../lib/function/replaced-modules.ts';

const MODULES = path.join(import.meta.dirname, '../../node_modules');

test.each(REPLACEMENTS.map((one) => [one.file, one] as const))('%s is there, and keeps its names', (file, one) => {
  const original = exportedNames(readFileSync(path.join(MODULES, file), 'utf8'));
  const contents = replacementFor(one, original);
  expect(original.size).toBeGreaterThan(0);
  expect(contents === undefined ? undefined : exportedNames(contents)).toEqual(original);
});

describe('a module', () => {
  test('that lost a name of ours is left as it is', () => {
    expect(replacementFor({ file: 'a.js', contents: 'export class A {}' }, new Set(['B']))).toBeUndefined();
  });

  test('whose name is used after all says so', () => {
    const code = replacementFor({ file: 'a.js' }, new Set(['Sha']))?.replaceAll('export ', '');
    const used = new Function(`${code}\nreturn new Sha();`) as () => unknown;
    expect(used).toThrow('Sha is left out of the bundle');
  });

  test.each([
    ['export const a = 1, b = 2;', ['a', 'b']],
    ['export function f() {}\nexport class C {}', ['f', 'C']],
    ["export { x, y as z } from './other';", ['x', 'z']],
    ['const hidden = 1;', []],
  ])('%s exports %j', (source, names) => expect([...exportedNames(source)]).toEqual(names));
});
