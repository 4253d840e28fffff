/** One finding, seen by scans and by failed requests alike. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Finding, Severity } from '../../../lambdas/contract/finding.ts';
import {
  EVENTS_QUIET_MS,
  type FindingState,
  moveFindings,
  paid,
  type ScanOfFindings,
} from '../../../lambdas/core/publish/finding-state.ts';
import { type EventSighting, MOST_REMEMBERED, reactTo } from '../../../lambdas/core/react/reaction.ts';

const T0 = Date.parse('2026-11-30T10:00:00Z');
const MINUTE = 60_000;
const ID = 'PREFIX_EXHAUSTED/subnet-0000000000000000a';

function finding(severity: Severity, message = 'said'): Finding {
  return {
    id: ID,
    code: 'PREFIX_EXHAUSTED',
    severity,
    subnetId: 'subnet-0000000000000000a',
    observed: 0,
    message,
    evidence: {},
  };
}

function sighting(eventIds: readonly string[], change: Partial<EventSighting> = {}): EventSighting {
  return { finding: finding('critical', 'refused'), eventIds, firstTime: T0, lastTime: T0, ...change };
}

const moment = { now: T0 + 5000, scans: 7 };

function scan(at: number, number: number, findings: readonly Finding[]): ScanOfFindings {
  return { at, number, first: false, previousAt: at - MINUTE, findings, measured: () => true, readAt: () => at };
}

function open(before: FindingState | undefined, one: EventSighting): FindingState {
  const after = reactTo(before, one, moment);
  if (after === undefined) throw new Error('nothing changed');
  return paid(after) as FindingState;
}

describe('failed requests', () => {
  test('raise a finding with its count, first and last time', () => {
    const state = reactTo(undefined, sighting(['a', 'b'], { lastTime: T0 + 1000 }), moment);
    expect(state).toMatchObject({
      status: 'open',
      origin: 'react',
      count: 2,
      firstSeen: T0,
      lastSeen: T0 + 1000,
      changes: 1,
      owed: { id: `${ID}@2026-11-30T10:00:00.000Z#1`, type: 'Subnet Finding Raised', firstScan: false },
      finding: { evidence: { count: 2, firstTime: '2026-11-30T10:00:00.000Z', lastTime: '2026-11-30T10:00:01.000Z' } },
    });
  });

  test('that go on are counted and not told again', () => {
    const first = open(undefined, sighting(['a']));
    const second = reactTo(first, sighting(['b', 'c'], { firstTime: T0 + MINUTE, lastTime: T0 + 2 * MINUTE }), moment);
    expect(second).toMatchObject({ count: 3, changes: 1, firstSeen: T0, lastSeen: T0 + 2 * MINUTE });
    expect(second?.owed).toBeUndefined();
  });

  test('that came before change nothing', () => {
    const first = open(undefined, sighting(['a', 'b']));
    expect(reactTo(first, sighting(['b', 'a']), moment)).toBeUndefined();
    expect(reactTo(first, sighting(['b', 'c']), moment)?.count).toBe(3);
  });

  test('make a finding of a scan worse, once, and keep what the scan measured', () => {
    const [, scanned] = [...moveFindings(new Map(), scan(T0, 7, [finding('warning', 'measured')]))][0] ?? [];
    const known = paid(scanned as FindingState) as FindingState;
    const worse = reactTo(known, sighting(['a']), moment);
    expect(worse).toMatchObject({
      changes: 2,
      finding: { severity: 'critical', message: 'measured', evidence: { count: 1 } },
    });
    expect(worse?.owed).toBeDefined();
    expect(reactTo(paid(worse as FindingState), sighting(['b']), moment)?.owed).toBeUndefined();
  });

  test('never make a finding less bad', () => {
    const state = open(undefined, sighting(['a']));
    const milder = reactTo(state, sighting(['b'], { finding: finding('warning') }), moment);
    expect(milder).toMatchObject({ finding: { severity: 'critical' } });
    expect(milder?.owed).toBeUndefined();
  });

  test('after it was cleared raise it anew, unless they are repeats', () => {
    const cleared: FindingState = { ...open(undefined, sighting(['a'])), status: 'cleared' };
    expect(reactTo(cleared, sighting(['a']), moment)).toBeUndefined();
    const anew = reactTo(cleared, sighting(['b'], { firstTime: T0 + 5 * MINUTE, lastTime: T0 + 5 * MINUTE }), moment);
    expect(anew).toMatchObject({ status: 'open', count: 1, owed: { id: `${ID}@2026-11-30T10:05:00.000Z#1` } });
  });

  test('in any split, order and repetition count each event once', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 8 }), {
          minLength: 1,
          maxLength: 10,
        }),
        (batches) => {
          let state: FindingState | undefined;
          for (const batch of batches) {
            const after = reactTo(state, sighting(batch.map((n) => `event-${n}`)), moment);
            if (after !== undefined) state = paid(after);
          }
          expect(state?.count).toBe(new Set(batches.flat()).size);
          expect(state?.changes).toBe(1);
        },
      ),
    );
  });

  test('are remembered up to a bound', () => {
    const ids = Array.from({ length: MOST_REMEMBERED + 100 }, (_, i) => `event-${i}`);
    expect(open(undefined, sighting(ids)).reaction?.seen).toHaveLength(MOST_REMEMBERED);
  });
});

describe('a scan', () => {
  const known = (state: FindingState) => new Map([[ID, state]]);

  test('that finds less does not unsay what requests prove, while they go on', () => {
    const state = open(undefined, sighting(['a']));
    const moves = moveFindings(known(state), scan(T0 + MINUTE, 8, [finding('warning', 'measured')]));
    expect(moves.get(ID)?.finding.severity ?? state.finding.severity).toBe('critical');
    expect(moves.get(ID)?.owed).toBeUndefined();
  });

  test('says so once they have stopped', () => {
    const state = open(undefined, sighting(['a']));
    const moves = moveFindings(known(state), scan(T0 + EVENTS_QUIET_MS, 18, [finding('warning', 'measured')]));
    expect(moves.get(ID)).toMatchObject({ finding: { severity: 'warning' }, owed: { type: 'Subnet Finding Raised' } });
  });

  test('that finds nothing clears it once they have stopped, on the second look', () => {
    let state = open(undefined, sighting(['a']));
    expect(moveFindings(known(state), scan(T0 + EVENTS_QUIET_MS - 1, 17, [])).size).toBe(0);
    state = moveFindings(known(state), scan(T0 + EVENTS_QUIET_MS, 18, [])).get(ID) as FindingState;
    expect(state).toMatchObject({ status: 'open', missed: 1 });
    state = moveFindings(known(state), scan(T0 + EVENTS_QUIET_MS + MINUTE, 19, [])).get(ID) as FindingState;
    expect(state).toMatchObject({ status: 'cleared', owed: { type: 'Subnet Finding Cleared' } });
  });

  test('that did not measure the subnet leaves it as it is', () => {
    const state = open(undefined, sighting(['a']));
    const blind = { ...scan(T0 + 2 * EVENTS_QUIET_MS, 30, []), measured: () => false };
    expect(moveFindings(known(state), blind).size).toBe(0);
  });
});
