import {
  DescribeAlarmsCommand,
  DescribeAnomalyDetectorsCommand,
  GetDashboardCommand,
  GetMetricDataCommand,
  ListDashboardsCommand,
  ListMetricsCommand,
  PutDashboardCommand,
  PutMetricAlarmCommand,
  PutMetricDataCommand,
  SetAlarmStateCommand,
} from '@aws-sdk/client-cloudwatch';
import { PutRuleCommand, PutTargetsCommand } from '@aws-sdk/client-eventbridge';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestbed, type Testbed } from '../testbed.ts';
import { waitFor } from '../wait-for.ts';
import { arnOf, bodies, createStack, makeQueue, publish, SOON } from './plain.ts';

let plain: Testbed;

beforeAll(async () => {
  plain = await startTestbed({ plain: true });
});

afterAll(async () => {
  await plain?.stop();
});

const putMetric = (metric: string, value: number, cluster: string): Promise<unknown> =>
  plain.clients.cloudwatch.send(
    new PutMetricDataCommand({
      Namespace: 'Gap',
      MetricData: [{ MetricName: metric, Value: value, Dimensions: [{ Name: 'Cluster', Value: cluster }] }],
    }),
  );

const putAlarm = (name: string, metric: string, more: object = {}): Promise<unknown> =>
  plain.clients.cloudwatch.send(
    new PutMetricAlarmCommand({
      AlarmName: name,
      Namespace: 'Gap',
      MetricName: metric,
      Dimensions: [{ Name: 'Cluster', Value: 'blue' }],
      Statistic: 'Maximum',
      Period: 60,
      EvaluationPeriods: 1,
      Threshold: 1,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      ...more,
    }),
  );

const stateOf = async (name: string): Promise<string | undefined> => {
  const { MetricAlarms = [] } = await plain.clients.cloudwatch.send(new DescribeAlarmsCommand({ AlarmNames: [name] }));
  return MetricAlarms[0]?.StateValue;
};

