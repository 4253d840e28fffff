/**
 * Puts small modules in the place of modules of the SDK that a Lambda function never runs, but that no bundler can know it never runs: their code hangs on a setting, on the platform, or on an operation of the same client.
 *
 * A replacement exports the names of the original. Where it has one that the original has not, the SDK is another than we know: the original stays, and that is said.
 */
import { parse } from 'acorn';
import type { Plugin } from 'esbuild';
import { packageFile, rewriteFiles } from './sdk-files.ts';

/** A module of the SDK, and what stands for it. */
export interface Replacement {
  /** As it ends, from the package's name on; `*` stands for the rest of a name. */
  readonly file: string;
  /** What is exported in its place. Every other name of the original says, when it is called or constructed, that it was left out. */
  readonly contents?: string;
}

const SMITHY = '@smithy/core/dist-es/submodules';
const S3 = '@aws-sdk/middleware-sdk-s3/dist-es/submodules/s3';
const S3_EXPRESS = `${S3}/middleware-s3-express`;

/** How a request is signed that goes to one region: what the SDK's code generator writes for a client whose rules of endpoints say nothing of it. */
const authSchemes = (client: string, service: string, signingName: string): Replacement => ({
  file: `@aws-sdk/client-${client}/dist-es/auth/httpAuthSchemeProvider.js`,
  contents: `
import { resolveAwsSdkSigV4AConfig, resolveAwsSdkSigV4Config } from '@aws-sdk/core/httpAuthSchemes';
import { getSmithyContext, normalizeProvider } from '@smithy/core/client';
export const default${service}HttpAuthSchemeParametersProvider = async (config, context) => {
  const region = await normalizeProvider(config.region)();
  if (!region) throw new Error('expected \`region\` to be configured for \`aws.auth#sigv4\`');
  return { operation: getSmithyContext(context).operation, region };
};
export const default${service}HttpAuthSchemeProvider = ({ region }) => [
  {
    schemeId: 'aws.auth#sigv4',
    signingProperties: { name: '${signingName}', region },
    propertiesExtractor: (config, context) => ({ signingProperties: { config, context } }),
  },
];
export const resolveHttpAuthSchemeConfig = (config) =>
  Object.assign(resolveAwsSdkSigV4AConfig(resolveAwsSdkSigV4Config(config)), {
    authSchemePreference: normalizeProvider(config.authSchemePreference ?? []),
  });`,
});

