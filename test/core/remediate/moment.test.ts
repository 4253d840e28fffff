import { describe, expect, test } from '@jest/globals';
import { isApprover } from '../../../lambdas/core/remediate/approvers.ts';
import { needsRoom } from '../../../lambdas/core/remediate/need.ts';
import { cooldownHold, limitHold, stopHold, windowHold } from '../../../lambdas/core/remediate/run-guards.ts';

const MONDAY_NOON = Date.UTC(2026, 10, 30, 12);

describe('limits', () => {
  test.each([
    [{ perRun: 0, perDay: 4 }, 0, [], 'limit-per-run'],
    [{ perRun: 1, perDay: 0 }, 0, [], 'limit-per-day'],
    [{ perRun: 1, perDay: 4 }, 0, [], undefined],
    [{ perRun: 1, perDay: 4 }, 1, [], 'limit-per-run'],
    [{ perRun: 9, perDay: 2 }, 0, ['plan-1'], undefined],
    [{ perRun: 9, perDay: 2 }, 0, ['plan-1', 'plan-2'], 'limit-per-day'],
    // A plan that was begun today goes on, whatever the limits say by now.
    [{ perRun: 0, perDay: 0 }, 0, ['plan-x'], undefined],
  ])('%j with %i of the run and %j of the day: %s', (limits, thisRun, today, hold) => {
    expect(limitHold(limits, { thisRun, today }, 'plan-x')?.guard).toBe(hold);
  });
});

test('the cooldown ends on the second, and never holds the plan that began it', () => {
  const last = { planId: 'plan-1', at: MONDAY_NOON };
  expect(cooldownHold(last, 1800, 'plan-2', MONDAY_NOON + 1_799_999)?.guard).toBe('cooldown');
  expect(cooldownHold(last, 1800, 'plan-2', MONDAY_NOON + 1_800_000)).toBeUndefined();
  expect(cooldownHold(last, 1800, 'plan-1', MONDAY_NOON)).toBeUndefined();
  expect(cooldownHold(undefined, 1800, 'plan-2', MONDAY_NOON)).toBeUndefined();
});

test.each([
  [undefined, false],
  ['', false],
  ['false', false],
  [' OFF ', false],
  ['stop', true],
  ['true', true],
  ['STOPP', true],
  ['1', true],
])('the stop parameter %j stops: %s', (value, stops) => {
  expect(stopHold(value, '/headroom/stop') !== undefined).toBe(stops);
});

describe('windows', () => {
  const window = (from: string, to: string, days: ('sun' | 'mon' | 'tue')[], timeZone = 'UTC') => [
    { from, to, days, timeZone },
  ];
  const open = (windows: Parameters<typeof windowHold>[0], at: number) => windowHold(windows, at) === undefined;
  const clock = (day: number, hours: number, minutes = 0) => Date.UTC(2026, 10, day, hours, minutes);

  test('none means any time', () => expect(open([], MONDAY_NOON)).toBe(true));
  test.each([
    [11, 59, false],
    [12, 0, true],
    [12, 59, true],
    [13, 0, false],
  ])('from 12:00 to 13:00, at %i:%i: %s', (hours, minutes, wanted) => {
    expect(open(window('12:00', '13:00', ['mon']), clock(30, hours, minutes))).toBe(wanted);
  });
  test('on its days only', () => expect(open(window('12:00', '13:00', ['tue']), MONDAY_NOON)).toBe(false));
  test('over midnight it belongs to the day it began', () => {
    const night = window('22:00', '02:00', ['sun']);
    expect(open(night, clock(29, 23))).toBe(true);
    expect(open(night, clock(30, 1))).toBe(true);
    expect(open(night, clock(30, 23))).toBe(false);
    expect(open(night, clock(29, 1))).toBe(false);
  });
  test('by the clock of its zone', () => {
    // Noon in UTC is 13:00 in Berlin in winter.
    expect(open(window('13:00', '14:00', ['mon'], 'Europe/Berlin'), MONDAY_NOON)).toBe(true);
    expect(open(window('12:00', '13:00', ['mon'], 'Europe/Berlin'), MONDAY_NOON)).toBe(false);
  });
});

describe('a need', () => {
  test.each([
    [2, false, true],
    [3, false, false],
    [4, true, true],
    [5, true, false],
  ])('%i nodes where fewer than 3 are a need, open before: %s -> %s', (nodes, open, wanted) => {
    expect(needsRoom(nodes, 3, open)).toBe(wanted);
  });
});

describe('an approver', () => {
  const role = 'arn:aws:iam::111122223333:role/team/on-call';
  test.each([
    [role, 'arn:aws:sts::111122223333:assumed-role/on-call/alice', true],
    [role, 'arn:aws:sts::444455556666:assumed-role/on-call/alice', false],
    [role, 'arn:aws-cn:sts::111122223333:assumed-role/on-call/alice', false],
    [role, 'arn:aws:sts::111122223333:assumed-role/on-call-reader/alice', false],
    [role, 'arn:aws:sts::111122223333:assumed-role/team/on-call', false],
    ['arn:aws:sts::111122223333:assumed-role/on-call/*', 'arn:aws:sts::111122223333:assumed-role/on-call/bob', true],
    [
      'arn:aws:sts::111122223333:assumed-role/on-call/alice',
      'arn:aws:sts::111122223333:assumed-role/on-call/bob',
      false,
    ],
    ['arn:aws:iam::111122223333:user/alice', 'arn:aws:iam::111122223333:user/alice', true],
    ['arn:aws:iam::111122223333:user/alice', 'arn:aws:iam::111122223333:user/alicea', false],
    ['arn:aws:iam::111122223333:user/alice', '', false],
  ])('%s, called by %s: %s', (approver, caller, wanted) => {
    expect(isApprover([approver], caller)).toBe(wanted);
  });
});
