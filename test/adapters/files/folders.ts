/** Reads folders the way the CLI does, for tests of what comes of them. */
import { openFolder } from '../../../lambdas/adapters/files/folder-source.ts';
import { InputError } from '../../../lambdas/core/input/input-error.ts';
import type { EniRecord } from '../../../lambdas/core/subnet/snapshot.ts';
import { withFolder } from '../../support/temp-folder.ts';

/** Facts and every interface of a folder, as the source gives them. */
export async function readFolder(folder: string) {
  const source = openFolder(folder);
  const facts = await source.facts();
  const enis: EniRecord[] = [];
  const reading = await source.networkInterfaces(facts, { add: (record) => void enis.push(record) });
  return { facts, enis, reading };
}

/** What the user is told of a folder that cannot be read, its path replaced by `DIR`; `no error` where it can. */
export async function messageOf(folder: string): Promise<string> {
  try {
    await readFolder(folder);
  } catch (error) {
    if (error instanceof InputError) return error.message.replaceAll(folder, 'DIR');
    throw error;
  }
  return 'no error';
}

/** {@link messageOf} of a folder with these files. */
export const inFolder = (files: { readonly [name: string]: unknown }) => withFolder(files, messageOf);
