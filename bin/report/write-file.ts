import { rename, rm, writeFile } from 'node:fs/promises';
import { UsageError } from '../usage-error.ts';

/** Writes a file whole or not at all; what was there before goes only when the new text is there. @throws UsageError it cannot be written. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const part = `${path}.${process.pid}.part`;
  try {
    await writeFile(part, text, { flag: 'wx' });
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(`--out: cannot write ${path}: ${code ?? message}`);
  }
}
