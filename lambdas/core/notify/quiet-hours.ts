/** When people want to be left alone, by the clock on their wall. */

export interface QuietHours {
  /** `22:00`. */
  readonly from: string;
  /** `07:00`: the first minute that is not quiet. Equal to `from`: no hour is quiet. */
  readonly to: string;
  /** IANA time zone. */
  readonly timeZone: string;
}

const MINUTE_MS = 60_000;
/** A day of 25 hours, as it is when clocks are set back, and one more for the hour that comes twice. */
const LONGEST_MINUTES = 26 * 60;

/**
 * The first minute after `now` that is not quiet; `undefined` where `now` is not quiet itself.
 *
 * It walks the wall clock minute by minute, so an hour that is left out or comes twice needs no rule of its own: an end inside the hour that is left
 * out is the first minute after it, and an hour that comes twice is quiet twice.
 *
 * @param now - epoch milliseconds; the answer too.
 */
export function quietUntil(hours: QuietHours | undefined, now: number): number | undefined {
  if (hours === undefined || hours.from === hours.to) return undefined;
  const wall = wallClock(hours.timeZone);
  const quiet = (at: number) => isWithin(wall(at), hours);
  if (!quiet(now)) return undefined;
  let at = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  for (let minute = 0; minute < LONGEST_MINUTES; minute++) {
    at += MINUTE_MS;
    if (!quiet(at)) return at;
  }
  return at;
}

/** Times as `HH:MM` sort as text. */
function isWithin(time: string, { from, to }: QuietHours): boolean {
  return from < to ? time >= from && time < to : time >= from || time < to;
}

function wallClock(timeZone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  return (at) => format.format(at);
}
