/**
 * Puts small modules in the place of modules of the SDK that a Lambda function never runs, but that no bundler can know it never runs: their code hangs on a setting, on the platform, or on an operation of the same client.
 *
 * A replacement exports the names of the original. Where it has one that the original has not, the SDK is another than we know: the original stays, and that is said.
 */
import { readFileSync } from 'node:fs';
import { parse } from 'acorn';
import type { Plugin } from 'esbuild';

/** A module of the SDK, and what stands for it. */
export interface Replacement {
  /** As it ends, from the package's name on. */
  readonly file: string;
  /** What is exported in its place. Every other name of the original says, when it is called or constructed, that it was left out. */
  readonly contents?: string;
}

const SMITHY = '@smithy/core/dist-es/submodules';
const S3 = '@aws-sdk/middleware-sdk-s3/dist-es/submodules/s3/middleware-s3-express';

export const REPLACEMENTS: readonly Replacement[] = [
  // Discovery of DynamoDB's endpoints is off unless it is asked for; the client makes its cache, with two libraries, all the same.
  { file: '@aws-sdk/endpoint-cache/dist-es/EndpointCache.js', contents: 'export class EndpointCache {}' },
  // Only operations with an event stream use these (S3's SelectObjectContent), and none here does. S3's client asks for a marshaller when it is made.
  {
    file: `${SMITHY}/event-streams/index.js`,
    contents: `
export const eventStreamSerdeProvider = () => undefined;
export const resolveEventStreamSerdeConfig = (input) => Object.assign(input, { eventStreamMarshaller: undefined });`,
  },
  // For a Node.js that was built without its crypto module.
  { file: `${SMITHY}/checksum/sha256/Sha256Js.js` },
  { file: `${SMITHY}/checksum/md5/Md5Js.js` },
  { file: '@aws-sdk/checksums/dist-es/submodules/sha/sha1/Sha1Js.js' },
  // For browsers.
  { file: `${SMITHY}/serde/util-stream/sdk-stream-mixin.browser.js` },
  { file: `${SMITHY}/serde/util-stream/getAwsChunkedEncodingStream.browser.js` },
  { file: '@aws-sdk/core/dist-es/submodules/client/util-user-agent-browser/createUserAgentStringParsingProvider.js' },
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
  // Directory buckets (S3 Express). Ours is of the ordinary kind, and is signed for by the client's ordinary plugin.
  {
    file: `${S3}/functions/s3ExpressMiddleware.js`,
    contents: 'export const getS3ExpressPlugin = () => ({ applyToStack() {} });',
  },
  {
    file: `${S3}/functions/s3ExpressHttpSigningMiddleware.js`,
    contents: 'export const getS3ExpressHttpSigningPlugin = () => ({ applyToStack() {} });',
  },
  { file: `${S3}/classes/S3ExpressIdentityProviderImpl.js`, contents: 'export class S3ExpressIdentityProviderImpl {}' },
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
        const end = replacement.file.replaceAll('.', '\\.').replaceAll('/', '[\\\\/]');
        build.onLoad({ filter: new RegExp(`[\\\\/]node_modules[\\\\/]${end}$`) }, ({ path }) => {
          const contents = replacementFor(replacement, exportedNames(readFileSync(path, 'utf8')));
          if (contents === undefined) unknown(path);
          return contents === undefined ? undefined : { contents, loader: 'js' };
        });
      }
    },
  };
}
