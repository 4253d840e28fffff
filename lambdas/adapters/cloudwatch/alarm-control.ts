/** The alarms that observe makes, as CloudWatch has them. */
import {
  type CloudWatchClient,
  type CompositeAlarm,
  DeleteAlarmsCommand,
  type MetricAlarm,
  PutCompositeAlarmCommand,
  PutMetricAlarmCommand,
  paginateDescribeAlarms,
  SetAlarmStateCommand,
} from '@aws-sdk/client-cloudwatch';
import { ALARM_PREFIX, isRunTimeAlarm } from '../../contract/names.ts';
import type { AlarmChange, ExistingAlarm } from '../../core/publish/alarm-changes.ts';
import type { AlarmSpec, CompositeAlarmSpec, MetricAlarmSpec } from '../../core/publish/alarm-specs.ts';
import type { AlarmControl } from '../../ports/observing.ts';

export function alarmControl(client: CloudWatchClient): AlarmControl {
  return {
    async list() {
      const found: ExistingAlarm[] = [];
      const pages = paginateDescribeAlarms(
        { client },
        { AlarmNamePrefix: ALARM_PREFIX, AlarmTypes: ['MetricAlarm', 'CompositeAlarm'] },
      );
      for await (const { MetricAlarms = [], CompositeAlarms = [] } of pages) {
        for (const alarm of MetricAlarms) found.push({ spec: metricSpec(alarm), state: stateOf(alarm) });
        for (const alarm of CompositeAlarms) found.push({ spec: compositeSpec(alarm), state: stateOf(alarm) });
      }
      return found.filter(({ spec }) => isRunTimeAlarm(spec.name));
    },
    async change(change: AlarmChange) {
      switch (change.kind) {
        case 'put':
          return put(client, change.spec);
        case 'recover': {
          const StateReason = 'The cluster is gone, or uses the zone no more.';
          await client.send(new SetAlarmStateCommand({ AlarmName: change.name, StateValue: 'OK', StateReason }));
          return;
        }
        case 'delete':
          // One at a time: a call takes at most one composite alarm (CloudWatch API reference, DeleteAlarms).
          await client.send(new DeleteAlarmsCommand({ AlarmNames: [change.name] }));
      }
    },
  };
}

async function put(client: CloudWatchClient, spec: AlarmSpec): Promise<void> {
  const common = {
    AlarmName: spec.name,
    AlarmDescription: spec.description,
    AlarmActions: [...spec.actions],
    OKActions: [...spec.okActions],
  };
  if (spec.kind === 'composite') {
    await client.send(new PutCompositeAlarmCommand({ ...common, AlarmRule: spec.rule }));
    return;
  }
  await client.send(
    new PutMetricAlarmCommand({
      ...common,
      Namespace: spec.namespace,
      MetricName: spec.metric,
      Dimensions: Object.entries(spec.dimensions).map(([Name, Value]) => ({ Name, Value })),
      Statistic: spec.statistic,
      Period: spec.periodSeconds,
      EvaluationPeriods: spec.periods,
      DatapointsToAlarm: spec.datapoints,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      Threshold: spec.threshold,
      TreatMissingData: spec.treatMissingData,
    }),
  );
}

/** As it is, not as it should be: whatever differs from what we would put makes it another spec. */
function metricSpec(alarm: MetricAlarm): MetricAlarmSpec {
  const dimensions = Object.fromEntries((alarm.Dimensions ?? []).map(({ Name = '', Value = '' }) => [Name, Value]));
  const odd = alarm.ComparisonOperator !== 'GreaterThanOrEqualToThreshold';
  return {
    kind: 'metric',
    ...commonSpec(alarm),
    namespace: alarm.Namespace ?? '',
    metric: odd ? `${alarm.MetricName} ${alarm.ComparisonOperator}` : (alarm.MetricName ?? ''),
    dimensions: dimensions as unknown as MetricAlarmSpec['dimensions'],
    statistic: (alarm.Statistic ?? '') as MetricAlarmSpec['statistic'],
    threshold: alarm.Threshold ?? Number.NaN,
    periodSeconds: alarm.Period ?? 0,
    datapoints: alarm.DatapointsToAlarm ?? 0,
    periods: alarm.EvaluationPeriods ?? 0,
    treatMissingData: (alarm.TreatMissingData ?? '') as MetricAlarmSpec['treatMissingData'],
  };
}

function compositeSpec(alarm: CompositeAlarm): CompositeAlarmSpec {
  return { kind: 'composite', ...commonSpec(alarm), rule: alarm.AlarmRule ?? '' };
}

function commonSpec({ AlarmName, AlarmDescription, AlarmActions = [], OKActions = [] }: MetricAlarm & CompositeAlarm) {
  return {
    name: AlarmName ?? '',
    description: AlarmDescription ?? '',
    actions: [...AlarmActions].sort(),
    okActions: [...OKActions].sort(),
  };
}

function stateOf({ StateValue }: MetricAlarm | CompositeAlarm): ExistingAlarm['state'] {
  return StateValue === 'OK' || StateValue === 'ALARM' ? StateValue : 'INSUFFICIENT_DATA';
}
