/** From the alarms that there are to those that there should be. */
import { compareText } from '../assess/finding.ts';
import type { AlarmSpec } from './alarm-specs.ts';

/** An alarm of ours as CloudWatch has it: its settings, and its state. */
export interface ExistingAlarm {
  readonly spec: AlarmSpec;
  readonly state: 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';
}

export type AlarmChange =
  | { readonly kind: 'put'; readonly spec: AlarmSpec; readonly because: 'new' | 'changed' }
  /** Tells those who were paged that it is over, before the alarm goes. */
  | { readonly kind: 'recover'; readonly name: string }
  | { readonly kind: 'delete'; readonly name: string };

/** Complete reads in a row that must have missed a cluster's zone before its alarm may go. */
export const READS_BEFORE_REMOVAL = 3;

/** How many complete reads in a row an alarm's subject was missing. */
export interface Absence {
  readonly reads: number;
}

export interface AlarmPlan {
  /** In the order in which they must be made. */
  readonly changes: readonly AlarmChange[];
  /** Absences to write. */
  readonly absent: ReadonlyMap<string, Absence>;
  /** Alarms whose absence is over. */
  readonly back: readonly string[];
}

export interface AlarmFacts {
  readonly wanted: readonly AlarmSpec[];
  readonly existing: readonly ExistingAlarm[];
  readonly absences: ReadonlyMap<string, Absence>;
  /** Whether this scan read clusters and subnets to the end just now: only then does a missing one count. */
  readonly complete: boolean;
  /** Clusters that EKS was asked for by name and does not have; a cluster that still exists may lose a zone all the same. */
  readonly confirmedGone: (alarmName: string) => boolean;
}

/** Pure: nothing changes where nothing differs. */
export function planAlarms({ wanted, existing, absences, complete, confirmedGone }: AlarmFacts): AlarmPlan {
  const present = new Map(existing.map((alarm) => [alarm.spec.name, alarm]));
  const names = new Set(wanted.map(({ name }) => name));
  const puts = wanted.flatMap((spec): readonly AlarmChange[] => {
    const found = present.get(spec.name);
    if (found === undefined) return [{ kind: 'put', spec: unborn(spec), because: 'new' }];
    const now = found.state === 'INSUFFICIENT_DATA' ? unborn(spec) : spec;
    return sameSpec(found.spec, now) ? [] : [{ kind: 'put', spec: now, because: 'changed' }];
  });
  const removals: AlarmChange[] = [];
  const absent = new Map<string, Absence>();
  for (const { spec, state } of [...existing].sort(membersLast)) {
    const { name } = spec;
    if (names.has(name)) continue;
    const before = absences.get(name)?.reads ?? 0;
    const reads = complete ? Math.min(before + 1, READS_BEFORE_REMOVAL) : before;
    if (reads !== before) absent.set(name, { reads });
    if (!complete || reads < READS_BEFORE_REMOVAL || !confirmedGone(name)) continue;
    removals.push(state === 'ALARM' ? { kind: 'recover', name } : { kind: 'delete', name });
  }
  const back = [...absences.keys()].filter((name) => names.has(name) || !present.has(name)).sort(compareText);
  return { changes: [...puts, ...removals], absent, back };
}

/**
 * An alarm that has seen no value yet. Its first turn to OK is no recovery, and CloudWatch would tell it as one: a new deployment would send a message for every cluster
 * and zone. The turn to ALARM is told from the start.
 */
function unborn(spec: AlarmSpec): AlarmSpec {
  return { ...spec, okActions: [] };
}

/** Composite alarms go before the members that they stand on. */
function membersLast(a: ExistingAlarm, b: ExistingAlarm): number {
  const rank = ({ spec }: ExistingAlarm) => (spec.kind === 'composite' ? 0 : 1);
  return rank(a) - rank(b) || compareText(a.spec.name, b.spec.name);
}

function sameSpec(a: AlarmSpec, b: AlarmSpec): boolean {
  return canonical(a) === canonical(b);
}

/** Keys in one order, so that two equal specs are equal text. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, field: unknown) =>
    typeof field === 'object' && field !== null && !Array.isArray(field)
      ? Object.fromEntries(Object.entries(field).sort(([a], [b]) => compareText(a, b)))
      : field,
  );
}
