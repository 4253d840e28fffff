/** Changes a text file that may be too large to be held. */
import { createReadStream } from 'node:fs';
import { open, rename } from 'node:fs/promises';

/** Text read at a time: few writes, little memory. */
const CHUNK_BYTES = 1024 * 1024;

/**
 * Replaces the file by what `change` makes of it. `change` is handed whole lines, many at a time, and must treat each alike wherever they are parted.
 *
 * The new text stands beside the file until it is whole; the caller removes the folder where this rejects.
 */
export async function rewriteFile(path: string, change: (text: string) => string): Promise<void> {
  const beside = `${path}.new`;
  const handle = await open(beside, 'wx');
  try {
    let rest = '';
    for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: CHUNK_BYTES })) {
      const text = rest + (chunk as string);
      const end = text.lastIndexOf('\n') + 1;
      rest = text.slice(end);
      if (end > 0) await handle.appendFile(change(text.slice(0, end)));
    }
    await handle.appendFile(change(rest));
  } finally {
    await handle.close();
  }
  await rename(beside, path);
}
