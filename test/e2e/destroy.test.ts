/** Deleting the stack leaves nothing that costs: the alarms and objects that the service made at run time go with it. */
import { DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DescribeAlarmsCommand, PutCompositeAlarmCommand, PutMetricAlarmCommand } from '@aws-sdk/client-cloudwatch';
import { HeadBucketCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  clusterAlarmName,
  SERVICE_ALARMS,
  STACK_NAME,
  STACK_OUTPUTS,
  sharedAlarmName,
  snapshotKey,
} from '../../lambdas/contract/names.ts';
import { deploy, templatesOf } from './deploy.ts';
import { ACCOUNT, REGION, startTestbed, type Testbed } from './testbed.ts';

const OTHERS = 'somebody-else/prod/use1-az1/critical';

let testbed: Testbed;
let bucket: string;

beforeAll(async () => {
  testbed = await startTestbed();
  const output = await deploy(testbed, { name: 'bare', app: 'node test/e2e/bare/app.ts' });
  bucket = output(STACK_OUTPUTS.bucket);
});

afterAll(async () => {
  await testbed?.stop();
});

async function alarmNames(): Promise<readonly (string | undefined)[]> {
  const { MetricAlarms = [], CompositeAlarms = [] } = await testbed.clients.cloudwatch.send(
    new DescribeAlarmsCommand({ AlarmTypes: ['MetricAlarm', 'CompositeAlarm'] }),
  );
  return [...MetricAlarms, ...CompositeAlarms].map(({ AlarmName }) => AlarmName);
}

async function makeAlarm(name: string): Promise<void> {
  await testbed.clients.cloudwatch.send(
    new PutMetricAlarmCommand({
      AlarmName: name,
      Namespace: 'Headroom',
      MetricName: 'Severity',
      Statistic: 'Maximum',
      Period: 60,
      EvaluationPeriods: 1,
      Threshold: 1,
      ComparisonOperator: 'GreaterThanThreshold',
    }),
  );
}

test('the stack stands, and what it made at run time goes with it', async () => {
  expect(await alarmNames()).toContain(SERVICE_ALARMS.heartbeat);
  const ofCluster = clusterAlarmName('prod', 'use1-az1', 'critical');
  await makeAlarm(ofCluster);
  await makeAlarm(OTHERS);
  await testbed.clients.cloudwatch.send(
    new PutCompositeAlarmCommand({
      AlarmName: sharedAlarmName('vpc-00000000', 'use1-az1', 'critical'),
      AlarmRule: `ALARM("${ofCluster}")`,
    }),
  );
  for (const minute of [0, 1, 2]) {
    const Key = snapshotKey(ACCOUNT, REGION, new Date(Date.UTC(2026, 0, 1, 0, minute)));
    await testbed.clients.s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: 'x' }));
  }

  await testbed.cdk(['destroy', '--app', templatesOf('bare'), STACK_NAME, '--force'], { timeoutMs: 180_000 });

  expect((await alarmNames()).filter((name) => name !== OTHERS)).toEqual([]);
  expect(await alarmNames()).toContain(OTHERS);
  await expect(testbed.clients.s3.send(new HeadBucketCommand({ Bucket: bucket }))).rejects.toMatchObject({
    $metadata: { httpStatusCode: 404 },
  });
  await expect(
    testbed.clients.cloudformation.send(new DescribeStacksCommand({ StackName: STACK_NAME })),
  ).rejects.toThrow(/does not exist/);

  // It was stopped first, and nothing of what it did was by chance.
  const actions = testbed.recordedCalls().map(({ action }) => action);
  expect(actions.slice(0, 2)).toEqual(['DisableRule', 'PutFunctionConcurrency']);
  expect(new Set(actions)).toEqual(
    new Set([
      'DisableRule',
      'PutFunctionConcurrency',
      'DescribeAlarms',
      'DeleteAlarms',
      'ListObjectsV2',
      'DeleteObjects',
    ]),
  );
});
