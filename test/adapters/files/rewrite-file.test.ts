/** A file is changed as a whole, whatever its size and wherever it is parted for reading. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { rewriteFile } from '../../../lambdas/adapters/files/rewrite-file.ts';
import { withFolder } from '../../support/temp-folder.ts';

const upper = (text: string) => text.replace(/name-\w+/g, (word) => word.toUpperCase());

test.each([
  ['empty', ''],
  ['one line without an end', 'é name-a'],
  ['several times what is read at once', '{"é": "name-abc"},\n'.repeat(200_000)],
  ['one line that is longer than what is read at once', `${'é name-abc '.repeat(200_000)}\nname-b`],
])('%s', async (_, text) => {
  await withFolder({}, async (folder) => {
    const path = join(folder, 'a.json');
    await writeFile(path, text);
    await rewriteFile(path, upper);
    expect((await readFile(path, 'utf8')) === upper(text)).toBe(true);
    expect(await readdir(folder)).toEqual(['a.json']);
  });
});

test('what fails leaves the file as it was', async () => {
  await withFolder({}, async (folder) => {
    const path = join(folder, 'a.json');
    await writeFile(path, 'name-a\n');
    const failed = rewriteFile(path, () => {
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await readFile(path, 'utf8')).toBe('name-a\n');
  });
});
