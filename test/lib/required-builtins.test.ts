import { isBuiltin } from 'node:module';
import { expect, test } from '@jest/globals';
import { builtinModule } from '../../lib/function/required-builtins.ts';

test('a module of Node’s is asked only for what is used of it', () => {
  const code = builtinModule('util', ['default', 'promisify', 'parseArgs']);
  expect(code).toContain("const builtin = process.getBuiltinModule('node:util');");
  expect(code).toContain('export default builtin;');
  expect(code).toContain('const _promisify = /* @__PURE__ */ (() => builtin.promisify)();');
  expect(code).toContain('export { _parseArgs as parseArgs };');
  expect(code).not.toContain('_default');
});

test.each(['fs', 'util', 'https', 'crypto', 'zlib', 'process', 'timers/promises'])(
  'every name that %s exports can stand in code',
  async (name) => {
    expect(isBuiltin(name)).toBe(true);
    const names = Object.keys((await import(`node:${name}`)) as object);
    const code = builtinModule(name, names).replaceAll(/^export /gm, '//');
    expect(() => new Function(code)).not.toThrow();
  },
);
