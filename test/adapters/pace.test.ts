import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { chunks, eachOf, Pace, TokenBucket } from '../../lambdas/adapters/pace.ts';

/** A clock that only waiting moves. */
function handClock() {
  let now = 0;
  const waited: number[] = [];
  return {
    waited,
    options: {
      clock: () => now,
      wait: async (milliseconds: number) => {
        waited.push(milliseconds);
        now = Math.max(now, now + milliseconds);
      },
    },
  };
}

/** A promise, and what settles it. */
function gate() {
  let open: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

describe('the token bucket', () => {
  test('lends as many as it holds at once, then one for each interval', () => {
    const bucket = new TokenBucket(2, 10, 0);
    expect([bucket.take(0), bucket.take(0), bucket.take(0), bucket.take(0)]).toEqual([0, 0, 100, 200]);
    // Two were lent ahead: a second later eight have come back, of which it holds two.
    expect([bucket.take(1000), bucket.take(1000), bucket.take(1000)]).toEqual([0, 0, 100]);
  });

  test('never lets more through than the size and the refill allow, whenever it is asked', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 50 }), gaps, (size, refill, waits) => {
        const bucket = new TokenBucket(size, refill, 0);
        let now = 0;
        const used = waits.map((gap) => {
          now += gap;
          return now + bucket.take(now);
        });
        // In any window that ends with a use: at most the bucket and what flowed in meanwhile.
        for (const [last, end] of used.entries()) {
          for (let first = 0; first <= last; first++) {
            const start = used[first] as number;
            expect(last - first + 1).toBeLessThanOrEqual(size + ((end - start) * refill) / 1000 + 1 + 1e-6);
          }
        }
      }),
    );
  });
});

describe('the pace', () => {
  test('a quarter of the account: 25 calls at once, then five a second', async () => {
    const { waited, options } = handClock();
    const pace = new Pace(options);
    for (let n = 0; n < 27; n++) await pace.run('ec2:DescribeSubnets', async () => n);
    expect(waited).toEqual([200, 200]);
  });

  test('each action has a bucket of its own; reservations, which nobody else asks for, have the whole of theirs', async () => {
    const { waited, options } = handClock();
    const pace = new Pace({ ...options, apiShare: 0.01 });
    await pace.run('ec2:DescribeSubnets', async () => undefined);
    await pace.run('ec2:DescribeVpcs', async () => undefined);
    for (let n = 0; n < 100; n++) await pace.run('ec2:GetSubnetCidrReservations', async () => undefined);
    expect(waited).toEqual([]);
    await pace.run('ec2:DescribeSubnets', async () => undefined);
    expect(waited).toEqual([5000]);
  });

  test('no more calls in flight than allowed, in order of asking', async () => {
    const pace = new Pace({ inFlight: 2, apiShare: 1 });
    const gates = [gate(), gate(), gate()];
    const started: number[] = [];
    const runs = gates.map(({ passed }, n) =>
      pace.run('ec2:DescribeVpcs', () => {
        started.push(n);
        return passed;
      }),
    );
    await new Promise(setImmediate);
    expect(started).toEqual([0, 1]);
    gates[1]?.open();
    await runs[1];
    await new Promise(setImmediate);
    expect(started).toEqual([0, 1, 2]);
    for (const { open } of gates) open();
    await Promise.all(runs);
  });

  test('a failed call gives its place back', async () => {
    const pace = new Pace({ inFlight: 1 });
    await expect(pace.run('ec2:DescribeVpcs', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(pace.run('ec2:DescribeVpcs', async () => 'yes')).resolves.toBe('yes');
  });

  test('who waits for a token or a place when the reading is stopped makes no call', async () => {
    const stop = new AbortController();
    const pace = new Pace({ inFlight: 1, apiShare: 0.01, signal: stop.signal });
    const first = gate();
    const running = pace.run('ec2:DescribeVpcs', () => first.passed);
    const called: string[] = [];
    const forToken = pace.run('ec2:DescribeVpcs', async () => called.push('token'));
    const forPlace = pace.run('ec2:DescribeSubnets', async () => called.push('place'));
    const ended = Promise.allSettled([forToken, forPlace]);
    await new Promise(setImmediate);
    stop.abort();
    first.open();
    const cancelled = { status: 'rejected', reason: expect.objectContaining({ code: 'CANCELLED' }) };
    expect(await ended).toEqual([cancelled, cancelled]);
    await running;
    expect(called).toEqual([]);
  });
});

describe('eachOf', () => {
  test('works on every item once, with so many workers', async () => {
    let busy = 0;
    let most = 0;
    const done: number[] = [];
    await eachOf([...Array(20).keys()], 3, async (item) => {
      most = Math.max(most, ++busy);
      await new Promise(setImmediate);
      done.push(item);
      busy--;
    });
    expect(most).toBe(3);
    expect(done.sort((a, b) => a - b)).toEqual([...Array(20).keys()]);
  });

  test('stops at the first error, and rejects with it once the others have ended', async () => {
    const started: number[] = [];
    const ended: number[] = [];
    const work = eachOf([0, 1, 2, 3, 4, 5], 2, async (item) => {
      started.push(item);
      if (item === 1) throw new Error('broken');
      await new Promise(setImmediate);
      ended.push(item);
    });
    await expect(work).rejects.toThrow('broken');
    expect(started).toEqual([0, 1]);
    expect(ended).toEqual([0]);
  });
});

test('chunks', () => {
  expect(chunks([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
  expect(chunks([], 2)).toEqual([]);
});
