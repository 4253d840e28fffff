import {
  CloudWatchClient,
  DeleteAlarmsCommand,
  DescribeAlarmHistoryCommand,
  PutMetricAlarmCommand,
  SetAlarmStateCommand,
} from '@aws-sdk/client-cloudwatch';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { DETAIL_TYPES, EVENT_SOURCE } from '../../contract/event-names.ts';
import { METRIC_NAMESPACE } from '../../contract/metrics.ts';
import { testAlarmName } from '../../contract/names.ts';
import { messageItemSchema } from '../../contract/notify-items.ts';
import type { Deployment } from '../../ports/deployment.ts';
import { ProbeFailure } from '../../ports/service-probes.ts';
import type { TestPaths } from '../../ports/test-paths.ts';
import { requiredOutput, type ServiceOptions, serviceClientConfig } from '../deployment/find-deployment.ts';
import { dynamoStateTable } from '../dynamodb/state-table.ts';
import { probing } from './probing.ts';

/** The ways that alarms and messages of a deployed service take. @throws ReadError the stack lacks an output. */
export function awsTestPaths(deployment: Deployment, options: ServiceOptions): TestPaths {
  const config = serviceClientConfig(options);
  const cloudwatch = new CloudWatchClient(config);
  const events = new EventBridgeClient(config);
  const state = dynamoStateTable(new DynamoDBClient(config), requiredOutput(deployment, 'table'));
  const topics = {
    critical: requiredOutput(deployment, 'criticalTopic'),
    warning: requiredOutput(deployment, 'warningTopic'),
  };
  const bus = requiredOutput(deployment, 'bus');
  return {
    async raiseTestAlarm(level, text) {
      const AlarmName = testAlarmName(level);
      await probing('cloudwatch:PutMetricAlarm', () =>
        cloudwatch.send(
          new PutMetricAlarmCommand({
            AlarmName,
            AlarmDescription: text.slice(0, 1024),
            AlarmActions: [topics[level]],
            // No such datapoint ever comes, and missing ones change nothing: only the state that is set counts.
            Namespace: METRIC_NAMESPACE,
            MetricName: 'TestAlert',
            Statistic: 'Maximum',
            Period: 60,
            EvaluationPeriods: 1,
            Threshold: 1,
            ComparisonOperator: 'GreaterThanThreshold',
            TreatMissingData: 'ignore',
          }),
        ),
      );
      await probing('cloudwatch:SetAlarmState', () =>
        cloudwatch.send(new SetAlarmStateCommand({ AlarmName, StateValue: 'ALARM', StateReason: text.slice(0, 1023) })),
      );
    },
    async testAlarmAction(level) {
      const { AlarmHistoryItems: [last] = [] } = await probing('cloudwatch:DescribeAlarmHistory', () =>
        cloudwatch.send(
          new DescribeAlarmHistoryCommand({
            AlarmName: testAlarmName(level),
            HistoryItemType: 'Action',
            MaxRecords: 1,
          }),
        ),
      );
      const summary = last?.HistorySummary;
      if (summary === undefined) return { state: 'pending' };
      return summary.startsWith('Failed') ? { state: 'failed', why: summary } : { state: 'delivered' };
    },
    async removeTestAlarm(level) {
      await probing('cloudwatch:DeleteAlarms', () =>
        cloudwatch.send(new DeleteAlarmsCommand({ AlarmNames: [testAlarmName(level)] })),
      );
    },
    async sendTestEvent(detail) {
      const { Entries: [entry] = [] } = await probing('events:PutEvents', () =>
        events.send(
          new PutEventsCommand({
            Entries: [
              {
                EventBusName: bus,
                Source: EVENT_SOURCE,
                DetailType: DETAIL_TYPES.testAlert,
                Detail: JSON.stringify(detail),
                Time: new Date(detail.at),
              },
            ],
          }),
        ),
      );
      if (entry?.ErrorCode !== undefined) throw new ProbeFailure(`the bus refused it: ${entry.ErrorCode}`);
    },
    async testMessage(eventId) {
      const item = await probing('dynamodb:GetItem', () => state.get('message', eventId));
      return item === undefined ? undefined : messageItemSchema.parse(item.value);
    },
  };
}
