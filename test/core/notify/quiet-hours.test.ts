import { describe, expect, test } from '@jest/globals';
import { type QuietHours, quietUntil } from '../../../lambdas/core/notify/quiet-hours.ts';

const berlin: QuietHours = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' };
const at = (iso: string) => Date.parse(iso);
const until = (hours: QuietHours, iso: string) => {
  const end = quietUntil(hours, at(iso));
  return end === undefined ? undefined : new Date(end).toISOString();
};

describe('quiet hours by the clock on the wall', () => {
  // Berlin is UTC+1 in winter and UTC+2 in summer; 2026-03-29 01:00Z and 2026-10-25 01:00Z are the changes.
  test.each([
    ['before they begin', '2026-11-30T20:59:59Z', undefined],
    ['their first minute', '2026-11-30T21:00:00Z', '2026-12-01T06:00:00.000Z'],
    ['after midnight', '2026-12-01T03:30:30Z', '2026-12-01T06:00:00.000Z'],
    ['their last second', '2026-12-01T05:59:59.999Z', '2026-12-01T06:00:00.000Z'],
    ['the minute they end', '2026-12-01T06:00:00Z', undefined],
    ['the night that is an hour shorter', '2026-03-28T22:00:00Z', '2026-03-29T05:00:00.000Z'],
    ['the night that is an hour longer', '2026-10-24T20:30:00Z', '2026-10-25T06:00:00.000Z'],
    ['in summer', '2026-07-01T20:00:00Z', '2026-07-02T05:00:00.000Z'],
  ])('%s: %s', (_, now, end) => {
    expect(until(berlin, now)).toBe(end);
  });

  test('an end inside the hour that is left out is the first minute after it', () => {
    expect(until({ ...berlin, to: '02:30' }, '2026-03-28T23:00:00Z')).toBe('2026-03-29T01:00:00.000Z');
  });

  test('an end inside the hour that comes twice is its first; the same wall time is quiet again afterwards', () => {
    const hours = { ...berlin, to: '02:30' };
    expect(until(hours, '2026-10-24T23:00:00Z')).toBe('2026-10-25T00:30:00.000Z');
    expect(until(hours, '2026-10-25T01:10:00Z')).toBe('2026-10-25T01:30:00.000Z');
  });

  test('within one day, with half an hour of offset', () => {
    const kolkata = { from: '12:00', to: '13:30', timeZone: 'Asia/Kolkata' };
    expect(until(kolkata, '2026-11-30T06:29:00Z')).toBeUndefined();
    expect(until(kolkata, '2026-11-30T06:30:00Z')).toBe('2026-11-30T08:00:00.000Z');
  });

  test('none, or none by their times', () => {
    expect(quietUntil(undefined, 0)).toBeUndefined();
    expect(until({ ...berlin, to: '22:00' }, '2026-11-30T21:00:00Z')).toBeUndefined();
  });
});
