/** The service's memory: small items, each written only where it is still as it was read. */
import type { ItemKind } from '../contract/names.ts';

/** An item as it was read. `version` is what a write must find unchanged. */
export interface StoredItem {
  readonly value: unknown;
  readonly version: number;
}

export interface PutOptions {
  /** Version that was read; `undefined` where there was no item. */
  readonly expected: number | undefined;
  /** Epoch seconds after which the item may go by itself. */
  readonly expiresAt?: number;
}

/**
 * Compare and set, and nothing else: no write ever goes over one that its writer has not seen.
 *
 * Reads are strongly consistent. Values are plain JSON.
 */
export interface StateTable {
  get(kind: ItemKind, subject: string): Promise<StoredItem | undefined>;
  /** Every item of a kind, by subject. */
  list(kind: ItemKind): Promise<ReadonlyMap<string, StoredItem>>;
  /** @returns whether the item was still as expected, and is now this. */
  put(kind: ItemKind, subject: string, value: unknown, options: PutOptions): Promise<boolean>;
  /** @returns whether the item was still as expected, and is gone now. */
  remove(kind: ItemKind, subject: string, expected: number): Promise<boolean>;
}
