import type { ItemKind } from '../../../lambdas/contract/names.ts';
import type { PutOptions, StateTable, StoredItem } from '../../../lambdas/ports/state-table.ts';

/** One write that was asked for, and whether it was made. */
export interface TableWrite {
  readonly kind: ItemKind;
  readonly subject: string;
  readonly done: boolean;
}

/**
 * The state table in memory: compare and set as the port says, values as the JSON they would be stored as.
 *
 * `refuseNext` makes the next write to a kind find that somebody was faster; `breakNext` makes the next call throw.
 */
export class MemoryStateTable implements StateTable {
  readonly writes: TableWrite[] = [];
  readonly expiry = new Map<string, number | undefined>();
  private readonly items = new Map<string, StoredItem>();
  private readonly refused = new Set<ItemKind>();
  private broken: Error | undefined;

  refuseNext(kind: ItemKind): void {
    this.refused.add(kind);
  }

  breakNext(error: Error): void {
    this.broken = error;
  }

  async get(kind: ItemKind, subject: string): Promise<StoredItem | undefined> {
    this.fail();
    const item = this.items.get(key(kind, subject));
    return item === undefined ? undefined : copy(item);
  }

  async list(kind: ItemKind): Promise<ReadonlyMap<string, StoredItem>> {
    this.fail();
    const prefix = key(kind, '');
    const found = [...this.items].filter(([name]) => name.startsWith(prefix)).sort(([a], [b]) => (a < b ? -1 : 1));
    return new Map(found.map(([name, item]) => [name.slice(prefix.length), copy(item)]));
  }

  async put(kind: ItemKind, subject: string, value: unknown, options: PutOptions): Promise<boolean> {
    this.fail();
    const done = this.unchanged(kind, subject, options.expected);
    if (done) {
      const version = (options.expected ?? 0) + 1;
      this.items.set(key(kind, subject), copy({ value, version }));
      this.expiry.set(key(kind, subject), options.expiresAt);
    }
    this.writes.push({ kind, subject, done });
    return done;
  }

  async remove(kind: ItemKind, subject: string, expected: number): Promise<boolean> {
    this.fail();
    const done = this.unchanged(kind, subject, expected);
    if (done) this.items.delete(key(kind, subject));
    this.writes.push({ kind, subject, done });
    return done;
  }

  private unchanged(kind: ItemKind, subject: string, expected: number | undefined): boolean {
    if (this.refused.delete(kind)) return false;
    return this.items.get(key(kind, subject))?.version === expected;
  }

  private fail(): void {
    const { broken } = this;
    this.broken = undefined;
    if (broken !== undefined) throw broken;
  }
}

function key(kind: ItemKind, subject: string): string {
  return `${kind}\n${subject}`;
}

function copy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
