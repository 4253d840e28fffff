/** Files of events: JSON as one document, as an array, or as one document a line; gzip too, as CloudTrail writes its files. */
import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { InputError } from '../../core/input/input-error.ts';
import { Place } from '../../core/input/place.ts';
import { checkEncoding, fileError } from './file-errors.ts';
import { syntaxError } from './json-file.ts';

const EXPECTED = 'an event of EventBridge, a record of CloudTrail, or a list of them';

/** CloudTrail's own files are below 50 MB once unpacked; a small file that unpacks to more is no file of events. */
const MOST_UNPACKED_BYTES = 512 * 1024 * 1024;

/** The JSON of a file. Errors: `NOT_FOUND`, `UNREADABLE`, `EMPTY`, `ENCODING`, `SYNTAX`. */
export async function readEventFile(path: string): Promise<unknown> {
  const place = Place.of(path);
  const info = await stat(path).catch((cause: unknown) => {
    throw fileError(cause, place, EXPECTED);
  });
  if (info.isDirectory()) throw new InputError('UNREADABLE', place, { found: 'is a folder', expected: EXPECTED });
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw fileError(cause, place, EXPECTED);
  });
  return parseEvents(bytes, place);
}

/** The JSON that a stream carries, read to its end. @param name what it is called in messages. */
export async function readEventStream(stream: AsyncIterable<Uint8Array | string>, name: string): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  return parseEvents(Buffer.concat(chunks), Place.of(name));
}

function parseEvents(given: Buffer, place: Place): unknown {
  const bytes = unpacked(given, place);
  const skip = checkEncoding(bytes, place, EXPECTED);
  if (!isUtf8(bytes)) {
    throw new InputError('ENCODING', place, { found: 'has bytes that are no UTF-8', expected: 'UTF-8 text' });
  }
  const text = bytes.toString('utf8', skip);
  if (text.trim() === '') throw new InputError('EMPTY', place, { found: 'is blank', expected: EXPECTED });
  const document = parse(text, place);
  if (typeof document !== 'object' || document === null) {
    throw new InputError('WRONG_DOCUMENT', place, {
      found: `holds ${JSON.stringify(document)?.slice(0, 60)}`,
      expected: EXPECTED,
    });
  }
  return document;
}

function parse(text: string, place: Place): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    return linesOf(text) ?? fail(syntaxError(text, place, cause));
  }
}

function fail(error: Error): never {
  throw error;
}

/** One document a line, as `jq -c` and log exports have them; `undefined` where any line is none. */
function linesOf(text: string): readonly unknown[] | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2) return undefined;
  try {
    return lines.map((line) => JSON.parse(line) as unknown);
  } catch {
    // The error about the text as a whole says more: it has line and column.
    return undefined;
  }
}

function unpacked(bytes: Buffer, place: Place): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: MOST_UNPACKED_BYTES });
  } catch (cause) {
    throw new InputError('ENCODING', place, { found: 'is no whole gzip file', expected: EXPECTED }, { cause });
  }
}
