/**
 * Resources of one kind, with enough memory of the recent past to answer a stale read.
 *
 * Values are never changed in place: a change stores a new object. Each value has a slot, numbered in order of creation and never used twice,
 * so a page can go on after a slot although resources come and go between pages. A base supplies a great many first slots without storing them.
 */
export interface Base<T> {
  readonly count: number;
  at(slot: number): T;
  slotOf(id: string): number | undefined;
}

interface Change<T> {
  readonly at: number;
  readonly slot: number;
  readonly before: T | undefined;
}

/** How far back a stale read can look, milliseconds: EC2's own lag is seconds; 15 minutes leaves room for any test. */
const MEMORY_MS = 15 * 60_000;

export interface View<T> {
  /** One past the last slot. */
  readonly end: number;
  at(slot: number): T | undefined;
  get(id: string): T | undefined;
}

export class Table<T extends object> implements View<T> {
  readonly #now: () => number;
  readonly #base: Base<T> | undefined;
  /** Slots of the base that were changed (`undefined`: deleted). */
  readonly #overrides = new Map<number, T | undefined>();
  readonly #values: (T | undefined)[] = [];
  readonly #slots = new Map<string, number>();
  #log: Change<T>[] = [];
  #size: number;

  constructor(now: () => number, base?: Base<T>) {
    this.#now = now;
    this.#base = base;
    this.#size = base?.count ?? 0;
  }

  /** Number of live resources. */
  get size(): number {
    return this.#size;
  }

  get end(): number {
    return this.#baseCount + this.#values.length;
  }

  get #baseCount(): number {
    return this.#base?.count ?? 0;
  }

  at(slot: number): T | undefined {
    if (slot >= this.#baseCount) return this.#values[slot - this.#baseCount];
    if (this.#overrides.size > 0 && this.#overrides.has(slot)) return this.#overrides.get(slot);
    return slot < 0 ? undefined : this.#base?.at(slot);
  }

  slotOf(id: string): number | undefined {
    return this.#slots.get(id) ?? this.#base?.slotOf(id);
  }

  get(id: string): T | undefined {
    const slot = this.slotOf(id);
    return slot === undefined ? undefined : this.at(slot);
  }

  /** Adds a resource or replaces the one of this id; gives its slot. */
  set(id: string, value: T): number {
    const known = this.slotOf(id);
    const before = known === undefined ? undefined : this.at(known);
    const slot = known === undefined || before === undefined ? this.end : known;
    if (before === undefined) {
      this.#slots.set(id, slot);
      this.#size++;
    }
    this.#store(slot, value, before);
    return slot;
  }

  delete(id: string): void {
    const slot = this.slotOf(id);
    const before = slot === undefined ? undefined : this.at(slot);
    if (slot === undefined || before === undefined) return;
    this.#size--;
    this.#store(slot, undefined, before);
  }

  *values(): IterableIterator<T> {
    for (let slot = 0; slot < this.end; slot++) {
      const value = this.at(slot);
      if (value !== undefined) yield value;
    }
  }

  /** The table as it was `ageMs` ago; the table itself for 0. */
  ago(ageMs: number): View<T> {
    if (ageMs <= 0) return this;
    const since = this.#now() - ageMs;
    const past = new Map<number, T | undefined>();
    for (let i = this.#log.length - 1; i >= 0; i--) {
      const change = this.#log[i];
      if (change === undefined || change.at <= since) break;
      past.set(change.slot, change.before);
    }
    if (past.size === 0) return this;
    const at = (slot: number): T | undefined => (past.has(slot) ? past.get(slot) : this.at(slot));
    return {
      end: this.end,
      at,
      get: (id) => {
        const slot = this.slotOf(id);
        return slot === undefined ? undefined : at(slot);
      },
    };
  }

  /** Forgets the past: what is here now has always been here. */
  forget(): void {
    this.#log = [];
  }

  #store(slot: number, value: T | undefined, before: T | undefined): void {
    if (slot < this.#baseCount) this.#overrides.set(slot, value);
    else this.#values[slot - this.#baseCount] = value;
    const now = this.#now();
    const oldest = this.#log[0];
    if (oldest !== undefined && oldest.at < now - 2 * MEMORY_MS) {
      this.#log = this.#log.filter((change) => change.at >= now - MEMORY_MS);
    }
    this.#log.push({ at: now, slot, before });
  }
}
