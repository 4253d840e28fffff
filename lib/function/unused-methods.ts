/**
 * Takes methods out of classes of the SDK that no bundler can know are never called: what a function makes of the class calls others.
 *
 * A call of one that was taken out fails as a call of something that is no function. A file in which one of the methods is missing, or stands twice, is another than we know: it stays whole, and that is said.
 */
import { type Class, type Expression, type MethodDefinition, parse } from 'acorn';
import type { Plugin } from 'esbuild';
import { edited } from './schema-file.ts';
import { packageFile, rewriteFiles } from './sdk-files.ts';

/** Methods of the classes of a file. */
export interface UnusedMethods {
  /** As it ends, from the package's name on. */
  readonly file: string;
  readonly methods: readonly string[];
}

const SMITHY = '@smithy/core/dist-es/submodules';

export const UNUSED_METHODS: readonly UnusedMethods[] = [
  // What is signed is a request, that goes out at once: no address for somebody else to call, no message of an event stream.
  {
    file: '@smithy/signature-v4/dist-es/SignatureV4.js',
    methods: ['presign', 'signEvent', 'signMessage', 'signString'],
  },
  // Only operations with an event stream come here, and none of ours has one.
  { file: `${SMITHY}/schema/schemas/NormalizedSchema.js`, methods: ['getMemberSchema'] },
  {
    file: `${SMITHY}/protocols/HttpProtocol.js`,
    methods: [
      'serializeEventStream',
      'deserializeEventStream',
      'loadEventStreamCapability',
      'getDefaultContentType',
      'getEventStreamMarshaller',
      'resolveEventStreamMarshaller',
    ],
  },
  // Only S3 writes XML, and no body of its requests has a map in it: the metadata of an object are headers.
  { file: '@aws-sdk/core/dist-es/submodules/protocols/xml/XmlShapeSerializer.js', methods: ['writeMap'] },
  // Documents that say of themselves of which shape they are, which no service sends or takes that we call.
  {
    file: `${SMITHY}/protocols/json/codec-v2/JsonShapeSerializer2.js`,
    methods: ['writeDiscriminatedDocument'],
  },
  // Short names for the generated serializers that the SDK had before it had schemas.
  { file: '@aws-sdk/xml-builder/dist-es/XmlNode.js', methods: ['removeAttribute', 'n', 'c', 'a', 'cc', 'l', 'lc'] },
  { file: `${SMITHY}/client/smithy-client/command.js`, methods: ['init', 'c', 'f', 'ser', 'de'] },
];

/** @returns the source without the methods; `undefined` where one of them does not stand in it exactly once. */
export function withoutMethods(source: string, methods: readonly string[]): string | undefined {
  const found = classesOf(source)
    .flatMap(({ body }) => body.body)
    .filter((member): member is MethodDefinition => member.type === 'MethodDefinition' && !member.static)
    .filter(({ key }) => methods.includes(nameOf(key as Expression)));
  const names = new Set(found.map(({ key }) => nameOf(key as Expression)));
  if (found.length !== methods.length || names.size !== methods.length) return undefined;
  return edited(
    source,
    found.map(({ start, end }) => ({ start, end, text: '' })),
  );
}

function classesOf(source: string): readonly Class[] {
  return parse(source, { ecmaVersion: 'latest', sourceType: 'module' }).body.flatMap((statement) => {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    return declaration?.type === 'ClassDeclaration' ? [declaration] : [];
  });
}

function nameOf(key: Expression): string {
  return key.type === 'Identifier' ? key.name : '';
}

/** @param unknown is told of each file that is laid out in another way than we know: the bundle works, and is larger. */
export function unusedMethods(unknown: (file: string) => void): Plugin {
  return {
    name: 'unused-methods',
    setup: (build) => {
      for (const { file, methods } of UNUSED_METHODS) {
        rewriteFiles(build, packageFile(file), (source) => withoutMethods(source, methods), unknown);
      }
    },
  };
}
