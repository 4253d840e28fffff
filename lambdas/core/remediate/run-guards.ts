/** Guards that depend on the moment and not on the network: limits, cooldown, windows, the stop parameter. Pure functions of what is remembered. */
import type { Config } from '../../contract/config.ts';

/** Why a plan waits; `undefined` from each guard means go. */
export interface Hold {
  readonly guard: 'stopped' | 'limit-per-run' | 'limit-per-day' | 'cooldown' | 'window';
  readonly detail: string;
}

/** What has been done so far. */
export interface Done {
  /** Actions begun in this run. */
  readonly thisRun: number;
  /** Plans begun today (UTC); a plan that is gone on with is in it already and costs nothing more. */
  readonly today: readonly string[];
}

type Limits = Config['remediation']['limits'];
type Window = Config['remediation']['windows'][number];

/** Whether one more action may begin. 0 means zero: a limit is compared, never asked for its truth. */
export function limitHold(limits: Limits, done: Done, planId: string): Hold | undefined {
  if (done.today.includes(planId)) return undefined;
  if (done.thisRun >= limits.perRun) {
    return { guard: 'limit-per-run', detail: `${done.thisRun} of ${limits.perRun} actions of this run are done` };
  }
  if (done.today.length >= limits.perDay) {
    return {
      guard: 'limit-per-day',
      detail: `${done.today.length} of ${limits.perDay} actions of today (UTC) are done`,
    };
  }
  return undefined;
}

/** The last action on a subject, and the plan that made it. */
export interface LastAction {
  readonly planId: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** A plan that was begun is gone on with whatever the cooldown: it is the same action. */
export function cooldownHold(
  last: LastAction | undefined,
  cooldownSeconds: number,
  planId: string,
  now: number,
): Hold | undefined {
  if (last === undefined || last.planId === planId) return undefined;
  const until = last.at + cooldownSeconds * 1000;
  return now >= until
    ? undefined
    : { guard: 'cooldown', detail: `${last.planId} acted here; nothing more before ${new Date(until).toISOString()}` };
}

/** Any value but these stops: a parameter that somebody set in a hurry must not fail to stop for its spelling. */
const GO: ReadonlySet<string> = new Set(['', 'false', 'off', 'no', '0', 'go', 'none']);

/** @param value of the stop parameter; `undefined` where there is none. */
export function stopHold(value: string | undefined, name: string): Hold | undefined {
  if (value === undefined || GO.has(value.trim().toLowerCase())) return undefined;
  return { guard: 'stopped', detail: `${name} says ${value.trim().slice(0, 60)}` };
}

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

/** Windows hold for what nobody approved; none at all means any time. */
export function windowHold(windows: readonly Window[], now: number): Hold | undefined {
  if (windows.length === 0 || windows.some((window) => isOpen(window, now))) return undefined;
  return { guard: 'window', detail: `outside of every window at ${new Date(now).toISOString()}` };
}

/** From `from` up to, and not including, `to`, by the clock of the zone. One that ends before it begins goes over midnight and belongs to the day it began. */
function isOpen({ days, from, to, timeZone }: Window, now: number): boolean {
  const { day, time } = localTime(now, timeZone);
  const listed = (of: number) => days.includes(DAYS[(of + 7) % 7] as (typeof DAYS)[number]);
  if (from < to) return listed(day) && time >= from && time < to;
  return (listed(day) && time >= from) || (listed(day - 1) && time < to);
}

function localTime(now: number, timeZone: string): { readonly day: number; readonly time: string } {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(now);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  return {
    day: DAYS.indexOf(part('weekday').toLowerCase().slice(0, 3) as (typeof DAYS)[number]),
    time: `${part('hour')}:${part('minute')}`,
  };
}
