/**
 * Reads a schema file of an SDK client, and writes it again with changes.
 *
 * The SDK's code generator describes a service in one file: `const _N = "Name"` for each word, `export var Shape$ = [kind, namespace, _N, traits, ...]` for each shape, `registry.registerError(Shape$, Class)` for each error. What each array means:
 * `@smithy/types`, `schema/static-schemas.d.ts`.
 */
import { type Expression, type ExpressionStatement, type Program, parse, type VariableDeclarator } from 'acorn';

/** A shape, as it stands in the file. */
export interface Shape {
  /** Of the variable: `Subnet$`. */
  readonly variable: string;
  readonly elements: readonly Expression[];
  /** Offsets of the array, brackets included. */
  readonly start: number;
  readonly end: number;
}

/** `registry.registerError(Shape$, Class)`. */
export interface Registration {
  readonly shape: string;
  readonly start: number;
  readonly end: number;
}

export interface SchemaFile {
  readonly words: ReadonlyMap<string, string>;
  readonly shapes: readonly Shape[];
  readonly registrations: readonly Registration[];
}

/** @returns `undefined` where something stands in the file that the generator is not known to write. */
export function readSchemaFile(source: string): SchemaFile | undefined {
  const words = new Map<string, string>();
  const shapes: Shape[] = [];
  const registrations: Registration[] = [];
  for (const statement of programOf(source)?.body ?? []) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declaration?.type === 'VariableDeclaration') {
      for (const one of declaration.declarations) if (!takeUp(one, words, shapes)) return undefined;
    } else if (declaration?.type === 'ExpressionStatement') {
      const registration = registrationOf(declaration);
      if (registration === undefined) return undefined;
      registrations.push(registration);
    } else if (statement.type !== 'ImportDeclaration' && statement.type !== 'ExportNamedDeclaration') {
      return undefined;
    }
  }
  return shapes.length === 0 ? undefined : { words, shapes, registrations };
}

function programOf(source: string): Program | undefined {
  try {
    return parse(source, { ecmaVersion: 'latest', sourceType: 'module' });
  } catch {
    return undefined;
  }
}

function takeUp({ id, init }: VariableDeclarator, words: Map<string, string>, shapes: Shape[]): boolean {
  if (id.type !== 'Identifier') return false;
  if (init?.type === 'Literal') {
    if (typeof init.value === 'string') words.set(id.name, init.value);
    return true;
  }
  if (init?.type === 'ArrayExpression') {
    const elements = init.elements.filter((element) => element !== null && element.type !== 'SpreadElement');
    if (elements.length !== init.elements.length) return false;
    shapes.push({ variable: id.name, elements, start: init.start, end: init.end });
    return true;
  }
  // A list of plain values, `64 | 0`; the registries themselves.
  return init?.type === 'BinaryExpression' || id.name.endsWith('_registry');
}

function registrationOf({ expression, start, end }: ExpressionStatement): Registration | undefined {
  if (expression.type !== 'CallExpression') return undefined;
  const { callee, arguments: given } = expression;
  const shape = given[0];
  const isRegistration =
    callee.type === 'MemberExpression' &&
    callee.property.type === 'Identifier' &&
    callee.property.name === 'registerError' &&
    given.length === 2;
  return isRegistration && shape?.type === 'Identifier' ? { shape: shape.name, start, end } : undefined;
}

/** What a literal or a named word says. */
export function textOf(expression: Expression | undefined, { words }: SchemaFile): string | undefined {
  if (expression?.type === 'Identifier') return words.get(expression.name);
  if (expression?.type === 'Literal') return typeof expression.value === 'string' ? expression.value : undefined;
  if (expression?.type === 'TemplateLiteral' && expression.expressions.length === 0)
    return expression.quasis[0]?.value.cooked ?? undefined;
  return undefined;
}

/** A piece of a text, and what comes in its place. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** @param edits - in any order; none reaches into another. */
export function edited(source: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    parts.push(source.slice(from, start), text);
    from = end;
  }
  return [...parts, source.slice(from)].join('');
}
