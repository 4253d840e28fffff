/** Small files: read whole, parsed whole. */

import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import { InputError } from '../../core/input/input-error.ts';
import type { Place } from '../../core/input/place.ts';
import { checkEncoding, fileError } from './file-errors.ts';
import { findSyntaxProblem, foundAt, lineAndColumn } from './json-syntax.ts';

/** Size of a regular file in bytes. A pipe or device would be waited for without end, so it is refused like a folder. */
export async function fileSize(path: string, place: Place, expected: string): Promise<number> {
  const info = await stat(path).catch((cause: unknown) => {
    throw fileError(cause, place, expected);
  });
  if (info.isFile()) return info.size;
  const found = info.isDirectory() ? 'is a folder' : 'is no regular file';
  throw new InputError('UNREADABLE', place, { found, expected: `a file with ${expected}` });
}

async function readText(path: string, place: Place, expected: string): Promise<string> {
  await fileSize(path, place, expected);
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw fileError(cause, place, expected);
  });
  const skip = checkEncoding(bytes, place, expected);
  if (!isUtf8(bytes)) {
    throw new InputError('ENCODING', place, { found: 'has bytes that are no UTF-8', expected: 'UTF-8 text' });
  }
  return bytes.toString('utf8', skip);
}

/** The error for a text that is no JSON; names line and column. */
export function syntaxError(text: string, place: Place, cause: unknown): InputError {
  const problem = findSyntaxProblem(text);
  if (problem === undefined) throw cause;
  const { line, column } = lineAndColumn(text, problem.offset);
  const found = `is no JSON at line ${line}, column ${column}: ${foundAt(text, problem.offset)}`;
  return new InputError('SYNTAX', place, { found, expected: problem.expected }, { cause });
}

/** A document of a file, with its place. */
export interface PlacedDocument {
  readonly document: unknown;
  readonly place: Place;
}

/**
 * The documents of a file: one, or a list of them.
 * Errors: `NOT_FOUND`, `UNREADABLE`, `EMPTY` (no byte, or no document), `ENCODING`, `SYNTAX`.
 *
 * @param expected what the file holds, in words: `the output of describe-subnets`.
 */
export async function readDocuments(path: string, place: Place, expected: string): Promise<readonly PlacedDocument[]> {
  const text = await readText(path, place, expected);
  if (text.trim() === '') throw new InputError('EMPTY', place, { found: 'is blank', expected });
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw syntaxError(text, place, cause);
  }
  if (!Array.isArray(parsed)) return [{ document: parsed, place }];
  if (parsed.length === 0) throw noDocument(place, expected);
  return parsed.map((document: unknown, index) => ({ document, place: place.at(index) }));
}

/** The error for a list of documents with none in it. */
export function noDocument(place: Place, expected: string): InputError {
  return new InputError('EMPTY', place, { found: 'is an empty list', expected: `at least one document: ${expected}` });
}
