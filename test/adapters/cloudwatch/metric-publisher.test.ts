import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { afterEach, expect, test } from '@jest/globals';
import { metricPublisher } from '../../../lambdas/adapters/cloudwatch/metric-publisher.ts';
import type { MetricValue } from '../../../lambdas/core/publish/metric-values.ts';
import { type AwsStandIn, startAwsStandIn } from '../../support/aws-stand-in.ts';

let standIn: AwsStandIn | undefined;
afterEach(async () => standIn?.stop());
const HEADERS = { 'content-type': 'application/x-amz-json-1.0' };
const NOON = Date.UTC(2026, 10, 30, 12) + 123;

async function publisher(answer: (call: number) => number) {
  let call = 0;
  const running = await startAwsStandIn(() => {
    const status = answer(++call);
    return { status, headers: HEADERS, body: status === 200 ? '{}' : '{"__type":"InvalidParameterValueException"}' };
  });
  standIn = running;
  const client = new CloudWatchClient({
    endpoint: running.url,
    region: 'us-east-1',
    maxAttempts: 1,
    disableRequestCompression: true,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  return { running, sink: metricPublisher(client) };
}

const values = (count: number): readonly MetricValue[] =>
  Array.from({ length: count }, (_, n) => ({
    key: 'subnetAvailableIps',
    dimensions: { SubnetId: `subnet-${n}` },
    value: n,
  }));

test('a request that is refused keeps no other from going out', async () => {
  const { running, sink } = await publisher((call) => (call === 2 ? 400 : 200));
  const { sent, errors } = await sink.put(values(2500), NOON);
  expect(running.calls.map(({ parameters }) => (parameters.MetricData as unknown[]).length)).toEqual([1000, 1000, 500]);
  expect(sent).toBe(1500);
  expect(errors).toMatchObject([{ name: 'InvalidParameterValueException' }]);
});

test('a roll-up goes as a StatisticSet, a value as it is, both at the time they were measured', async () => {
  const { running, sink } = await publisher(() => 200);
  const rollUp = { count: 3, sum: 30, min: 2, max: 20 };
  await sink.put(
    [
      { key: 'zoneFreePrefixes', dimensions: { VpcId: 'vpc-1', ZoneId: 'use1-az1' }, value: rollUp },
      { key: 'scanSeconds', dimensions: {}, value: 1.5 },
    ],
    NOON,
  );
  const Timestamp = NOON / 1000;
  expect(running.calls[0]?.parameters).toMatchObject({
    Namespace: 'Headroom',
    MetricData: [
      {
        MetricName: 'FreePrefixes',
        Unit: 'Count',
        Timestamp,
        Dimensions: [
          { Name: 'VpcId', Value: 'vpc-1' },
          { Name: 'ZoneId', Value: 'use1-az1' },
        ],
        StatisticValues: { SampleCount: 3, Sum: 30, Minimum: 2, Maximum: 20 },
      },
      { MetricName: 'ScanSeconds', Unit: 'Seconds', Timestamp, Dimensions: [], Value: 1.5 },
    ],
  });
});
