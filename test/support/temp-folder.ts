import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs with a folder of its own, holding these files, and removes it afterwards. A value that is neither text nor bytes is written as JSON. */
export async function withFolder<T>(
  files: { readonly [name: string]: unknown },
  run: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'headroom-'));
  try {
    for (const [name, content] of Object.entries(files)) {
      const raw = typeof content === 'string' || content instanceof Uint8Array;
      await writeFile(join(folder, name), raw ? content : JSON.stringify(content));
    }
    return await run(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
