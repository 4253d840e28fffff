import { randomBytes } from 'node:crypto';
import { CloudWatchClient, DeleteAlarmsCommand, PutMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import { DynamoDBClient, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { CreateTagsCommand, EC2Client } from '@aws-sdk/client-ec2';
import { EKSClient, ListNodegroupsCommand } from '@aws-sdk/client-eks';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { DeleteObjectsCommand, GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { SmithyRpcV2CborProtocol } from '@smithy/core/cbor';
import type { RecordedCall } from './call.ts';
import { type Recorder, startRecorder } from './proxy.ts';

const CALLER = {
  functionName: 'observe',
  functionArn: 'arn:aws:lambda:eu-west-1:111122223333:function:observe',
  roleArn: 'arn:aws:iam::111122223333:role/observe',
};

let recorder: Recorder;
let settings: {
  region: string;
  endpoint: string;
  maxAttempts: number;
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken: string };
};

beforeAll(async () => {
  // Nothing listens there: every call is answered by the interceptor.
  recorder = await startRecorder({ emulator: 'http://127.0.0.1:9' });
  recorder.intercept(() => ({
    status: 400,
    headers: { 'content-type': 'application/json' },
    body: '{"__type":"Stop"}',
  }));
  settings = {
    region: 'eu-west-1',
    endpoint: recorder.url,
    maxAttempts: 1,
    credentials: {
      accessKeyId: 'ASIA0',
      secretAccessKey: 's',
      sessionToken: Buffer.from(JSON.stringify(CALLER)).toString('base64url'),
    },
  };
});

beforeEach(() => recorder.clear());

afterAll(() => recorder.stop());

/** The one call that the real client made: what it was refused with does not matter. */
const recorded = async (send: Promise<unknown>): Promise<RecordedCall> => {
  await send.catch(() => undefined);
  const [call, ...others] = recorder.calls();
  expect(others).toEqual([]);
  expect(call).toMatchObject({ ...CALLER, region: 'eu-west-1', status: 400 });
  return call as RecordedCall;
};

const arn = (service: string, rest: string): string => `arn:aws:${service}:eu-west-1:111122223333:${rest}`;

test('a compressed PutMetricData is read, and its namespace is what IAM asks for', async () => {
  const MetricData = Array.from({ length: 300 }, () => ({ MetricName: randomBytes(40).toString('hex'), Value: 1 }));
  const call = await recorded(
    new CloudWatchClient(settings).send(new PutMetricDataCommand({ Namespace: 'Headroom', MetricData })),
  );
  expect(call.params.MetricData).toHaveLength(300);
  expect(call.requires).toEqual([
    { action: 'cloudwatch:PutMetricData', resource: '*', context: { 'cloudwatch:namespace': 'Headroom' } },
  ]);
});

test('RPC v2 CBOR is read as JSON is', async () => {
  const client = new CloudWatchClient({ ...settings, protocol: SmithyRpcV2CborProtocol });
  const call = await recorded(client.send(new DeleteAlarmsCommand({ AlarmNames: ['a', 'b'] })));
  expect(call).toMatchObject({ service: 'cloudwatch', action: 'DeleteAlarms', params: { AlarmNames: ['a', 'b'] } });
  expect(call.requires.map((each) => each.resource)).toEqual([
    arn('cloudwatch', 'alarm:a'),
    arn('cloudwatch', 'alarm:b'),
  ]);
});

test('tags on EC2 resources carry the keys and values that conditions are made on', async () => {
  const call = await recorded(
    new EC2Client(settings).send(
      new CreateTagsCommand({
        Resources: ['subnet-1', 'eni-2'],
        Tags: [{ Key: 'karpenter.sh/discovery', Value: 'prod' }],
      }),
    ),
  );
  const context = { 'aws:TagKeys': ['karpenter.sh/discovery'], 'aws:RequestTag/karpenter.sh/discovery': 'prod' };
  expect(call.requires).toEqual([
    { action: 'ec2:CreateTags', resource: arn('ec2', 'subnet/subnet-1'), context },
    { action: 'ec2:CreateTags', resource: arn('ec2', 'network-interface/eni-2'), context },
  ]);
});

test('a transaction needs the action of each of its items', async () => {
  const call = await recorded(
    new DynamoDBClient(settings).send(
      new TransactWriteItemsCommand({
        TransactItems: [
          { Put: { TableName: 't', Item: {} } },
          { ConditionCheck: { TableName: 't', Key: {}, ConditionExpression: 'x' } },
        ],
      }),
    ),
  );
  expect(call.requires).toEqual([
    { action: 'dynamodb:PutItem', resource: arn('dynamodb', 'table/t'), context: {} },
    { action: 'dynamodb:ConditionCheckItem', resource: arn('dynamodb', 'table/t'), context: {} },
  ]);
});

test.each<[string, () => Promise<unknown>, string, string]>([
  [
    'GetObject',
    () => new S3Client(settings).send(new GetObjectCommand({ Bucket: 'b', Key: 'x/y z' })),
    's3:GetObject',
    'arn:aws:s3:::b/x/y z',
  ],
  [
    'ListObjectsV2',
    () => new S3Client(settings).send(new ListObjectsV2Command({ Bucket: 'b', Prefix: 'x/' })),
    's3:ListBucket',
    'arn:aws:s3:::b',
  ],
  [
    'DeleteObjects',
    () => new S3Client(settings).send(new DeleteObjectsCommand({ Bucket: 'b', Delete: { Objects: [{ Key: 'k' }] } })),
    's3:DeleteObject',
    'arn:aws:s3:::b/*',
  ],
  [
    'ListNodegroups',
    () => new EKSClient(settings).send(new ListNodegroupsCommand({ clusterName: 'prod' })),
    'eks:ListNodegroups',
    arn('eks', 'cluster/prod'),
  ],
  [
    'Invoke',
    () => new LambdaClient(settings).send(new InvokeCommand({ FunctionName: 'f' })),
    'lambda:InvokeFunction',
    arn('lambda', 'function:f'),
  ],
  [
    'Publish',
    () => new SNSClient(settings).send(new PublishCommand({ TopicArn: arn('sns', 't'), Message: 'm' })),
    'sns:Publish',
    arn('sns', 't'),
  ],
  [
    'GetSecretValue',
    () => new SecretsManagerClient(settings).send(new GetSecretValueCommand({ SecretId: 's' })),
    'secretsmanager:GetSecretValue',
    arn('secretsmanager', 'secret:s'),
  ],
  [
    'SendMessageBatch',
    () =>
      new SQSClient(settings).send(
        new SendMessageBatchCommand({
          QueueUrl: 'https://sqs.eu-west-1.amazonaws.com/111122223333/q',
          Entries: [{ Id: '1', MessageBody: 'm' }],
        }),
      ),
    'sqs:SendMessage',
    arn('sqs', 'q'),
  ],
  [
    'PutEvents',
    () =>
      new EventBridgeClient(settings).send(
        new PutEventsCommand({ Entries: [{ Source: 's', DetailType: 'd', Detail: '{}', EventBusName: 'bus' }] }),
      ),
    'events:PutEvents',
    arn('events', 'event-bus/bus'),
  ],
])('%s is told apart and needs its permission', async (action, send, permission, resource) => {
  const call = await recorded(send());
  expect(call.action).toBe(action);
  expect(call.requires.map((each) => [each.action, each.resource])).toEqual([[permission, resource]]);
});

test('a request that fits no known operation is not taken for one', async () => {
  const response = await fetch(`${recorder.url}/clusters/prod/no-such-thing`, {
    headers: {
      authorization:
        'AWS4-HMAC-SHA256 Credential=A/20261130/eu-west-1/eks/aws4_request, SignedHeaders=host, Signature=x',
    },
  });
  await response.arrayBuffer();
  expect(recorder.calls().map((call) => call.requires[0]?.action)).toEqual(['eks:UnknownOperation']);
});
