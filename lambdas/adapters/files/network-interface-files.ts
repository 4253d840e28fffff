/** Streams the `network-interfaces*.json` of a folder: 330 MB for 100,000 interfaces is a common size, and no file is too large. */
import { type FileHandle, open } from 'node:fs/promises';
import type { Place } from '../../core/input/place.ts';
import type { EniSink } from '../../core/subnet/snapshot.ts';
import type { ReadProgress } from '../../ports/region-source.ts';
import { toEniRecord } from '../describe/network-interfaces.ts';
import { ElementSplitter } from './element-splitter.ts';
import { checkEncoding, fileError } from './file-errors.ts';
import { CONTENTS, type InputFile } from './input-files.ts';
import { fileSize } from './json-file.ts';

/** Bytes read at once: large enough that the calls cost nothing, small enough that two of them are no memory. */
const CHUNK = 1024 * 1024;
const EXPECTED = CONTENTS['network-interfaces'];

/**
 * Reads each file once, element by element, into the sink.
 * Errors: `InputError`, with file, index and byte offset of the interface.
 */
export async function readNetworkInterfaces(
  files: readonly InputFile[],
  sink: EniSink,
  progress: ReadProgress = () => {},
): Promise<void> {
  let read = 0;
  for (const { path, place } of files) {
    await fileSize(path, place, EXPECTED);
    const handle = await open(path, 'r').catch((cause: unknown) => {
      throw fileError(cause, place, EXPECTED);
    });
    const element = (value: unknown, at: Place) => {
      sink.add(toEniRecord(value, at));
      read++;
    };
    try {
      await pump(handle, place, element, () => progress('network-interfaces', read));
    } finally {
      await handle.close();
    }
  }
}

/** While one buffer is looked through the other is being filled. */
async function pump(
  handle: FileHandle,
  place: Place,
  element: (value: unknown, at: Place) => void,
  progress: () => void,
): Promise<void> {
  const buffers = [Buffer.allocUnsafe(CHUNK), Buffer.allocUnsafe(CHUNK)] as const;
  const fill = async (turn: number): Promise<Buffer> => {
    const buffer = buffers[turn % 2] as Buffer;
    // A read may answer less than is asked for; the first one must hold the byte order mark, if there is one.
    let length = 0;
    while (length < buffer.length) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length).catch((cause: unknown) => {
        throw fileError(cause, place, EXPECTED);
      });
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return buffer.subarray(0, length);
  };
  let chunk = await fill(0);
  const mark = checkEncoding(chunk, place, EXPECTED);
  const splitter = new ElementSplitter(place, { key: 'NetworkInterfaces', expected: EXPECTED, element }, mark);
  let rest = chunk.subarray(mark);
  for (let turn = 1; chunk.length > 0; turn++) {
    const next = fill(turn);
    try {
      splitter.push(rest);
    } catch (error) {
      await next.catch(() => {});
      throw error;
    }
    chunk = await next;
    rest = chunk;
    progress();
  }
  splitter.end();
}
