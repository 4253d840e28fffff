import type { StoredSnapshot } from '../core/stored/stored-region.ts';

/** The newest snapshot that the service stored. */
export interface LatestSnapshot {
  /** @returns `undefined` where none was stored yet. @throws StoredError for one of another version. */
  read(): Promise<StoredSnapshot | undefined>;
}
