/**
 * Lets esbuild drop what an SDK client describes and nobody here asks for.
 *
 * A client describes every operation of its service in one file of top-level arrays with computed contents, which no bundler may drop by itself: EC2's alone is half a megabyte in each function, loaded at each cold start. Three things are done to
 * that file (docs/adr/0033-small-functions.md says why each changes nothing that the service sees):
 *
 * - An array is wrapped in a call that is marked as pure: one that nothing refers to goes away.
 * - Errors that need no description are not registered, so that they go away too, with their classes.
 * - Requests and answers lose the members whose names stand nowhere in our own sources.
 *
 * All of it leans on how the SDK's code generator lays that file out, so a file that looks otherwise is left as it is, and said.
 */
import { existsSync, readFileSync } from 'node:fs';
import type { ArrayExpression, Expression } from 'acorn';
import type { Plugin } from 'esbuild';
import { ownWords, wordsIn, wordsOf } from './own-words.ts';
import { type Edit, edited, readSchemaFile, type SchemaFile, type Shape, textOf } from './schema-file.ts';

/** `node_modules/@aws-sdk/client-ec2/dist-es/schemas/schemas_0.js` and its like. */
const SCHEMA_FILE = /[\\/]@aws-sdk[\\/]client-([\w-]+)[\\/]dist-es[\\/]schemas[\\/]schemas_\d+\.js$/;

/** The clients whose structures lose members: those of which much is described, and whose own code in the SDK names no member but in its paginators and in what it builds commands of. */
const NARROWED: ReadonlySet<string> = new Set(['ec2', 's3', 'cloudwatch', 'dynamodb']);

/** The trait of a member that the SDK gives a value itself, where none is given; as a word, and as a bit where it stands among others (`@smithy/core`, translateTraits.js). */
const TOKEN = 'idempotencyToken';
const TOKEN_BIT = 4;

/** Protocols of a client that know errors by two names: the query protocol, and those that are compatible with it. EC2's has one name for each. */
const QUERY = /Query/i;

/** Kinds of shapes (`@smithy/types`, `StaticSchemaId...`), as they are written. */
const STRUCTURE = '3';

export interface Pruned {
  readonly code: string;
  /** Arrays that were wrapped; 0 where the layout is not the one we know. */
  readonly arrays: number;
}

export interface Needed {
  /** Source of the classes of the client's errors, where it has any. */
  readonly errorClasses?: string;
  /** Names of errors that are asked for where the service sends another; `undefined`: all. */
  readonly errorNames?: ReadonlySet<string>;
  /** Names of members that structures keep; `undefined`: all. */
  readonly words?: ReadonlySet<string>;
}

/** Prunes a schema file. One whose layout is not the one we know is left whole. */
export function pruneSchemas(source: string, needed: Needed = {}): Pruned {
  const file = readSchemaFile(source);
  if (file === undefined) return { code: source, arrays: 0 };
  const { words } = needed;
  const edits = [
    ...file.shapes.flatMap(({ start, end }) => [
      { start, end: start, text: '/* @__PURE__ */ (() => ' },
      { start: end, end, text: ')()' },
    ]),
    ...needlessErrors(file, needed),
    ...(words === undefined ? [] : file.shapes.flatMap((shape) => needlessMembers(source, shape, file, words))),
  ];
  return { code: edited(source, edits), arrays: file.shapes.length };
}

/**
 * Registrations of errors that need none. What no description is found for is thrown as the client's base exception, with the name that the service sent, its message, status and fields; only a description can tell
 * that a service of the query protocol sends another name than the SDK's (`AuthorizationError` for `AuthorizationErrorException`), or that an error is to be tried again. An error whose own name is such a sent one stays as well: else the other would be taken for it.
 */
function needlessErrors(file: SchemaFile, { errorClasses = '', errorNames }: Needed): readonly Edit[] {
  const shapes = new Map(file.shapes.map((shape) => [shape.variable, shape]));
  const errors = file.registrations.map((registration) => {
    const [, , named, traits] = shapes.get(registration.shape)?.elements ?? [];
    const name = textOf(named, file) ?? '';
    const sent = sentName(traits, file) ?? name;
    return { ...registration, name, sent, renamed: sent !== name && (errorNames?.has(name) ?? true) };
  });
  const sentForOthers = new Set(errors.flatMap(({ sent, renamed }) => (renamed ? [sent] : [])));
  return errors
    .filter(
      ({ name, renamed }) =>
        // The base exception of the service, which the rest falls back to, and what we could not read the name of.
        !(name === '' || name.endsWith('ServiceException')) &&
        !(renamed || sentForOthers.has(name) || isTriedAgain(name, errorClasses)),
    )
    .map(({ start, end }) => ({ start, end, text: '' }));
}

