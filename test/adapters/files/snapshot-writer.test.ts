import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { openFolder } from '../../../lambdas/adapters/files/folder-source.ts';
import { openSnapshotWriter } from '../../../lambdas/adapters/files/snapshot-writer.ts';
import { InputError } from '../../../lambdas/core/input/input-error.ts';
import { absentInputs, readInputs } from '../../../lambdas/core/subnet/inputs.ts';
import { type EniRecord, INPUT_NAMES, type InputName } from '../../../lambdas/core/subnet/snapshot.ts';
import { withFolder } from '../../support/temp-folder.ts';
import { allFiles, DOCUMENTS, eni, subnet } from './documents.ts';

async function read(folder: string) {
  const source = openFolder(folder);
  const facts = await source.facts();
  const enis: EniRecord[] = [];
  const reading = await source.networkInterfaces(facts, { add: (record) => void enis.push(record) });
  return { facts, enis, reading };
}

const entries = Object.entries(DOCUMENTS) as [InputName, object][];

describe('a snapshot', () => {
  test('reads as the files it was made from', async () => {
    await withFolder(allFiles(), async (original) => {
      await withFolder({}, async (parent) => {
        const target = join(parent, 'out');
        const writer = await openSnapshotWriter(target);
        for (const [input, document] of entries) await writer.write(input, document);
        expect(await readdir(parent)).not.toContain('out');
        await writer.commit();
        expect(await readdir(parent)).toEqual(['out']);
        expect(await readdir(target)).toEqual(INPUT_NAMES.map((name) => `${name}.json`).sort());
        expect(await read(target)).toEqual(await read(original));
      });
    });
  });

  test('of several pages, written at once, with times as the SDK has them', async () => {
    await withFolder({}, async (folder) => {
      const writer = await openSnapshotWriter(folder);
      const attachTime = new Date('2026-11-29T10:00:00.000Z');
      await Promise.all([
        writer.write('subnets', { Subnets: [subnet(1)] }),
        writer.write('subnets', { Subnets: [] }),
        writer.write('subnets', { Subnets: [subnet(2)] }),
        writer.networkInterfacesPage([eni(1, { Attachment: { AttachTime: attachTime } })]),
        writer.networkInterfacesPage([]),
        writer.networkInterfacesPage([eni(2)]),
        writer.write('now', { now: new Date('2026-11-30T12:00:00Z') }),
      ]);
      await writer.commit();
      const { facts, enis } = await read(folder);
      expect(facts.subnets.map(({ subnetId }) => subnetId)).toEqual(['subnet-1', 'subnet-2']);
      expect(facts.now).toBe(Date.UTC(2026, 10, 30, 12));
      expect(enis.map(({ eniId }) => eniId)).toEqual(['eni-1', 'eni-2']);
      const written = await readFile(join(folder, 'network-interfaces.json'), 'utf8');
      expect(written).toContain('"AttachTime": "2026-11-29T10:00:00.000Z"');
      expect(await readdir(folder)).toEqual(['network-interfaces.json', 'now.json', 'subnets.json']);
    });
  });

  test('keeps what was read and found empty apart from what nobody asked for', async () => {
    await withFolder({}, async (folder) => {
      const writer = await openSnapshotWriter(folder);
      await writer.write('subnets', DOCUMENTS.subnets);
      const read_: InputName[] = ['subnets', 'network-interfaces', 'cidr-reservations', 'clusters', 'addons', 'vpcs'];
      await writer.commit(read_);
      const { facts, reading } = await read(folder);
      expect(readInputs(facts, reading)).toEqual(INPUT_NAMES.filter((name) => read_.includes(name)));
      expect(absentInputs(facts, reading)).toEqual(
        INPUT_NAMES.filter((name) => name !== 'reading' && !read_.includes(name)),
      );
      expect(facts.clusters).toEqual({ state: 'read', value: [] });
    });
  });

  test('that is aborted leaves nothing', async () => {
    await withFolder({}, async (parent) => {
      for (const target of [join(parent, 'new'), parent]) {
        const writer = await openSnapshotWriter(target);
        await writer.write('subnets', DOCUMENTS.subnets);
        await writer.abort();
        await writer.abort();
        expect(await readdir(parent)).toEqual([]);
        await expect(writer.write('subnets', DOCUMENTS.subnets)).rejects.toThrow('committed or aborted');
      }
    });
  });
});

describe('a snapshot that cannot be written', () => {
  const messageOf = async (folder: string, action: () => Promise<unknown>) => {
    try {
      await action();
    } catch (error) {
      if (error instanceof InputError) return `${error.code} ${error.message.replaceAll(folder, 'DIR')}`;
      throw error;
    }
    return 'no error';
  };

  test('because the folder holds something', async () => {
    await withFolder({ 'a.txt': 'kept' }, async (folder) => {
      expect(await messageOf(folder, () => openSnapshotWriter(folder))).toBe(
        'EXISTS DIR: holds 1 file already; expected the name of a folder that is new or empty',
      );
      expect(await readdir(folder)).toEqual(['a.txt']);
    });
  });

  test('because it is a file, has no name, or lies nowhere', async () => {
    await withFolder({ 'a.txt': 'kept' }, async (folder) => {
      const out = (path: string) => messageOf(folder, () => openSnapshotWriter(path));
      expect(await out(join(folder, 'a.txt'))).toBe(
        'UNREADABLE DIR/a.txt: is not a folder; expected the name of a folder that is new or empty',
      );
      expect(await out('')).toBe('NOT_FOUND "": is no name; expected the name of a folder that is new or empty');
      expect(await out(join(folder, 'no', 'such'))).toBe(
        'NOT_FOUND DIR/no: is not there, or is a link to nothing; expected a folder to write the snapshot into',
      );
    });
  });

  test('because somebody else was faster', async () => {
    await withFolder({}, async (folder) => {
      const target = join(folder, 'out');
      const writer = await openSnapshotWriter(target);
      await writer.write('subnets', DOCUMENTS.subnets);
      await mkdir(target);
      await writeFile(join(target, 'theirs'), '');
      expect(await messageOf(folder, () => writer.commit())).toBe(
        'EXISTS DIR/out: has been filled by somebody else; expected the name of a folder that is new or empty',
      );
      await writer.abort();
      expect(await readdir(folder)).toEqual(['out']);
      expect(await readdir(target)).toEqual(['theirs']);
    });
  });

  test('because its place is gone: says so, and aborts in peace', async () => {
    await withFolder({}, async (folder) => {
      const inner = join(folder, 'inner');
      await mkdir(inner);
      const writer = await openSnapshotWriter(join(inner, 'out'));
      for (const name of await readdir(inner)) await rmdir(join(inner, name));
      expect(await messageOf(folder, () => writer.write('subnets', DOCUMENTS.subnets))).toBe(
        'NOT_FOUND DIR/inner/out: is not there, or is a link to nothing; expected a folder that can be written to, with room left',
      );
      await writer.abort();
    });
  });
});
