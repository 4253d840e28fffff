import { ListMetricsCommand } from '@aws-sdk/client-cloudwatch';
import { CreateSubnetCommand, CreateVpcCommand, DescribeSubnetsCommand } from '@aws-sdk/client-ec2';
import {
  CreateAddonCommand,
  CreateClusterCommand,
  DescribeAddonCommand,
  DescribeClusterCommand,
} from '@aws-sdk/client-eks';
import { PutEventsCommand, PutRuleCommand, PutTargetsCommand } from '@aws-sdk/client-eventbridge';
import {
  CreateEventSourceMappingCommand,
  CreateFunctionUrlConfigCommand,
  GetFunctionConfigurationCommand,
} from '@aws-sdk/client-lambda';
import { ListTopicsCommand, SNSClient } from '@aws-sdk/client-sns';
import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { AssumeRoleCommand } from '@aws-sdk/client-sts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { callFunctionUrl } from '../function-url.ts';
import { ACCOUNT, REGION, startTestbed, type Testbed } from '../testbed.ts';
import { waitFor } from '../wait-for.ts';
import { arnOf, bodies, createStack, inlineFunction, makeQueue, publish, SOON, startReports } from './plain.ts';

let plain: Testbed;
let reports: Awaited<ReturnType<typeof startReports>>;

beforeAll(async () => {
  reports = await startReports();
  plain = await startTestbed({ plain: true, minuteSeconds: 2, functionEnv: { REPORT: reports.url } });
});

afterAll(async () => {
  await plain?.stop();
  await reports?.stop();
});

/** A function that reports `text`, a JavaScript expression over `event`, and then fails if told to. */
const reporting = (text: string, fails = false): string =>
  `exports.handler = async (event) => { await fetch(process.env.REPORT + '?' + encodeURIComponent(${text}));` +
  `${fails ? " throw new Error('always');" : ''} return {}; };`;

const target = async (rule: string, detailType: string, more: object): Promise<void> => {
  const pattern = JSON.stringify({ source: ['gap'], 'detail-type': [detailType] });
  await plain.clients.events.send(new PutRuleCommand({ Name: rule, EventPattern: pattern }));
  await plain.clients.events.send(new PutTargetsCommand({ Rule: rule, Targets: [{ Id: 't', Arn: '', ...more }] }));
};

/** Publishes an event and waits until another, sent after it, has come through: what was to come of it has come by then. */
const publishAndSettle = async (detailType: string, marker: string): Promise<void> => {
  const queue = await makeQueue(plain, marker);
  await target(marker, marker, { Arn: arnOf('sqs', marker) });
  await publish(plain, detailType);
  await publish(plain, marker);
  await waitFor(async () => (await bodies(plain, queue)).length > 0, { what: `the event ${marker}`, timeoutMs: SOON });
};

// A test that fails here says that MiniStack has closed a gap: take the mend and the row out of gaps.md.
describe('the gaps of EC2, EKS and IAM in MiniStack', () => {
  test('EC1 each subnet has 251 addresses, whatever its size, and filters it does not know are ignored', async () => {
    const { Vpc } = await plain.clients.ec2.send(new CreateVpcCommand({ CidrBlock: '10.0.0.0/24' }));
    await plain.clients.ec2.send(new CreateSubnetCommand({ VpcId: Vpc?.VpcId, CidrBlock: '10.0.0.16/28' }));
    const { Subnets = [] } = await plain.clients.ec2.send(
      new DescribeSubnetsCommand({ Filters: [{ Name: 'available-ip-address-count', Values: ['1'] }] }),
    );
    expect(Subnets.find((subnet) => subnet.CidrBlock === '10.0.0.16/28')?.AvailableIpAddressCount).toBe(251);
  });

  test('EK1 a cluster has a made-up VPC, and an add-on no version', async () => {
    await plain.clients.eks.send(
      new CreateClusterCommand({
        name: 'gap',
        roleArn: `arn:aws:iam::${ACCOUNT}:role/eks`,
        resourcesVpcConfig: { subnetIds: ['subnet-0123456789abcdef0'] },
      }),
    );
    const { cluster } = await plain.clients.eks.send(new DescribeClusterCommand({ name: 'gap' }));
    expect(cluster?.resourcesVpcConfig?.vpcId).toBe('vpc-00000000');
    await plain.clients.eks.send(new CreateAddonCommand({ clusterName: 'gap', addonName: 'vpc-cni' }));
    const { addon } = await plain.clients.eks.send(
      new DescribeAddonCommand({ clusterName: 'gap', addonName: 'vpc-cni' }),
    );
    expect(addon?.addonVersion ?? '').toBe('');
  });

  test('IA1 a role that does not exist can be assumed, and may do anything', async () => {
    const { Credentials } = await plain.clients.sts.send(
      new AssumeRoleCommand({ RoleArn: `arn:aws:iam::${ACCOUNT}:role/nobody`, RoleSessionName: 'x' }),
    );
    const sns = new SNSClient({
      region: REGION,
      endpoint: plain.endpoint,
      credentials: {
        accessKeyId: Credentials?.AccessKeyId ?? '',
        secretAccessKey: 'wrong',
        sessionToken: Credentials?.SessionToken ?? '',
      },
    });
    await expect(sns.send(new ListTopicsCommand({}))).resolves.toMatchObject({ $metadata: { httpStatusCode: 200 } });
    sns.destroy();
  });

  test('SQ1 there are no service quotas', async () => {
    const response = await fetch(plain.endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': 'ServiceQuotasV20190624.ListServiceQuotas',
        authorization: `AWS4-HMAC-SHA256 Credential=test/20261130/${REGION}/servicequotas/aws4_request, SignedHeaders=host, Signature=x`,
      },
      body: '{"ServiceCode":"vpc"}',
    });
    expect(response.status).toBeGreaterThanOrEqual(400);
  });
});