/** `{ [_aQE]: [`ResourceNotFound`, 404], ... }` -> `ResourceNotFound`. */
function sentName(traits: Expression | undefined, file: SchemaFile): string | undefined {
  if (traits?.type !== 'ObjectExpression') return undefined;
  for (const property of traits.properties) {
    if (property.type !== 'Property' || textOf(property.key as Expression, file) !== 'awsQueryError') continue;
    const [sent] = property.value.type === 'ArrayExpression' ? property.value.elements : [];
    return sent === null || sent?.type === 'SpreadElement' ? undefined : textOf(sent, file);
  }
  return undefined;
}

function isTriedAgain(name: string, errorClasses: string): boolean {
  const [, after = ''] = errorClasses.split(`export class ${name} `);
  const [body = ''] = after.split('export class ');
  return body.includes('$retryable');
}

/** Members that nobody reads or sets: whoever does has to name them, but for the SDK, which fills in tokens. Those that must be there come first, and stay. */
function needlessMembers(
  source: string,
  { elements }: Shape,
  file: SchemaFile,
  words: ReadonlySet<string>,
): readonly Edit[] {
  const [kind, , name, , members, targets, required] = elements;
  if (kind === undefined || source.slice(kind.start, kind.end) !== STRUCTURE) return [];
  if (members?.type !== 'ArrayExpression' || targets?.type !== 'ArrayExpression') return [];
  if (textOf(name, file) === undefined) return [];
  const first = required?.type === 'Literal' ? Number(required.value) : 0;
  const kept = members.elements.flatMap((member, index) => {
    const word = member === null || member.type === 'SpreadElement' ? undefined : textOf(member, file);
    const stays = index < first || word === undefined || words.has(word) || isToken(targets.elements[index], file);
    return stays ? [index] : [];
  });
  return [members, targets].map(({ start, end, elements: all }) => ({
    start,
    end,
    text: `[${kept.map((index) => source.slice(all[index]?.start, all[index]?.end)).join(', ')}]`,
  }));
}

/** Whether a member is one that the SDK fills in: `[0, 4]`, `[0, { [_iTd]: 1 }]`. */
function isToken(target: ArrayExpression['elements'][number] | undefined, file: SchemaFile): boolean {
  const traits = target?.type === 'ArrayExpression' ? target.elements[1] : undefined;
  if (traits?.type === 'Literal') return (Number(traits.value) & TOKEN_BIT) !== 0;
  return (
    traits?.type === 'ObjectExpression' &&
    traits.properties.some(
      (property) => property.type === 'Property' && textOf(property.key as Expression, file) === TOKEN,
    )
  );
}

/** Names in a client's paginators, which pass tokens on, and in what it builds commands of, which says what checksums are asked for. Not every client has either. */
function clientWords(schemaFile: string, commandBuilder = ''): ReadonlySet<string> {
  return wordsOf(schemaFile.replace(/schemas[\\/]schemas_\d+\.js$/, 'pagination')).union(wordsIn(commandBuilder));
}

/** @param unknown is told of each schema file whose layout is not the one we know: the bundle works, and is larger. */
export function prunedSchemas(unknown: (file: string) => void): Plugin {
  return {
    name: 'pruned-schemas',
    setup: (build) => {
      build.onLoad({ filter: SCHEMA_FILE }, ({ path }) => {
        const beside = (name: string) => {
          const file = path.replace(/schemas[\\/]schemas_\d+\.js$/, name);
          return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
        };
        const errorClasses = beside('models/errors.js');
        const client = SCHEMA_FILE.exec(path)?.[1] ?? '';
        const { code, arrays } = pruneSchemas(readFileSync(path, 'utf8'), {
          ...(errorClasses === undefined ? {} : { errorClasses }),
          errorNames: QUERY.test(beside('runtimeConfig.shared.js') ?? 'Query') ? ownWords() : new Set(),
          ...(NARROWED.has(client) ? { words: ownWords().union(clientWords(path, beside('commandBuilder.js'))) } : {}),
        });
        if (arrays === 0) unknown(path);
        return { contents: code, loader: 'js' };
      });
    },
  };
}