export const REPLACEMENTS: readonly Replacement[] = [
  // Discovery of DynamoDB's endpoints, which no command of its client asks for any more. The client reads how it is set, and makes its cache, with two libraries, all the same.
  {
    file: '@aws-sdk/middleware-endpoint-discovery/dist-es/resolveEndpointDiscoveryConfig.js',
    contents: 'export const resolveEndpointDiscoveryConfig = (input) => input;',
  },
  {
    file: '@aws-sdk/middleware-endpoint-discovery/dist-es/configurations.js',
    contents: `
export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: () => undefined,
  configFileSelector: () => undefined,
  default: undefined,
};`,
  },
  { file: '@aws-sdk/client-dynamodb/dist-es/commands/DescribeEndpointsCommand.js' },
  // Only operations with an event stream use these (S3's SelectObjectContent), and none here does. S3's client asks for a marshaller when it is made.
  {
    file: `${SMITHY}/event-streams/index.js`,
    contents: `
export const eventStreamSerdeProvider = () => undefined;
export const resolveEventStreamSerdeConfig = (input) => Object.assign(input, { eventStreamMarshaller: undefined });`,
  },
  // Parts of such a stream are signed one by one, with their headers.
  { file: '@smithy/signature-v4/dist-es/HeaderFormatter.js', contents: 'export class HeaderFormatter {}' },
  // For a Node.js that was built without its crypto module.
  { file: `${SMITHY}/checksum/sha256/Sha256Js.js` },
  { file: `${SMITHY}/checksum/md5/Md5Js.js` },
  { file: '@aws-sdk/checksums/dist-es/submodules/sha/sha1/Sha1Js.js' },
  // For browsers.
  { file: `${SMITHY}/serde/util-stream/sdk-stream-mixin.browser.js` },
  { file: `${SMITHY}/serde/util-stream/checksum/createChecksumStream.browser.js` },
  { file: '@aws-sdk/core/dist-es/submodules/client/util-user-agent-browser/createUserAgentStringParsingProvider.js' },
  // Only a body that is a stream is sent in chunks; ours are texts and buffers, of known length.
  { file: `${SMITHY}/serde/util-stream/getAwsChunkedEncodingStream.js` },
  { file: `${SMITHY}/serde/util-stream/createBufferedReadable.js` },
  {
    file: `${SMITHY}/serde/util-body-length/calculateBodyLength.js`,
    contents: `
export const calculateBodyLength = (body) => {
  if (!body) return 0;
  if (typeof body === 'string') return Buffer.byteLength(body);
  if (typeof body.byteLength === 'number') return body.byteLength;
  throw new Error('Body Length computation failed for ' + body);
};`,
  },
  {
    file: `${S3}/middleware-check-content-length-header/check-content-length-header.js`,
    contents: 'export const getCheckContentLengthHeaderPlugin = () => ({ applyToStack() {} });',
  },
  // For clients that are given a logger, and ours are not.
  {
    file: '@aws-sdk/core/dist-es/submodules/client/middleware-logger/loggerMiddleware.js',
    contents: 'export const getLoggerPlugin = () => ({ applyToStack() {} });',
  },
  { file: `${SMITHY}/client/smithy-client/schemaLogFilter.js` },
  // Nor are they given extensions. What is left is what is done without one: a setting of the environment reaches the request handler.
  {
    file: '@aws-sdk/client-*/dist-es/runtimeExtensions.js',
    contents: `
import { getHttpHandlerExtensionConfiguration } from '@smithy/core/protocols';
export const resolveRuntimeExtensions = (runtimeConfig) => {
  getHttpHandlerExtensionConfiguration(runtimeConfig);
  return runtimeConfig;
};`,
  },
  // Warns of a Node.js that is older than what a function runs on.
  {
    file: '@aws-sdk/core/dist-es/submodules/client/emitWarningIfUnsupportedVersion.js',
    contents: 'export const emitWarningIfUnsupportedVersion = () => {};',
  },
  // The web's crypto is asked first, which Node loads for that; its own has the same function.
  {
    file: `${SMITHY}/serde/uuid/v4.js`,
    contents: `
import { randomUUID } from 'node:crypto';
export const bindV4 = () => () => randomUUID();`,
  },
  // A function has no ~/.aws: settings come from the environment and the code. The chain that asks goes on to its default.
  {
    file: `${SMITHY}/config/node-config-provider/fromSharedConfigFiles.js`,
    contents: `
import { CredentialsProviderError } from '../property-provider/CredentialsProviderError';
export const fromSharedConfigFiles = () => async () => {
  throw new CredentialsProviderError('no configuration files in a function');
};`,
  },
  // Lambda sets AWS_REGION, and a function reaches no instance metadata.
  {
    file: `${SMITHY}/config/config-resolver/regionConfig/getInstanceMetadataRegion.js`,
    contents: 'export const getInstanceMetadataRegion = async () => undefined;',
  },
  // Signing for many regions at once: multi-region access points of S3, global endpoints of EventBridge. A request for one would be refused by the service as signed for the region `*`.
  {
    file: '@aws-sdk/signature-v4-multi-region/dist-es/SignatureV4MultiRegion.js',
    contents:
      "export { SignatureV4SignWithCredentials as SignatureV4MultiRegion } from './SignatureV4SignWithCredentials';",
  },
  {
    file: '@aws-sdk/core/dist-es/submodules/httpAuthSchemes/aws_sdk/AwsSdkSigV4ASigner.js',
    contents: 'export class AwsSdkSigV4ASigner {}',
  },
  // Their rules of endpoints say how to sign where that is for many regions or for a directory bucket (narrow-endpoints.ts). Elsewhere it is the usual way, which clients without such rules take as they know it.
  authSchemes('eventbridge', 'EventBridge', 'events'),
  authSchemes('s3', 'S3', 's3'),
  // Directory buckets (S3 Express). Ours is of the ordinary kind, and is signed for by the client's ordinary plugin.
  {
    file: `${S3_EXPRESS}/functions/s3ExpressMiddleware.js`,
    contents: 'export const getS3ExpressPlugin = () => ({ applyToStack() {} });',
  },
  {
    file: `${S3_EXPRESS}/functions/s3ExpressHttpSigningMiddleware.js`,
    contents: 'export const getS3ExpressHttpSigningPlugin = () => ({ applyToStack() {} });',
  },
  {
    file: `${S3_EXPRESS}/classes/S3ExpressIdentityProviderImpl.js`,
    contents: 'export class S3ExpressIdentityProviderImpl {}',
  },
  { file: '@aws-sdk/client-s3/dist-es/commands/CreateSessionCommand.js' },
  {
    file: '@aws-sdk/signature-v4-multi-region/dist-es/SignatureV4SignWithCredentials.js',
    contents: "export { SignatureV4 as SignatureV4SignWithCredentials } from '@smithy/signature-v4';",
  },
  // Keys of the customer's own, which no request of ours gives.
  {
    file: `${S3}/middleware-ssec/middleware-ssec.js`,
    contents: 'export const getSsecPlugin = () => ({ applyToStack() {} });',
  },
  // Follows a bucket into another region where a client is told to, and ours are not.
  {
    file: `${S3}/middleware-region-redirect/region-redirect-middleware.js`,
    contents: 'export const getRegionRedirectMiddlewarePlugin = () => ({ applyToStack() {} });',
  },
];

