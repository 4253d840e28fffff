import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { DIMENSION_SETS, METRICS, type MetricDefinition } from '../../lambdas/contract/metrics.ts';
import { CLUSTER_ALARM_HEADINGS, isRunTimeAlarm, runbookAnchor } from '../../lambdas/contract/names.ts';
import { lookup, readable, synthesise } from './template.ts';

const template = synthesise();
const { all, only } = lookup(template);

describe('alarms of the service', () => {
  const alarms = all('AWS::CloudWatch::Alarm');
  const named = (name: string) => alarms.find(({ Properties }) => Properties.AlarmName === `headroom/service/${name}`);

  test('are these', () => {
    expect(alarms.map(({ Properties }) => Properties.AlarmName).sort()).toEqual(
      [
        'heartbeat',
        'snapshot-age',
        'failed-subnets',
        ...['observe', 'react', 'notify'].flatMap((name) => [
          `dead-letters-${name}`,
          `errors-${name}`,
          `throttles-${name}`,
        ]),
      ]
        .map((name) => `headroom/service/${name}`)
        .sort(),
    );
  });

  test('stand on metrics that are published, with the very dimensions they are published with', () => {
    const published = Object.values<MetricDefinition>(METRICS).map(
      ({ name, scope, worst }) => `${name} ${DIMENSION_SETS[scope].join()} ${worst}`,
    );
    const ours = alarms.filter(({ Properties }) => Properties.Namespace === 'Headroom');
    expect(ours).toHaveLength(3);
    for (const { Properties } of ours) {
      const dimensions = ((Properties.Dimensions ?? []) as { Name: string }[]).map(({ Name }) => Name);
      expect(published).toContain(
        `${String(Properties.MetricName)} ${dimensions.join()} ${String(Properties.Statistic)}`,
      );
    }
  });

  test('say what missing data means, whom they tell, and where to read on', () => {
    for (const { Properties } of alarms) {
      expect(Properties.TreatMissingData).toMatch(/^(?:breaching|notBreaching|ignore)$/);
      const [topic] = readable(Properties.AlarmActions) as string[];
      expect(topic).toMatch(/^<Topics(?:Critical|Warning)>$/);
      expect(readable(Properties.OKActions)).toEqual([topic]);
      expect(Properties.AlarmDescription).toContain('What to do: docs/runbook.md#');
      expect(String(Properties.AlarmDescription).length).toBeLessThanOrEqual(1024);
    }
  });

  test('each has its section in the runbook, and so have those that observe makes', () => {
    const runbook = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8');
    const anchors = [...runbook.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => runbookAnchor(heading!));
    const linked = alarms.map(
      ({ Properties }) => /docs\/runbook\.md#\S+/.exec(String(Properties.AlarmDescription))?.[0],
    );
    expect(anchors).toEqual(expect.arrayContaining(linked));
    expect(anchors).toEqual(expect.arrayContaining(Object.values(CLUSTER_ALARM_HEADINGS).map(runbookAnchor)));
  });

  test('the heartbeat needs three ticks without a scan, and pages', () => {
    expect(readable(named('heartbeat')?.Properties)).toMatchObject({
      TreatMissingData: 'breaching',
      DatapointsToAlarm: 3,
      EvaluationPeriods: 3,
      Period: 60,
      Threshold: 180,
      ComparisonOperator: 'GreaterThanThreshold',
      AlarmActions: ['<TopicsCritical>'],
    });
  });

  test('dead letters are counted where they can be seen, and page', () => {
    for (const [name, queue] of [
      ['observe', 'ObserverChangesDeadLetters'],
      ['notify', 'NotifierMessagesDeadLetters'],
    ]) {
      expect(readable(named(`dead-letters-${name}`)?.Properties)).toMatchObject({
        Namespace: 'AWS/SQS',
        MetricName: 'ApproximateNumberOfMessagesVisible',
        Statistic: 'Maximum',
        Threshold: 0,
        Dimensions: [{ Name: 'QueueName', Value: `<${queue}.QueueName>` }],
        AlarmActions: ['<TopicsCritical>'],
      });
    }
  });

  test('are not taken for those that observe makes, so that neither observe nor cleanup touches them', () => {
    expect(alarms.filter(({ Properties }) => isRunTimeAlarm(String(Properties.AlarmName)))).toEqual([]);
  });
});

describe('the dashboard', () => {
  const { DashboardBody } = only('AWS::CloudWatch::Dashboard', 'Monitoring').Properties;
  const body = JSON.parse(String(readable(DashboardBody))) as {
    readonly widgets: readonly { readonly properties: object }[];
  };
  const text = JSON.stringify(body);

  test('finds clusters, zones and subnets by itself, each metric with its exact dimensions and worst statistic', () => {
    for (const { scope, name, worst } of Object.values<MetricDefinition>(METRICS)) {
      if (scope === 'service') continue;
      const wanted = `SEARCH('{Headroom,${DIMENSION_SETS[scope].join(',')}} MetricName=\\"${name}\\"', '${worst}', 300)`;
      expect(text).toContain(JSON.stringify(wanted).slice(1, -1).replaceAll('\\\\\\"', '\\"'));
    }
  });

  test('shows the health of the service itself', () => {
    for (const { scope, name } of Object.values<MetricDefinition>(METRICS)) {
      if (scope === 'service') expect(text).toContain(`"Headroom","${name}"`);
    }
    expect(text).toContain('<AlarmsHeartbeat.Arn>');
  });

  test('never adds gauges up', () => {
    const metrics = body.widgets.flatMap(({ properties }) =>
      'metrics' in properties ? [JSON.stringify(properties.metrics)] : [],
    );
    const ours = metrics.filter((line) => line.includes('"Headroom"') || line.includes('{Headroom'));
    expect(ours.length).toBeGreaterThan(10);
    expect(ours.filter((line) => line.includes('Sum'))).toEqual([]);
  });
});
