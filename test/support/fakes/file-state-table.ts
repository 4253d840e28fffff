/** The state table in a folder: what one process wrote the next one finds, whatever became of the first. One process at a time. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ItemKind } from '../../../lambdas/contract/names.ts';
import type { PutOptions, StateTable, StoredItem } from '../../../lambdas/ports/state-table.ts';

export class FileStateTable implements StateTable {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  async get(kind: ItemKind, subject: string): Promise<StoredItem | undefined> {
    try {
      return JSON.parse(readFileSync(this.file(kind, subject), 'utf8')) as StoredItem;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  async list(kind: ItemKind): Promise<ReadonlyMap<string, StoredItem>> {
    const found = new Map<string, StoredItem>();
    for (const name of readdirSync(this.folder).sort()) {
      const [of, subject = ''] = decodeURIComponent(name).split('\n');
      const item = of === kind ? await this.get(kind, subject) : undefined;
      if (item !== undefined) found.set(subject, item);
    }
    return found;
  }

  async put(kind: ItemKind, subject: string, value: unknown, { expected }: PutOptions): Promise<boolean> {
    if ((await this.get(kind, subject))?.version !== expected) return false;
    // Whole or not at all: the process may be killed at any moment.
    const draft = path.join(this.folder, '.draft');
    writeFileSync(draft, JSON.stringify({ value, version: (expected ?? 0) + 1 }));
    renameSync(draft, this.file(kind, subject));
    return true;
  }

  async remove(kind: ItemKind, subject: string, expected: number): Promise<boolean> {
    if ((await this.get(kind, subject))?.version !== expected) return false;
    rmSync(this.file(kind, subject));
    return true;
  }

  private file(kind: ItemKind, subject: string): string {
    return path.join(this.folder, encodeURIComponent(`${kind}\n${subject}`));
  }
}
