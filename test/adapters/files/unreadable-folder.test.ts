/** What the user is told of a folder or a file that cannot be read as what its name says. */
import { chmod, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { openFolder } from '../../../lambdas/adapters/files/folder-source.ts';
import { withFolder } from '../../support/temp-folder.ts';
import { allFiles, DOCUMENTS } from './documents.ts';
import { inFolder, messageOf } from './folders.ts';

describe('a folder that cannot be read', () => {
  const wanted = 'expected a folder with subnets.json, the output of describe-subnets';

  test('is not there', async () => {
    expect(await messageOf('/nowhere/at all')).toBe(`DIR: is not there, or is a link to nothing; ${wanted}`);
    await expect(openFolder('').facts()).rejects.toThrow('"": is not there');
  });

  test('is a file', async () => {
    await withFolder({ a: '' }, async (folder) => {
      expect(await messageOf(join(folder, 'a'))).toBe(`DIR: is not a folder; ${wanted}`);
    });
  });

  test('is empty', async () => {
    expect(await inFolder({})).toBe(`DIR: is an empty folder; ${wanted}`);
  });

  test('holds other files only', async () => {
    expect(await inFolder({ 'vpcs.json': DOCUMENTS.vpcs, 'a.txt': '' })).toBe(
      `DIR: holds no subnets*.json (but a.txt, vpcs.json); ${wanted}`,
    );
  });

  test('is a loop of links', async () => {
    await withFolder({}, async (folder) => {
      await symlink('loop', join(folder, 'loop'));
      expect(await messageOf(join(folder, 'loop'))).toBe(`DIR: is a loop of symbolic links; ${wanted}`);
    });
  });

  const asRoot = process.getuid?.() === 0;
  (asRoot ? test.skip : test)('may not be read', async () => {
    await withFolder(allFiles(), async (folder) => {
      await chmod(folder, 0);
      try {
        expect(await messageOf(folder)).toBe(`DIR: may not be read (permission denied); ${wanted}`);
      } finally {
        await chmod(folder, 0o700);
      }
    });
  });
});

describe.each(['subnets', 'network-interfaces', 'vpcs'] as const)('%s.json that cannot be read', (name) => {
  const command = `describe-${name}`;
  const expected = `expected the output of ${command}`;
  const file = `${name}.json`;
  const streamed = name === 'network-interfaces';
  const with_ = (content: unknown) => inFolder({ 'subnets.json': DOCUMENTS.subnets, [file]: content });

  test('is empty, blank, or a list of nothing', async () => {
    expect(await with_('')).toBe(`${file}: is an empty file; ${expected}`);
    expect(await with_(' \n')).toBe(`${file}: is blank; ${expected}`);
    expect(await with_('[]')).toBe(
      `${file}: is an empty list; expected at least one document: the output of ${command}`,
    );
  });

  test('is the output of another command', async () => {
    const key = { subnets: 'Subnets', 'network-interfaces': 'NetworkInterfaces', vpcs: 'Vpcs' }[name];
    expect(await with_(DOCUMENTS.instances)).toBe(
      `${file}: looks like describe-instances output; ${expected}, an object with "${key}"`,
    );
    expect(await with_([DOCUMENTS[name], DOCUMENTS.clusters])).toBe(
      `${file}: [1]: looks like eks describe-cluster output; ${expected}, an object with "${key}"`,
    );
    expect(await with_({ a: 1, b: [], c: null, d: {}, e: '' })).toBe(
      `${file}: is an object with the keys "a", "b", "c", "d", ...; ${expected}, an object with "${key}"`,
    );
    expect(await with_({})).toBe(`${file}: is an object with no keys; ${expected}, an object with "${key}"`);
    expect(await with_({ kind: 'PodList', items: [{ NetworkInterfaces: [] }] })).toBe(
      `${file}: looks like kubectl output of kind "PodList"; ${expected}, an object with "${key}"`,
    );
  });

  test('is no document', async () => {
    for (const [text, what] of [
      ['12', 'the number 12'],
      ['null', 'null'],
      ['"a"', '"a"'],
      ['true', 'the boolean true'],
    ]) {
      const tail = streamed ? expected : `${expected}, an object with`;
      expect(await with_(text)).toContain(`${file}: is ${what}; ${tail}`);
      expect(await with_(`[${text}]`)).toContain(`${file}: [0]: is ${what}; ${tail}`);
    }
  });

  test('is UTF-16, no UTF-8, or compressed', async () => {
    const text = JSON.stringify(DOCUMENTS[name]);
    const wide = `${file}: is UTF-16 text or no text at all; expected UTF-8 (in PowerShell: pipe into "Out-File -Encoding utf8")`;
    expect(await with_(Buffer.from(`\ufeff${text}`, 'utf16le'))).toBe(wide);
    expect(await with_(Buffer.from(text, 'utf16le'))).toBe(wide);
    expect(await with_(Buffer.from(text.replace('vpc-1', 'vpc-\xff'), 'latin1'))).toMatch(
      /has bytes that are no UTF-8/,
    );
    expect(await with_(Buffer.from([0x1f, 0x8b, 8, 1, 2]))).toBe(
      `${file}: is compressed by gzip; expected the JSON itself (gunzip it)`,
    );
  });

  test('is a folder, a loop or a link to nothing', async () => {
    await withFolder({ 'subnets1.json': DOCUMENTS.subnets }, async (folder) => {
      const path = join(folder, file);
      await mkdir(path);
      expect(await messageOf(folder)).toBe(`${file}: is a folder; expected a file with the output of ${command}`);
    });
    await withFolder({ 'subnets1.json': DOCUMENTS.subnets }, async (folder) => {
      await symlink(file, join(folder, file));
      expect(await messageOf(folder)).toBe(`${file}: is a loop of symbolic links; ${expected}`);
    });
    await withFolder({ 'subnets1.json': DOCUMENTS.subnets }, async (folder) => {
      await symlink('gone', join(folder, file));
      expect(await messageOf(folder)).toBe(`${file}: is not there, or is a link to nothing; ${expected}`);
    });
    await withFolder({ 'subnets1.json': DOCUMENTS.subnets }, async (folder) => {
      await symlink('/dev/zero', join(folder, file));
      expect(await messageOf(folder)).toBe(
        `${file}: is no regular file; expected a file with the output of ${command}`,
      );
    });
  });
});
