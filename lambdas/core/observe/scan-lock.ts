/**
 * Who may scan, and which scan answers which change: one lock for the region, since every scan speaks of the whole region (docs/adr/0060).
 *
 * Pure transitions of one item; whoever applies one writes it only where the item is still the one that was read, and else decides again.
 */

/** What a change asks for beyond what every scan does: see changes.ts. */
export type Need = string;

export interface RunningScan {
  readonly id: string;
  /** Epoch milliseconds at which its reads began. */
  readonly began: number;
  /** After this the holder is taken for dead. Longer than the function can run. */
  readonly leaseUntil: number;
}

export interface ScanState {
  readonly running?: RunningScan;
  /** What the running scan, or the next, covers. */
  readonly needs: readonly Need[];
  /** What came too late for the running scan. */
  readonly later: readonly Need[];
  /** A scan that begins at or after this is asked for. */
  readonly dirtyFrom?: number;
  /** The last scan that came to its end. */
  readonly last?: { readonly began: number; readonly covered: readonly Need[] };
  /** Scans begun so far. */
  readonly count: number;
}

export const NO_SCAN_YET: ScanState = { needs: [], later: [], count: 0 };

/** Somebody wants the region measured. */
export interface ScanRequest {
  readonly id: string;
  readonly now: number;
  readonly leaseMs: number;
  /** Of a change: a scan that began at or after this answers it. A tick has none: any scan will do. */
  readonly answeredFrom?: number;
  readonly needs: readonly Need[];
}

export type ScanDecision =
  /** A scan that ran, or runs, answers this; nothing to write. */
  | { readonly kind: 'answered' }
  /** Somebody scans and will go round again. */
  | { readonly kind: 'handed-over'; readonly state: ScanState }
  | { readonly kind: 'begin'; readonly state: ScanState };

export function requestScan(state: ScanState, request: ScanRequest): ScanDecision {
  const { answeredFrom, needs, now } = request;
  // A lock of one's own is that of an attempt that died: Lambda tries a failed run again under the same id.
  const held = state.running !== undefined && state.running.leaseUntil > now && state.running.id !== request.id;
  const running = held ? state.running : undefined;
  if (running === undefined) {
    if (answeredFrom !== undefined && answers(state.last, answeredFrom, needs)) return { kind: 'answered' };
    return { kind: 'begin', state: begun(state, request, union(state.needs, state.later, needs)) };
  }
  if (answeredFrom === undefined) return { kind: 'answered' };
  const covered = isCovered(needs, state.needs);
  if (covered && running.began >= answeredFrom) return { kind: 'answered' };
  // What the running scan does not cover, only one that begins after this moment can.
  const from = covered ? answeredFrom : now;
  return {
    kind: 'handed-over',
    state: { ...state, later: union(state.later, needs), dirtyFrom: Math.max(state.dirtyFrom ?? from, from) },
  };
}

/**
 * Somebody wants the next scan to look at more, and can wait for it: whoever scans does not go round again for this, so that a storm of such wishes costs no
 * more scans than there are ticks. @returns the very same state where all of it is asked for already.
 */
export function askForScan(state: ScanState, needs: readonly Need[]): ScanState {
  const waiting = state.running === undefined ? state.needs : state.later;
  if (isCovered(needs, waiting)) return state;
  const all = union(waiting, needs);
  return state.running === undefined ? { ...state, needs: all } : { ...state, later: all };
}

export type ScanEnd = { readonly kind: 'released' | 'again'; readonly state: ScanState };

/**
 * A scan came to its end.
 *
 * @param mayGoRound - whether there is time for another; without it what is asked for stays for the next tick.
 */
export function finishScan(state: ScanState, request: ScanRequest, mayGoRound: boolean): ScanEnd {
  const { running } = state;
  // Taken over by somebody else: what this scan did is not theirs to answer for.
  if (running === undefined || running.id !== request.id) return { kind: 'released', state };
  const done: ScanState = {
    ...withoutRunning(state),
    needs: state.later,
    later: [],
    last: { began: running.began, covered: state.needs },
  };
  const asked = state.dirtyFrom !== undefined && state.dirtyFrom > running.began;
  if (asked && mayGoRound) return { kind: 'again', state: begun(done, request, done.needs) };
  return { kind: 'released', state: asked ? done : withoutDirt(done) };
}

/** A scan failed: what it was to cover is still to be covered. */
export function abandonScan(state: ScanState, id: string): ScanState {
  if (state.running?.id !== id) return state;
  return { ...withoutRunning(state), needs: union(state.needs, state.later), later: [] };
}

function begun(state: ScanState, { id, now, leaseMs }: ScanRequest, needs: readonly Need[]): ScanState {
  const running = { id, began: now, leaseUntil: now + leaseMs };
  return { ...withoutDirt(state), running, needs, later: [], count: state.count + 1 };
}

function withoutRunning({ running: _, ...rest }: ScanState): ScanState {
  return rest;
}

function withoutDirt({ dirtyFrom: _, ...rest }: ScanState): ScanState {
  return rest;
}

function answers(last: ScanState['last'], from: number, needs: readonly Need[]): boolean {
  return last !== undefined && last.began >= from && isCovered(needs, last.covered);
}

function isCovered(needs: readonly Need[], by: readonly Need[]): boolean {
  return needs.every((need) => by.includes(need));
}

function union(...lists: readonly (readonly Need[])[]): readonly Need[] {
  return [...new Set(lists.flat())].sort();
}
