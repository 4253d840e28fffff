import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  abandonScan,
  finishScan,
  NO_SCAN_YET,
  requestScan,
  type ScanRequest,
  type ScanState,
} from '../../../lambdas/core/observe/scan-lock.ts';

const LEASE = 210_000;
const ask = (id: string, now: number, more: Partial<ScanRequest> = {}): ScanRequest => ({
  id,
  now,
  leaseMs: LEASE,
  needs: [],
  ...more,
});

function begun(state: ScanState, request: ScanRequest): ScanState {
  const decision = requestScan(state, request);
  if (decision.kind !== 'begin') throw new Error(decision.kind);
  return decision.state;
}

describe('a change', () => {
  test('that a running scan began too early for makes it go round again', () => {
    const running = begun(NO_SCAN_YET, ask('a', 100));
    const decision = requestScan(running, ask('b', 150, { answeredFrom: 140 }));
    if (decision.kind !== 'handed-over') throw new Error(decision.kind);
    const end = finishScan(decision.state, ask('a', 200), true);
    expect(end.kind).toBe('again');
    expect(end.state.running?.began).toBe(200);
    expect(finishScan(end.state, ask('a', 300), true).kind).toBe('released');
  });

  test('that the running scan answers leaves no mark', () => {
    const running = begun(NO_SCAN_YET, ask('a', 100));
    expect(requestScan(running, ask('b', 150, { answeredFrom: 100 })).kind).toBe('answered');
  });

  test('whose needs the running scan does not cover gets a scan that does, whenever it was', () => {
    const running = begun(NO_SCAN_YET, ask('a', 100));
    const decision = requestScan(running, ask('b', 150, { answeredFrom: 50, needs: ['clusters'] }));
    if (decision.kind !== 'handed-over') throw new Error(decision.kind);
    const end = finishScan(decision.state, ask('a', 200), true);
    expect(end).toMatchObject({ kind: 'again', state: { needs: ['clusters'], later: [] } });
  });
});

test('the same id again is an attempt after one that died: it does not wait for its own lease', () => {
  const running = begun(NO_SCAN_YET, ask('a', 100, { needs: ['clusters'], answeredFrom: 90 }));
  expect(requestScan(running, ask('a', 200))).toMatchObject({ kind: 'begin', state: { needs: ['clusters'] } });
  expect(requestScan(running, ask('b', 200)).kind).toBe('answered');
});

test('one that was taken over writes nothing of its own when it ends', () => {
  const dead = begun(NO_SCAN_YET, ask('a', 100));
  const taken = begun(dead, ask('b', 100 + LEASE));
  expect(finishScan(taken, ask('a', 400_000), true)).toEqual({ kind: 'released', state: taken });
  expect(abandonScan(taken, 'a')).toBe(taken);
});

type Step =
  | { readonly kind: 'change'; readonly needs: readonly string[] }
  | { readonly kind: 'tick' | 'finish' | 'fail' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('change' as const), needs: fc.subarray(['x', 'y', 'z']) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'tick' as const }) },
  { weight: 3, arbitrary: fc.constant({ kind: 'finish' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'fail' as const }) },
);

test('no change is lost: once all is quiet and a tick has come, a scan that began after it and covered it came to its end', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let state = NO_SCAN_YET;
      let now = 1_000;
      let holder: string | undefined;
      let id = 0;
      const changes: { readonly at: number; readonly needs: readonly string[] }[] = [];
      const done: { readonly began: number; readonly covered: readonly string[] }[] = [];
      const begin = (request: ScanRequest) => {
        const decision = requestScan(state, request);
        if (decision.kind !== 'answered') state = decision.state;
        if (decision.kind === 'begin') holder = request.id;
      };
      const finish = () => {
        if (holder === undefined || state.running === undefined) return;
        done.push({ began: state.running.began, covered: state.needs });
        const end = finishScan(state, ask(holder, now), true);
        state = end.state;
        if (end.kind === 'released') holder = undefined;
      };
      for (const one of steps) {
        now += 10;
        if (one.kind === 'change') {
          changes.push({ at: now, needs: one.needs });
          begin(ask(`r${++id}`, now, { answeredFrom: now - 5, needs: one.needs }));
        } else if (one.kind === 'tick') begin(ask(`r${++id}`, now));
        else if (one.kind === 'finish') finish();
        else if (holder !== undefined) {
          // Its own change is delivered again by the queue; the marks of others must survive.
          state = abandonScan(state, holder);
          holder = undefined;
        }
      }
      for (let round = 0; round < 4; round++) {
        now += 10;
        begin(ask(`r${++id}`, now));
        now += 10;
        finish();
      }
      for (const { at, needs } of changes) {
        const answers = done.some(({ began }) => began >= at - 5);
        expect(answers).toBe(true);
        for (const need of needs)
          expect(done.some(({ began, covered }) => began >= at - 5 && covered.includes(need))).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});

test('a burst costs at most two scans, however its messages fall', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 200 }),
      fc.integer({ min: 1, max: 60 }),
      (offsets, lasts) => {
        const arrivals = [...offsets].sort((a, b) => a - b).map((offset) => 1_000 + offset);
        // All happened at once, the settle time before the first arrived.
        let state = NO_SCAN_YET;
        let scans = 0;
        let endsAt = Number.POSITIVE_INFINITY;
        const finishUntil = (now: number) => {
          while (endsAt <= now) {
            const end = finishScan(state, ask('holder', endsAt), true);
            state = end.state;
            if (end.kind === 'again') scans++;
            endsAt = end.kind === 'again' ? endsAt + lasts : Number.POSITIVE_INFINITY;
          }
        };
        for (const at of arrivals) {
          finishUntil(at);
          const decision = requestScan(state, ask('holder2', at, { answeredFrom: 1_000 }));
          if (decision.kind === 'answered') continue;
          if (decision.kind === 'begin') {
            state = begun(state, ask('holder', at, { answeredFrom: 1_000 }));
            scans++;
            endsAt = at + lasts;
          } else state = decision.state;
        }
        finishUntil(Number.MAX_SAFE_INTEGER);
        expect(scans).toBeLessThanOrEqual(2);
      },
    ),
  );
});
