import type { Log } from '../../ports/observing.ts';

/** One JSON line for each entry, as CloudWatch Logs takes them apart by itself. @param write - takes the line. */
export function jsonLog(write: (line: string) => void, fields: object): Log {
  return (level, stage, message, more) => {
    write(JSON.stringify({ level, stage, message, ...fields, ...more }));
  };
}