describe('the gaps of EventBridge and Lambda in MiniStack', () => {
  test('EB1 PutEvents refuses what AWS itself sends', async () => {
    const { FailedEntryCount } = await plain.clients.events.send(
      new PutEventsCommand({ Entries: [{ Source: 'aws.ec2', DetailType: 'any', Detail: '{}' }] }),
    );
    expect(FailedEntryCount).toBe(1);
  });

  test("EB2 an event that no target takes is not in the target's dead-letter queue", async () => {
    const dead = await makeQueue(plain, 'eb2-dead');
    await target('eb2', 'eb2', {
      Arn: arnOf('lambda', 'no-such-function'),
      DeadLetterConfig: { Arn: arnOf('sqs', 'eb2-dead') },
      RetryPolicy: { MaximumRetryAttempts: 0 },
    });
    await publishAndSettle('eb2', 'eb2-after');
    expect(await bodies(plain, dead)).toEqual([]);
  });

  test('EB3 a FIFO target takes the same content twice', async () => {
    const fifo = await makeQueue(plain, 'eb3.fifo', { FifoQueue: 'true', ContentBasedDeduplication: 'true' });
    await target('eb3', 'eb3', {
      Arn: arnOf('sqs', 'eb3.fifo'),
      Input: '"same"',
      SqsParameters: { MessageGroupId: 'g' },
    });
    await publish(plain, 'eb3');
    await publishAndSettle('eb3', 'eb3-after');
    expect(await bodies(plain, fifo)).toHaveLength(2);
  });

  test('EB4 the time of an event is when it came, not what its sender says', async () => {
    const queue = await makeQueue(plain, 'eb4');
    await target('eb4', 'eb4', { Arn: arnOf('sqs', 'eb4') });
    await publish(plain, 'eb4');
    const [body] = await waitFor(
      async () => {
        const seen = await bodies(plain, queue);
        return seen.length > 0 && seen;
      },
      { what: 'the event', timeoutMs: SOON },
    );
    expect((JSON.parse(body ?? '{}') as { time: string }).time).not.toMatch(/^1970/);
  });

  test('LA1 a function that a rule starts and that fails is not tried again, and has no metrics', async () => {
    await createStack(plain, 'la1', { F: inlineFunction('la1', reporting("'la1'", true)) });
    await target('la1', 'la1', { Arn: arnOf('lambda', 'la1') });
    await publish(plain, 'la1');
    const tries = (): number => reports.seen().filter((text) => text === 'la1').length;
    await waitFor(() => tries() > 0, { what: 'the first try', timeoutMs: SOON });
    const { Metrics = [] } = await plain.clients.cloudwatch.send(
      new ListMetricsCommand({
        Namespace: 'AWS/Lambda',
        Dimensions: [{ Name: 'FunctionName', Value: 'la1' }],
      }),
    );
    expect(Metrics).toEqual([]);
    // Where MiniStack retries, the second try comes after LAMBDA_ASYNC_RETRY_BASE_SECONDS, a minute of the testbed.
    const second = waitFor(() => tries() > 1, { what: 'a second try', timeoutMs: 2 * plain.minuteMs });
    await expect(second).rejects.toThrow('in vain');
  });

  test("LA2 a template's DeadLetterConfig is dropped", async () => {
    await makeQueue(plain, 'la2-dead');
    const more = { DeadLetterConfig: { TargetArn: arnOf('sqs', 'la2-dead') } };
    await createStack(plain, 'la2', { F: inlineFunction('la2', reporting("'la2'"), more) });
    const { DeadLetterConfig } = await plain.clients.lambda.send(
      new GetFunctionConfigurationCommand({ FunctionName: 'la2' }),
    );
    expect(DeadLetterConfig).toBeUndefined();
  });

  test('LA3 a queue hands over ten messages at most, at once', async () => {
    await createStack(plain, 'la3', { F: inlineFunction('la3', reporting("'la3 ' + event.Records.length")) });
    const queue = await makeQueue(plain, 'la3');
    for (const half of [0, 1]) {
      const Entries = Array.from({ length: 10 }, (_, index) => ({ Id: `${half}-${index}`, MessageBody: 'm' }));
      await plain.clients.sqs.send(new SendMessageBatchCommand({ QueueUrl: queue, Entries }));
    }
    await plain.clients.lambda.send(
      new CreateEventSourceMappingCommand({
        FunctionName: 'la3',
        EventSourceArn: arnOf('sqs', 'la3'),
        BatchSize: 100,
        MaximumBatchingWindowInSeconds: 5,
      }),
    );
    const sizes = (): number[] =>
      reports.seen().flatMap((text) => (text.startsWith('la3 ') ? [Number(text.slice(4))] : []));
    await waitFor(() => sizes().reduce((sum, size) => sum + size, 0) === 20, {
      what: 'twenty messages',
      timeoutMs: SOON,
    });
    expect(Math.max(...sizes())).toBeLessThanOrEqual(10);
  });

  test('LA4 a function URL says nothing of who called', async () => {
    const code =
      'exports.handler = async (event) => ({ statusCode: 200, body: JSON.stringify(event.requestContext) });';
    await createStack(plain, 'la4', { F: inlineFunction('la4', code) });
    const { FunctionUrl } = await plain.clients.lambda.send(
      new CreateFunctionUrlConfigCommand({ FunctionName: 'la4', AuthType: 'AWS_IAM' }),
    );
    const { status, body } = await callFunctionUrl(plain.endpoint, FunctionUrl ?? '', {
      credentials: { accessKeyId: 'test', secretAccessKey: 'not checked' },
    });
    expect(status).toBe(200);
    expect(JSON.parse(body)).not.toHaveProperty('authorizer');
  });

  test('LA5 packages that are not bundled are replaced by stand-ins that lack what the SDK has', async () => {
    const kind =
      "(() => { try { return typeof require('@aws-sdk/client-ec2').paginateDescribeSubnets } catch { return 'missing' } })()";
    const code = reporting(`'la5 ' + ${kind}`);
    await createStack(plain, 'la5', { F: inlineFunction('la5', code) });
    await target('la5', 'la5', { Arn: arnOf('lambda', 'la5') });
    await publish(plain, 'la5');
    const [seen] = await waitFor(
      () => {
        const found = reports.seen().filter((text) => text.startsWith('la5'));
        return found.length > 0 && found;
      },
      { what: 'the report', timeoutMs: SOON },
    );
    expect(seen).not.toBe('la5 function');
  });

  test('LA6 every function has the same credentials', async () => {
    await createStack(plain, 'la6', {
      A: inlineFunction('la6-a', reporting("'la6 ' + process.env.AWS_ACCESS_KEY_ID")),
      B: inlineFunction('la6-b', reporting("'la6 ' + process.env.AWS_ACCESS_KEY_ID")),
    });
    await target('la6-a', 'la6', { Arn: arnOf('lambda', 'la6-a') });
    await target('la6-b', 'la6', { Arn: arnOf('lambda', 'la6-b') });
    await publish(plain, 'la6');
    const seen = await waitFor(
      () => {
        const found = reports.seen().filter((text) => text.startsWith('la6'));
        return found.length === 2 && found;
      },
      { what: 'both reports', timeoutMs: SOON },
    );
    expect(new Set(seen)).toEqual(new Set([`la6 ${ACCOUNT}`]));
  });
});
