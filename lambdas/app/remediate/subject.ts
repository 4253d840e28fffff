import type { Config } from '../../contract/config.ts';

/** Whose service this is, and how it may act. */
export interface Subject {
  readonly account: string;
  readonly region: string;
  readonly config: Config;
}
