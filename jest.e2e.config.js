import base from './jest.config.js';

/** The whole service on emulators. Needs test/e2e/install.sh; one file after the other, each with a cloud of its own. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/e2e/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 180_000,
  maxWorkers: 1,
};
