/** The unit, scenario and stack tests: Node alone, loopback only. What needs Python or a browser has a config of its own. */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/test/e2e/', '/test/browser/', '/test/moto/', '/test/bench/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' }, module: { type: 'es6' } },
    ],
  },
  // Five seconds, the default, is what a busy build machine takes for what otherwise takes half of one.
  testTimeout: 30_000,
  // Order must never matter: a test that leans on an earlier one fails sooner or later, and the seed is printed.
  randomize: true,
};
