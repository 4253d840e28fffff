import { describe, expect, jest, test } from '@jest/globals';
import { closestOf } from '../../bin/closest.ts';
import { many, one, time } from '../../bin/options.ts';
import { Progress } from '../../bin/progress.ts';

describe('one value', () => {
  test.each([
    [undefined, undefined],
    ['a', 'a'],
  ])('%j is %j', (given, value) => expect(one('from')(given)).toBe(value));
  test.each([[['a', 'b']], [''], [true]])('%j is an error that names the option', (given) => {
    expect(() => one('from')(given)).toThrow(/--from/);
  });
});

describe('several values', () => {
  test.each([
    [undefined, []],
    ['a', ['a']],
    ['a,b', ['a', 'b']],
    [
      ['a', 'b, c'],
      ['a', 'b', 'c'],
    ],
  ])('%j is %j', (given, values) => expect(many('vpc')(given)).toEqual(values));
  test.each([[''], ['a,'], [['a', ' ']]])('%j is an error', (given) =>
    expect(() => many('vpc')(given)).toThrow(/--vpc/),
  );
});

describe('a time', () => {
  test.each([
    ['2026-11-30', Date.UTC(2026, 10, 30)],
    ['2026-11-30T09:00Z', Date.UTC(2026, 10, 30, 9)],
    ['2026-11-30T09:00:00.500Z', Date.UTC(2026, 10, 30, 9, 0, 0, 500)],
    ['2026-11-30T09:00:00+02:00', Date.UTC(2026, 10, 30, 7)],
  ])('%s', (text, at) => expect(time('now')(text)).toBe(at));
  test.each(['now', '1764493200', '2026-11-30T09:00:00', '2026-13-01', '30.11.2026', '2026-11-30T25:00:00Z'])(
    '%s is none',
    (text) => expect(() => time('now')(text)).toThrow(/--now must be a time like/),
  );
});

describe('the closest of what there is', () => {
  const known = [{ id: 'subnet-0aaa', name: 'pods-a' }, { id: 'subnet-0bbb' }, { id: 'subnet-0ccc', name: 'lb' }];
  test('by id, the likeliest first', () => {
    expect(closestOf('subnet-0bb', known)).toBe('there are subnet-0bbb, subnet-0aaa (pods-a), subnet-0ccc (lb)');
  });
  test('by name', () => expect(closestOf('pods-b', known)).toMatch(/^there are subnet-0aaa \(pods-a\)/));
  test('few are named, the rest counted', () => {
    const many = Array.from({ length: 9 }, (_, i) => ({ id: `subnet-${i}` }));
    expect(closestOf('subnet-7', many)).toMatch(/^there are subnet-7, .* and 4 more$/);
  });
  test('none and one', () => {
    expect(closestOf('x', [])).toBe('there are none');
    expect(closestOf('x', [{ id: 'a' }])).toBe('there is a');
  });
});

describe('progress', () => {
  function told(isTTY: boolean) {
    let now = 0;
    let written = '';
    const stream = {
      isTTY,
      write: (text: string) => {
        written += text;
      },
    };
    const progress = new Progress(stream, () => now);
    const at = (ms: number, text: string) => {
      now = ms;
      progress.say(text);
    };
    return { at, clear: () => progress.clear(), written: () => written };
  }

  test('of a read under a second nothing is said', () => {
    const { at, clear, written } = told(true);
    at(10, 'subnets: 8');
    at(990, 'subnets: 9');
    clear();
    expect(written()).toBe('');
  });

  test('on a terminal one line is redrawn, and taken away at the end', () => {
    const { at, clear, written } = told(true);
    at(1000, 'subnets: 1,000');
    at(1100, 'not yet');
    at(1300, 'subnets: 9');
    clear();
    expect(written()).toBe(
      `\rreading subnets: 1,000 (1 s)\r${'reading subnets: 9 (1 s)'.padEnd(28)}\r${' '.repeat(24)}\r`,
    );
  });

  test('who waits is told so, with what came last, until it is over', () => {
    jest.useFakeTimers();
    try {
      let written = '';
      const progress = new Progress({ write: (text) => (written += text) }, () => performance.now());
      const done = progress.waiting('subnets: no answer yet');
      jest.advanceTimersByTime(5_000);
      expect(written).toBe('reading subnets: no answer yet (1 s)\n');
      progress.say('subnets: 8');
      jest.advanceTimersByTime(10_000);
      done();
      jest.advanceTimersByTime(60_000);
      expect(written).toBe('reading subnets: no answer yet (1 s)\nreading subnets: 8 (11 s)\n');
    } finally {
      jest.useRealTimers();
    }
  });

  test('in a log there is a line now and then', () => {
    const { at, clear, written } = told(false);
    for (let ms = 0; ms <= 12_000; ms += 500) at(ms, `page ${ms}`);
    clear();
    expect(written()).toBe('reading page 1000 (1 s)\nreading page 11000 (11 s)\n');
  });
});
