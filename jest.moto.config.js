import base from './jest.config.js';

/** The contract of the EC2 adapter held against moto: something this project did not write. Needs test/e2e/install.sh. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/moto/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 120_000,
};
