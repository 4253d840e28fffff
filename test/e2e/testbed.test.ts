import { join } from 'node:path';
import { DescribeStacksCommand, ListStacksCommand } from '@aws-sdk/client-cloudformation';
import { DescribeAlarmsCommand, ListMetricsCommand } from '@aws-sdk/client-cloudwatch';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { ListTopicsCommand } from '@aws-sdk/client-sns';
import { ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { PutParameterCommand } from '@aws-sdk/client-ssm';
import { AssumeRoleCommand } from '@aws-sdk/client-sts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { callFunctionUrl } from './function-url.ts';
import { CACHE } from './paths.ts';
import { stackOutputs } from './stack-outputs.ts';
import { ACCOUNT, REGION, startTestbed, type Testbed } from './testbed.ts';
import { startEc2Stub } from './tiny/ec2-stub.ts';
import { tapTopic } from './topic-tap.ts';
import { waitFor } from './wait-for.ts';

const CDK_OUT = join(CACHE, 'tiny.out');

/** Milliseconds within which anything the testbed does of its own must be seen; several of its minutes on a busy machine. */
const SOON = 60_000;

let ec2: Awaited<ReturnType<typeof startEc2Stub>>;
let testbed: Testbed;
let output: (name: string) => string;

const setSeverity = (severities: Record<string, number>): Promise<unknown> =>
  testbed.clients.ssm.send(
    new PutParameterCommand({
      Name: '/tiny/severity',
      Type: 'String',
      Value: JSON.stringify(severities),
      Overwrite: true,
    }),
  );

const alarmStates = async (): Promise<ReadonlyMap<string | undefined, string | undefined>> => {
  const { MetricAlarms = [], CompositeAlarms = [] } = await testbed.clients.cloudwatch.send(
    new DescribeAlarmsCommand({ AlarmNamePrefix: 'tiny/', AlarmTypes: ['MetricAlarm', 'CompositeAlarm'] }),
  );
  return new Map([...MetricAlarms, ...CompositeAlarms].map((alarm) => [alarm.AlarmName, alarm.StateValue]));
};

const untilStates = (wanted: Record<string, string>): Promise<unknown> =>
  waitFor(
    async () => {
      const states = await alarmStates();
      return Object.entries(wanted).every(([name, state]) => states.get(name) === state);
    },
    { what: `alarms to be ${JSON.stringify(wanted)}`, timeoutMs: SOON },
  );

beforeAll(async () => {
  ec2 = await startEc2Stub();
  testbed = await startTestbed({ ec2Endpoint: ec2.url, minuteSeconds: 3 });
  await setSeverity({ blue: 0, green: 0 });
  await testbed.cdk(['synth', '-q', '--app', 'node test/e2e/tiny/app.ts', '-o', CDK_OUT], { timeoutMs: 120_000 });
  await testbed.cdk(['bootstrap', '--app', CDK_OUT, `aws://${ACCOUNT}/${REGION}`], { timeoutMs: 60_000 });
  await testbed.cdk(['deploy', '--app', CDK_OUT, 'Tiny', '--require-approval', 'never'], { timeoutMs: 60_000 });
  output = await stackOutputs(testbed.clients.cloudformation, 'Tiny');
});

afterAll(async () => {
  await testbed?.stop();
  await ec2?.stop();
});

afterEach(async () => {
  await setSeverity({ blue: 0, green: 0 });
});

describe('what the service will stand on', () => {
  test('a schedule fires every minute of the testbed', async () => {
    const ticks = (): number[] =>
      testbed
        .recordedCalls()
        .filter((call) => call.action === 'PutMetricData')
        .map((call) => call.at);
    const before = ticks().length;
    const at = await waitFor(() => ticks().length >= before + 4 && ticks().slice(before), {
      what: 'four ticks',
      timeoutMs: SOON,
    });
    // The first is left out: a cold start delays it.
    const gaps = at.slice(2).map((time, index) => time - (at[index + 1] ?? 0));
    for (const gap of gaps) expect(gap).toBeLessThan(3 * testbed.minuteMs);
    for (const gap of gaps) expect(gap).toBeGreaterThan(testbed.minuteMs / 3);
  });

  test('an AWS event reaches a function by rule and queue, and the function reaches every kind of service', async () => {
    await testbed.clients.events.send(
      new PutEventsCommand({
        Entries: [
          {
            Source: 'aws.ec2',
            DetailType: 'EC2 Instance State-change Notification',
            Detail: '{"instance-id":"i-1"}',
          },
        ],
      }),
    );
    const item = await waitFor(
      async () => {
        const { Items = [] } = await testbed.clients.dynamodb.send(new ScanCommand({ TableName: output('TableName') }));
        return Items.find((candidate) => candidate.body?.S?.includes('State-change'));
      },
      { what: 'the event in the table', timeoutMs: SOON },
    );
    expect(JSON.parse(item.body?.S ?? '')).toMatchObject({
      source: 'aws.ec2',
      account: ACCOUNT,
      region: REGION,
      detail: { 'instance-id': 'i-1' },
    });
    expect(item.subnets?.S).toBe('subnet-0123456789abcdef0');
    expect(item.cluster?.S).toBe('ResourceNotFoundException');
    expect(item.caller?.S).toMatch(
      new RegExp(`^arn:aws:sts::${ACCOUNT}:assumed-role/Tiny-Function.*/${output('FunctionName')}$`),
    );
  });

  test('the recorder tells who called what, with the permissions that needs', async () => {
    testbed.forgetCalls();
    await testbed.clients.sqs.send(new SendMessageCommand({ QueueUrl: output('QueueUrl'), MessageBody: 'recorded' }));
    const functionName = output('FunctionName');
    const calls = await waitFor(
      () => {
        const all = testbed.recordedCalls();
        return all.some((call) => call.service === 's3') && all.some((call) => call.service === 'cloudwatch') && all;
      },
      { what: 'calls of every kind', timeoutMs: SOON },
    );
    const one = (service: string, action: string) =>
      calls.find((call) => call.service === service && call.action === action);
    expect(new Set(calls.map((call) => call.functionName))).toEqual(new Set([functionName]));
    expect(calls.map((call) => call.action)).not.toContain('UnknownOperation');
    expect(one('ec2', 'DescribeSubnets')).toMatchObject({
      functionName,
      roleArn: expect.stringMatching(/^arn:aws:iam::000000000000:role\/Tiny-Function/),
      params: { MaxResults: '5' },
      requires: [{ action: 'ec2:DescribeSubnets', resource: '*' }],
      status: 200,
    });
    expect(one('eks', 'DescribeCluster')).toMatchObject({
      params: { name: 'blue' },
      requires: [{ action: 'eks:DescribeCluster', resource: `arn:aws:eks:${REGION}:${ACCOUNT}:cluster/blue` }],
      status: 404,
    });
    expect(one('dynamodb', 'PutItem')?.requires).toEqual([
      {
        action: 'dynamodb:PutItem',
        resource: `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/${output('TableName')}`,
        context: {},
      },
    ]);
    expect(one('s3', 'PutObject')?.requires).toEqual([
      {
        action: 's3:PutObject',
        resource: expect.stringMatching(`^arn:aws:s3:::${output('BucketName')}/changes/`),
        context: {},
      },
    ]);
    expect(one('cloudwatch', 'PutMetricData')?.requires).toEqual([
      { action: 'cloudwatch:PutMetricData', resource: '*', context: { 'cloudwatch:namespace': 'Tiny' } },
    ]);
    expect(one('sts', 'GetCallerIdentity')?.status).toBe(200);
  });

  test('a call of a function can be answered in the place of AWS', async () => {
    const stop = testbed.intercept((call) =>
      call.service === 'eks'
        ? {
            status: 403,
            headers: { 'content-type': 'application/json', 'x-amzn-errortype': 'AccessDeniedException' },
            body: '{"message":"not authorized"}',
          }
        : undefined,
    );
    try {
      await testbed.clients.sqs.send(new SendMessageCommand({ QueueUrl: output('QueueUrl'), MessageBody: 'denied' }));
      const item = await waitFor(
        async () => {
          const { Items = [] } = await testbed.clients.dynamodb.send(
            new ScanCommand({ TableName: output('TableName') }),
          );
          return Items.find((candidate) => candidate.body?.S === 'denied');
        },
        { what: 'the message in the table', timeoutMs: SOON },
      );
      expect(item.cluster?.S).toBe('AccessDeniedException');
    } finally {
      stop();
    }
  });

  test('one cluster turns its own alarm and no other, and topic, composite and bus hear of it and of the recovery', async () => {
    await untilStates({ 'tiny/blue': 'OK', 'tiny/green': 'OK', 'tiny/shared': 'OK' });
    const tap = await tapTopic(testbed.clients, output('TopicArn'), 'pages-tap');
    try {
      await setSeverity({ blue: 2, green: 0 });
      await untilStates({ 'tiny/blue': 'ALARM', 'tiny/shared': 'ALARM' });
      expect((await alarmStates()).get('tiny/green')).toBe('OK');
      await setSeverity({ blue: 0, green: 0 });
      await untilStates({ 'tiny/blue': 'OK', 'tiny/shared': 'OK' });
      const messages = await tap.waitUntil(
        'the page, the shared page and the recovery',
        (all) => all.length >= 3 && all.map((each) => JSON.parse(each.message) as Record<string, unknown>),
        SOON,
      );
      expect(messages.map((message) => `${String(message.AlarmName)} ${String(message.NewStateValue)}`).sort()).toEqual(
        ['tiny/blue ALARM', 'tiny/blue OK', 'tiny/shared ALARM'],
      );
      const page = messages.find((m) => m.AlarmName === 'tiny/blue' && m.NewStateValue === 'ALARM');
      expect(page).toMatchObject({
        AWSAccountId: ACCOUNT,
        OldStateValue: 'OK',
        Region: 'US East (N. Virginia)',
        AlarmArn: `arn:aws:cloudwatch:${REGION}:${ACCOUNT}:alarm:tiny/blue`,
        NewStateReason: expect.stringContaining('[2.0]'),
        Trigger: {
          Namespace: 'Tiny',
          MetricName: 'Severity',
          Dimensions: [{ name: 'Cluster', value: 'blue' }],
          Period: 60,
          Threshold: 2,
          TreatMissingData: 'ignore',
        },
      });
      const event = await waitFor(
        async () => {
          const { Messages = [] } = await testbed.clients.sqs.send(
            new ReceiveMessageCommand({ QueueUrl: output('AlarmQueueUrl'), MaxNumberOfMessages: 10 }),
          );
          return Messages.map((message) => JSON.parse(message.Body ?? '') as Record<string, unknown>).find(
            ({ detail }) =>
              (detail as { alarmName: string; state: { value: string } }).alarmName === 'tiny/blue' &&
              (detail as { state: { value: string } }).state.value === 'ALARM',
          );
        },
        { what: 'the alarm event on the bus', timeoutMs: SOON },
      );
      expect(event).toMatchObject({
        source: 'aws.cloudwatch',
        'detail-type': 'CloudWatch Alarm State Change',
        detail: { previousState: { value: 'OK' } },
      });
    } finally {
      await tap.close();
    }
  });

  test('a function URL gives the function the identity of who signed, and refuses who did not', async () => {
    const { Credentials } = await testbed.clients.sts.send(
      new AssumeRoleCommand({ RoleArn: `arn:aws:iam::${ACCOUNT}:role/oncall`, RoleSessionName: 'alex' }),
    );
    const credentials = {
      accessKeyId: Credentials?.AccessKeyId ?? '',
      secretAccessKey: Credentials?.SecretAccessKey ?? '',
      sessionToken: Credentials?.SessionToken ?? '',
    };
    const signed = await callFunctionUrl(testbed.endpoint, output('FunctionUrl'), {
      method: 'POST',
      path: '/approve?plan=1',
      body: '{}',
      credentials,
    });
    expect(signed.status).toBe(200);
    expect(JSON.parse(signed.body)).toMatchObject({
      requestContext: {
        authorizer: { iam: { userArn: `arn:aws:sts::${ACCOUNT}:assumed-role/oncall/alex`, accountId: ACCOUNT } },
        http: { method: 'POST', path: '/approve' },
      },
      node: process.version,
    });
    const unsigned = await callFunctionUrl(testbed.endpoint, output('FunctionUrl'));
    expect(unsigned.status).toBe(403);
  });

  test('a run that fails is tried three times, and then the event is in the queue for failures', async () => {
    await testbed.clients.events.send(
      new PutEventsCommand({ Entries: [{ Source: 'tiny', DetailType: 'Unheard-of', Detail: '{}' }] }),
    );
    const failure = await waitFor(
      async () => {
        const { Messages = [] } = await testbed.clients.sqs.send(
          new ReceiveMessageCommand({ QueueUrl: output('FailedQueueUrl') }),
        );
        return Messages[0] && (JSON.parse(Messages[0].Body ?? '') as Record<string, unknown>);
      },
      { what: 'the failed event', timeoutMs: SOON },
    );
    expect(failure).toMatchObject({
      requestContext: { condition: 'RetriesExhausted', approximateInvokeCount: 3 },
      requestPayload: { 'detail-type': 'Unheard-of' },
      responsePayload: { errorMessage: 'cannot serve Unheard-of' },
    });
  });

  test('queues and functions have the metrics that their alarms look at', async () => {
    const names = await waitFor(
      async () => {
        const { Metrics = [] } = await testbed.clients.cloudwatch.send(new ListMetricsCommand({}));
        const found = new Set(Metrics.map((metric) => `${metric.Namespace} ${metric.MetricName}`));
        return found.has('AWS/Lambda Errors') && found.has('AWS/SQS ApproximateNumberOfMessagesVisible') && found;
      },
      { what: 'the metrics of queue and function', timeoutMs: SOON },
    );
    expect(names).toContain('AWS/Lambda Throttles');
  });

  test('destroy leaves nothing', async () => {
    await testbed.cdk(['deploy', '--app', CDK_OUT, 'Doomed', '--require-approval', 'never'], { timeoutMs: 60_000 });
    const left = async (): Promise<unknown[]> => {
      const { MetricAlarms = [], CompositeAlarms = [] } = await testbed.clients.cloudwatch.send(
        new DescribeAlarmsCommand({ AlarmNamePrefix: 'doomed', AlarmTypes: ['MetricAlarm', 'CompositeAlarm'] }),
      );
      const { Topics = [] } = await testbed.clients.sns.send(new ListTopicsCommand({}));
      return [
        ...MetricAlarms.map((alarm) => alarm.AlarmName),
        ...CompositeAlarms.map((alarm) => alarm.AlarmName),
        ...Topics.map((topic) => topic.TopicArn).filter((arn) => arn?.endsWith(':doomed')),
      ];
    };
    expect(await left()).toEqual(['doomed', 'doomed-composite', `arn:aws:sns:${REGION}:${ACCOUNT}:doomed`]);
    await testbed.cdk(['destroy', '--app', CDK_OUT, 'Doomed', '--force'], { timeoutMs: 60_000 });
    expect(await left()).toEqual([]);
    const { StackSummaries = [] } = await testbed.clients.cloudformation.send(
      new ListStacksCommand({ StackStatusFilter: ['CREATE_COMPLETE', 'DELETE_FAILED'] }),
    );
    expect(StackSummaries.map((stack) => stack.StackName)).not.toContain('Doomed');
    await expect(
      testbed.clients.cloudformation.send(new DescribeStacksCommand({ StackName: 'Doomed' })),
    ).rejects.toThrow(/does not exist/);
  });

  test('a cdk that hangs is stopped, with all that it started', async () => {
    const stuck = testbed.cdk(['synth', '-q', '--app', 'sleep 600', '-o', join(CACHE, 'never.out')], {
      timeoutMs: 3_000,
    });
    await expect(stuck).rejects.toThrow(/was stopped after 3000 ms/);
  });
});
