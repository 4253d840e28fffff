/** What the report's page is given: every text ready to show, every number ready to sort by. Written by the renderer, read by the page's script. */
import type { Rank } from '../ranked.ts';

/** One point in time. */
export interface PageFrame {
  /** As a reader names it: its time, or the folder where no time is known. */
  readonly label: string;
  readonly freeIps: number | null;
  readonly freePrefixes: number | null;
}

export interface PageSubnet {
  readonly id: string;
  readonly name: string;
  readonly cidr: string;
  /** First address, as a number. */
  readonly base: number;
  /** Number of /28; 0 where there is nothing to draw. */
  readonly blocks: number;
  readonly zone: string;
  readonly vpc: string;
  readonly clusters: readonly string[];
  readonly rank: Rank;
  /** In the latest frame. `null`: it is not there, or not known. */
  readonly availableIps: number | null;
  readonly usableIps: number | null;
  readonly freePrefixes: number | null;
  /** `0 of 23`, or a range. */
  readonly prefixWords: string;
  readonly addressWords: string;
  readonly fragmentation: number | null;
  readonly confidence: string;
  readonly unaccountedIps: number;
  readonly sentences: readonly string[];
  /** What each class of interface holds: class, interfaces, addresses, prefixes. */
  readonly holders: readonly (readonly [string, number, number, number])[];
  readonly reservations: readonly string[];
  /** Free addresses and free /28 by frame, where there are several. */
  readonly overTime?: {
    readonly ips: readonly (number | null)[];
    readonly prefixes: readonly (number | null)[];
  };
}

/** The room of a cluster, or of all that serves nodes or pods, in one zone. */
export interface PageRoom {
  readonly rank: Rank;
  readonly cluster: string;
  readonly zone: string;
  readonly vpc: string;
  readonly nodes: number | null;
  readonly freePrefixes: number | null;
  readonly availableIps: number | null;
  readonly subnets: number;
  /** Position of the subnet that runs out first; -1: none. */
  readonly first: number;
  readonly mode: string;
}

export interface PageFinding {
  readonly rank: Rank;
  readonly code: string;
  readonly subject: string;
  /** Position of its subnet; -1: it is about no single one. */
  readonly subnet: number;
  readonly message: string;
  readonly remedy: string;
}

/** What happened to one subnet between the first frame and the latest. */
export interface PageChange {
  readonly subnet: number;
  readonly change: string;
  readonly lines: readonly string[];
}

export interface PageData {
  readonly frames: readonly PageFrame[];
  readonly classes: readonly string[];
  readonly clusters: readonly string[];
  /** Worst first. */
  readonly subnets: readonly PageSubnet[];
  readonly rooms: readonly PageRoom[];
  readonly zones: readonly PageRoom[];
  readonly findings: readonly PageFinding[];
  readonly changes: readonly PageChange[];
  /** The command that tells more of a subnet, less the subnet. */
  readonly explain: readonly [before: string, after: string];
  /** Why the page does not say who holds an address, where it does not; and what leads over to the command. */
  readonly noHolders: readonly [why: string, lead: string];
}

/** Ids of the data blocks in the page. */
export const BLOCK_IDS = { data: 'data', cells: 'cells', holders: 'holders' } as const;

/** Packed texts by subnet position: who holds which address, and the ids of interfaces and instances, where the page had room for them. */
export interface PageHolderBlocks {
  readonly holders: readonly (string | null)[];
  readonly ids: readonly (string | null)[];
}