// A test that fails here says that MiniStack has closed a gap: take the mend and the row out of gaps.md.
describe('the gaps of CloudWatch in MiniStack', () => {
  test('CW1 an alarm reacts to the metric of another cluster', async () => {
    await putAlarm('dimensions', 'Dimensions');
    await putMetric('Dimensions', 5, 'green');
    expect(await stateOf('dimensions')).toBe('ALARM');
  });

  test('CW2 three periods of three are not asked for', async () => {
    await putAlarm('datapoints', 'Datapoints', { EvaluationPeriods: 3, DatapointsToAlarm: 3 });
    await putMetric('Datapoints', 5, 'blue');
    expect(await stateOf('datapoints')).toBe('ALARM');
  });

  test('CW3 missing data changes nothing, whatever the alarm says of it', async () => {
    await putAlarm('missing', 'NeverSent', { TreatMissingData: 'notBreaching' });
    await putMetric('Other', 1, 'blue');
    expect(await stateOf('missing')).toBe('INSUFFICIENT_DATA');
  });

  test('CW4 no event tells of a change of state', async () => {
    const all = await makeQueue(plain, 'all-events');
    await plain.clients.events.send(
      new PutRuleCommand({ Name: 'all', EventPattern: '{"source":["gap","aws.cloudwatch"]}' }),
    );
    await plain.clients.events.send(
      new PutTargetsCommand({ Rule: 'all', Targets: [{ Id: 'q', Arn: arnOf('sqs', 'all-events') }] }),
    );
    await putAlarm('silent', 'Silent');
    await plain.clients.cloudwatch.send(
      new SetAlarmStateCommand({ AlarmName: 'silent', StateValue: 'ALARM', StateReason: 'test' }),
    );
    await publish(plain, 'after the alarm');
    const seen = await waitFor(
      async () => {
        const found = await bodies(plain, all);
        return found.some((body) => body.includes('after the alarm')) && found;
      },
      { what: 'the event after the alarm', timeoutMs: SOON },
    );
    expect(seen.filter((body) => body.includes('aws.cloudwatch'))).toEqual([]);
  });

  test('CW5 a template cannot hold a composite alarm', async () => {
    const stack = createStack(plain, 'composite', {
      Alarm: {
        Type: 'AWS::CloudWatch::CompositeAlarm',
        Properties: { AlarmName: 'composite', AlarmRule: 'TRUE' },
      },
    });
    await expect(stack).rejects.toThrow('Unrecognized resource types: [AWS::CloudWatch::CompositeAlarm]');
  });

  test('CW6 a template cannot hold an alarm with metric math', async () => {
    const { status, reasons } = await createStack(plain, 'math', {
      Alarm: {
        Type: 'AWS::CloudWatch::Alarm',
        Properties: {
          AlarmName: 'math',
          ComparisonOperator: 'GreaterThanThreshold',
          EvaluationPeriods: 1,
          Threshold: 1,
          Metrics: [{ Id: 'e', Expression: 'TIME_SERIES(1)', ReturnData: true }],
        },
      },
    });
    expect(status).toMatch(/ROLLBACK/);
    expect(reasons).toMatch(/metric math/);
  });

  test('CW7 GetMetricData knows neither SEARCH nor other expressions', async () => {
    await putMetric('Searched', 7, 'blue');
    const now = Date.now();
    const ask = async (expression: string): Promise<readonly number[]> => {
      const { MetricDataResults = [] } = await plain.clients.cloudwatch.send(
        new GetMetricDataCommand({
          StartTime: new Date(now - 600_000),
          EndTime: new Date(now + 60_000),
          MetricDataQueries: [
            {
              Id: 'm',
              ReturnData: false,
              MetricStat: {
                Metric: {
                  Namespace: 'Gap',
                  MetricName: 'Searched',
                  Dimensions: [{ Name: 'Cluster', Value: 'blue' }],
                },
                Period: 60,
                Stat: 'Maximum',
              },
            },
            { Id: 'e', Expression: expression },
          ],
        }),
      );
      return MetricDataResults.filter((result) => result.Id !== 'm').flatMap((result) => result.Values ?? []);
    };
    expect(await ask(`SEARCH('{Gap,Cluster} MetricName="Searched"', 'Maximum', 60)`)).toEqual([]);
    expect(await ask('m * 2')).toEqual([]);
  });

  test('CW8 more than 1,000 metrics in a call and more than 30 dimensions are taken', async () => {
    const many = Array.from({ length: 1_001 }, (_, index) => ({ MetricName: `Many${index}`, Value: 1 }));
    const wide = Array.from({ length: 31 }, (_, index) => ({ Name: `d${index}`, Value: 'v' }));
    await plain.clients.cloudwatch.send(new PutMetricDataCommand({ Namespace: 'GapMany', MetricData: many }));
    await plain.clients.cloudwatch.send(
      new PutMetricDataCommand({
        Namespace: 'GapWide',
        MetricData: [{ MetricName: 'Wide', Value: 1, Dimensions: wide }],
      }),
    );
    const { Metrics = [] } = await plain.clients.cloudwatch.send(new ListMetricsCommand({ Namespace: 'GapWide' }));
    expect(Metrics[0]?.Dimensions).toHaveLength(31);
  });

  test('CW9 ListDashboards breaks the SDK, GetDashboard does not', async () => {
    await plain.clients.cloudwatch.send(
      new PutDashboardCommand({ DashboardName: 'gap', DashboardBody: '{"widgets":[]}' }),
    );
    const { DashboardBody } = await plain.clients.cloudwatch.send(new GetDashboardCommand({ DashboardName: 'gap' }));
    expect(DashboardBody).toBe('{"widgets":[]}');
    await expect(plain.clients.cloudwatch.send(new ListDashboardsCommand({}))).rejects.toThrow();
  });

  test('CW10 there are no anomaly detectors', async () => {
    await expect(plain.clients.cloudwatch.send(new DescribeAnomalyDetectorsCommand({}))).rejects.toThrow();
  });

  test('CW11 queues have no metrics', async () => {
    await makeQueue(plain, 'unmeasured');
    const { Metrics = [] } = await plain.clients.cloudwatch.send(new ListMetricsCommand({ Namespace: 'AWS/SQS' }));
    expect(Metrics).toEqual([]);
  });
});
