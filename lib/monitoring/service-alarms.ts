/** Alarms of the service itself. Those of clusters and zones are made at run time, by observe. */
import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { Config } from '../../lambdas/contract/config.ts';
import { type FunctionName, runbookAnchor, SERVICE_ALARMS } from '../../lambdas/contract/names.ts';
import type { HeadroomFunction } from '../function/headroom-function.ts';
import type { WorkQueue } from '../function/work-queue.ts';
import { serviceMetric } from './metrics.ts';

/** Reads may be late by one whole read before it is worth a page: half of them are older than the limit when it strikes. */
const SNAPSHOT_AGE_FACTOR = 2;

export interface WatchedFunction {
  readonly name: FunctionName;
  readonly function: HeadroomFunction;
  /** Absent for a function that people call. */
  readonly work?: WorkQueue;
}

export interface ServiceAlarmsProps {
  readonly config: Config;
  readonly observeTimeoutSeconds: number;
  readonly critical: ITopic;
  readonly warning: ITopic;
  readonly functions: readonly WatchedFunction[];
}

interface AlarmSpec {
  readonly id: string;
  readonly name: string;
  readonly metric: cloudwatch.IMetric;
  /** In alarm above this. */
  readonly above: number;
  readonly of: readonly [datapoints: number, periods: number];
  readonly missing: cloudwatch.TreatMissingData;
  readonly topic: ITopic;
  readonly meaning: string;
}

export class ServiceAlarms extends Construct {
  readonly alarms: readonly cloudwatch.Alarm[];

  constructor(scope: Construct, id: string, props: ServiceAlarmsProps) {
    super(scope, id);
    const specs = [...measurement(props), ...props.functions.flatMap((watched) => functionAlarms(watched, props))];
    this.alarms = specs.map((spec) => this.make(spec));
  }

  private make(spec: AlarmSpec): cloudwatch.Alarm {
    const alarm = new cloudwatch.Alarm(this, spec.id, {
      alarmName: spec.name,
      alarmDescription: `${spec.meaning} What to do: ${runbookAnchor(spec.name)}`,
      metric: spec.metric,
      threshold: spec.above,
      comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_THRESHOLD,
      datapointsToAlarm: spec.of[0],
      evaluationPeriods: spec.of[1],
      treatMissingData: spec.missing,
    });
    alarm.addAlarmAction(new SnsAction(spec.topic));
    alarm.addOkAction(new SnsAction(spec.topic));
    return alarm;
  }
}

/** Is it measured at all, is it fresh, is it whole? */
function measurement({ config, observeTimeoutSeconds, critical, warning }: ServiceAlarmsProps): readonly AlarmSpec[] {
  const period = Duration.seconds(config.schedule.tick);
  const longest = config.schedule.fullReadAtMost * SNAPSHOT_AGE_FACTOR;
  return [
    {
      id: 'Heartbeat',
      name: SERVICE_ALARMS.heartbeat,
      // No scan can take longer than the function may run: only missing data raises this.
      metric: serviceMetric('scanSeconds', period),
      above: observeTimeoutSeconds,
      of: [3, 3],
      missing: cloudwatch.TreatMissingData.BREACHING,
      topic: critical,
      meaning:
        'Headroom has not finished a scan for three ticks: nothing is being measured, and no alarm of a cluster can be trusted.',
    },
    {
      id: 'SnapshotAge',
      name: SERVICE_ALARMS.snapshotAge,
      metric: serviceMetric('snapshotAgeSeconds', period),
      above: longest,
      of: [3, 3],
      // Without data the heartbeat pages; this one keeps what it last knew.
      missing: cloudwatch.TreatMissingData.IGNORE,
      topic: critical,
      meaning: `Numbers rest on reads that are older than ${longest} seconds: scans run, and reads fail or are throttled.`,
    },
    {
      id: 'FailedSubnets',
      name: SERVICE_ALARMS.failedSubnets,
      metric: serviceMetric('failedSubnets', period),
      above: 0,
      of: [3, 3],
      missing: cloudwatch.TreatMissingData.IGNORE,
      topic: warning,
      meaning: 'Some subnets could not be measured in three scans in a row.',
    },
  ];
}

function functionAlarms(
  { name, function: { function: fn }, work }: WatchedFunction,
  props: ServiceAlarmsProps,
): readonly AlarmSpec[] {
  const period = Duration.minutes(1);
  // Lambda and SQS send nothing where nothing happened, so missing is fine.
  const missing = cloudwatch.TreatMissingData.NOT_BREACHING;
  const id = `${name[0]!.toUpperCase()}${name.slice(1)}`;
  const deadLetters = work === undefined ? [] : [deadLetterAlarm(name, id, work, props)];
  return [
    ...deadLetters,
    {
      id: `${id}Errors`,
      name: SERVICE_ALARMS.errors(name),
      metric: fn.metricErrors({ period, statistic: cloudwatch.Stats.SUM }),
      above: 0,
      of: [3, 5],
      missing,
      topic: props.warning,
      meaning: `Runs of ${name} fail in three of five minutes.`,
    },
    {
      id: `${id}Throttles`,
      name: SERVICE_ALARMS.throttles(name),
      metric: fn.metricThrottles({ period, statistic: cloudwatch.Stats.SUM }),
      above: 0,
      of: [3, 5],
      missing,
      topic: props.warning,
      meaning: `Lambda has no room to run ${name}: the account’s concurrency is used up.`,
    },
  ];
}

function deadLetterAlarm(name: FunctionName, id: string, work: WorkQueue, props: ServiceAlarmsProps): AlarmSpec {
  const period = Duration.minutes(1);
  const missing = cloudwatch.TreatMissingData.NOT_BREACHING;
  return {
    id: `${id}DeadLetters`,
    name: SERVICE_ALARMS.deadLetters(name),
    metric: work.deadLetters.metricApproximateNumberOfMessagesVisible({
      period,
      statistic: cloudwatch.Stats.MAXIMUM,
    }),
    above: 0,
    of: [1, 1],
    missing,
    topic: props.critical,
    meaning: `Work of ${name} failed for good and waits in its dead-letter queue.`,
  };
}
