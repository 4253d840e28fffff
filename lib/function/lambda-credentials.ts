/**
 * Leaves the ways to credentials that a Lambda function never takes out of its bundle: profiles, SSO, web identity, instance metadata, the login of the command line. They are a fifth of it.
 *
 * Lambda hands a function its role's credentials in the environment, and in no other way (Lambda developer guide, "Defined runtime environment variables").
 */
import type { Plugin } from 'esbuild';

const FULL_CHAIN = /^@aws-sdk\/credential-provider-node$/;
const FROM_ENVIRONMENT = `
import { fromEnv } from '@aws-sdk/credential-provider-env';
export const defaultProvider = (init = {}) => fromEnv(init);
`;

export const lambdaCredentials: Plugin = {
  name: 'lambda-credentials',
  setup: (build) => {
    build.onResolve({ filter: FULL_CHAIN }, ({ path, resolveDir }) => ({
      path,
      namespace: 'lambda-credentials',
      pluginData: resolveDir,
    }));
    build.onLoad({ filter: FULL_CHAIN, namespace: 'lambda-credentials' }, ({ pluginData }) => ({
      contents: FROM_ENVIRONMENT,
      loader: 'js',
      resolveDir: pluginData as string,
    }));
  },
};