/** A function that cannot be called or constructed. */
const LEFT_OUT = "const leftOut = (name) => function () { throw new Error(name + ' is left out of the bundle'); };";

/** @returns the module that takes the place of one with these names; `undefined` where it would export a name that the original has not. */
export function replacementFor({ contents = '' }: Replacement, original: ReadonlySet<string>): string | undefined {
  const given = exportedNames(contents);
  if ([...given].some((name) => !original.has(name))) return undefined;
  const rest = [...original].filter((name) => !given.has(name));
  if (rest.length === 0) return contents;
  return [contents, LEFT_OUT, ...rest.map((name) => `export const ${name} = /* @__PURE__ */ leftOut('${name}');`)].join(
    '\n',
  );
}

/** Names that a module exports, `export *` left aside. */
export function exportedNames(source: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const statement of parse(source, { ecmaVersion: 'latest', sourceType: 'module' }).body) {
    if (statement.type !== 'ExportNamedDeclaration') continue;
    for (const { exported } of statement.specifiers)
      names.add('name' in exported ? exported.name : String(exported.value));
    const { declaration } = statement;
    if (declaration?.type === 'VariableDeclaration') {
      for (const { id } of declaration.declarations) if (id.type === 'Identifier') names.add(id.name);
    } else if (declaration) {
      names.add(declaration.id.name);
    }
  }
  return names;
}

/** @param unknown is told of each module that exports other names than it did: the bundle works, and is larger. */
export function replacedModules(unknown: (file: string) => void): Plugin {
  return {
    name: 'replaced-modules',
    setup: (build) => {
      for (const replacement of REPLACEMENTS) {
        const rewrite = (source: string) => replacementFor(replacement, exportedNames(source));
        rewriteFiles(build, packageFile(replacement.file), rewrite, unknown);
      }
    },
  };
}
