/** Keeps the alarms in step with the clusters and zones that exist, slowly enough for CloudWatch, and never on the word of a read that failed. */
import type { Config } from '../../contract/config.ts';
import type { CapacityReport } from '../../core/assess/report.ts';
import { type Absence, planAlarms } from '../../core/publish/alarm-changes.ts';
import { type AlarmTopics, type WantedAlarms, wantedAlarms } from '../../core/publish/alarm-specs.ts';
import type { Measured } from '../../core/publish/measured.ts';
import type { ObserveWorld } from '../../ports/observing.ts';
import { forEach, itemsOf, valuesOf } from './items.ts';

/** PutMetricAlarm takes three a second for the whole account and region (CloudWatch service quotas); two leave room for others. */
const BETWEEN_CHANGES_MS = 500;
/** Kept back for what comes after the alarms. */
const RESERVE_MS = 20_000;

export interface TopicArns {
  readonly critical: string;
  readonly warning: string;
}

export function alarmsFor(report: CapacityReport, config: Config, topics: TopicArns): WantedAlarms {
  return wantedAlarms(report.clusters, {
    topics: topicsOf(config, topics),
    periodSeconds: config.schedule.tick,
    budget: config.metrics.alarmBudget,
  });
}

function topicsOf({ clusters }: Config, topics: TopicArns): AlarmTopics {
  const own = Object.entries(clusters).map(
    ([name, { criticalTopicArn, warningTopicArn }]) =>
      [
        name,
        {
          ...(criticalTopicArn === undefined ? {} : { critical: criticalTopicArn }),
          ...(warningTopicArn === undefined ? {} : { warning: warningTopicArn }),
        },
      ] as const,
  );
  return { ...topics, clusters: new Map(own) };
}

/** @returns errors of the changes that failed; the others are made all the same. */
export async function publishAlarms(
  world: ObserveWorld,
  { specs }: WantedAlarms,
  input: { readonly measured: Measured; readonly report: CapacityReport; readonly config: Config },
): Promise<readonly unknown[]> {
  const { measured, report, config } = input;
  const [existing, items] = await Promise.all([world.alarms.list(), itemsOf<Absence>(world.state, 'alarm')]);
  const wanted = new Set(specs.map(({ name }) => name));
  const gone = measured.complete
    ? await goneSubjects(
        world,
        existing.map(({ spec }) => spec.name).filter((name) => !wanted.has(name)),
        new Set(report.clusters.map(({ cluster }) => cluster)),
        config.scope.clusters,
      )
    : new Set<string>();
  const plan = planAlarms({
    wanted: specs,
    existing,
    absences: valuesOf(items),
    complete: measured.complete,
    confirmedGone: (name) => gone.has(name),
  });
  const errors: unknown[] = [];
  for (const [at, change] of plan.changes.entries()) {
    if (world.clock.remaining() < RESERVE_MS) {
      world.log('warn', 'publish', 'alarms left for the next scan', { left: plan.changes.length - at });
      break;
    }
    if (at > 0) await world.clock.wait(BETWEEN_CHANGES_MS);
    try {
      await world.alarms.change(change);
    } catch (error) {
      errors.push(error);
    }
  }
  const remembered = await forEach([...plan.absent], async ([name, absence]) => {
    await world.state.put('alarm', name, absence, { expected: items.get(name)?.version });
  });
  const forgotten = await forEach(plan.back, async (name) => {
    const version = items.get(name)?.version;
    if (version !== undefined) await world.state.remove('alarm', name, version);
  });
  if (plan.changes.length > 0) {
    world.log('info', 'publish', 'alarms', {
      changes: plan.changes.map((change) => `${change.kind} ${change.kind === 'put' ? change.spec.name : change.name}`),
    });
  }
  return [...errors, ...remembered, ...forgotten];
}

/** Alarm names are `headroom/<cluster or @VPC>/<zone id>/<level>`. */
function ownerOf(name: string): string {
  return name.split('/')[1] ?? '';
}

/**
 * The alarms whose subject is surely gone: its cluster is one that EKS does not have when asked by name, or one that was read to the end and has left the zone, or one
 * that the configuration left out. A composite stands on clusters that were all read.
 */
async function goneSubjects(
  world: ObserveWorld,
  names: readonly string[],
  seen: ReadonlySet<string>,
  scoped: readonly string[],
): Promise<ReadonlySet<string>> {
  const gone = new Set<string>();
  for (const owner of new Set(names.map(ownerOf))) {
    const leftOut = scoped.length > 0 && !scoped.includes(owner);
    if (owner.startsWith('@') || leftOut || seen.has(owner)) {
      gone.add(owner);
      continue;
    }
    try {
      if (!(await world.check.clusterExists(owner))) gone.add(owner);
    } catch (error) {
      world.log('warn', 'publish', 'a cluster could not be asked for; its alarms stay', {
        cluster: owner,
        error: String(error),
      });
    }
  }
  return new Set(names.filter((name) => gone.has(ownerOf(name))));
}
