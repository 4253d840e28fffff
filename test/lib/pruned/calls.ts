/** Calls of many clients and what becomes of them, answers and errors: run from source and from a bundle, they must come to the same. */
import {
  CloudWatchClient,
  DeleteDashboardsCommand,
  DescribeAlarmsCommand,
  PutMetricDataCommand,
} from '@aws-sdk/client-cloudwatch';
import { DynamoDBClient, GetItemCommand, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import {
  DescribeInstancesCommand,
  DescribeNetworkInterfacesCommand,
  DescribeSubnetsCommand,
  EC2Client,
} from '@aws-sdk/client-ec2';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { LambdaClient, PutFunctionConcurrencyCommand } from '@aws-sdk/client-lambda';
import { DeleteObjectsCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';

export { requests } from './requests.ts';

/** So many that the request is compressed. */
const METRICS = Array.from({ length: 500 }, (_, index) => ({
  MetricName: `Free${index}`,
  Unit: 'Count' as const,
  Timestamp: new Date(1_800_000_000_000),
  Dimensions: [{ Name: 'SubnetId', Value: 'subnet-1' }],
  StatisticValues: { SampleCount: 2, Sum: index, Minimum: 0, Maximum: index },
}));

const TOPIC = 'arn:aws:sns:us-east-1:111122223333:alarms';

/** @param endpoint - of a server that answers as test/lib/pruned/answers.ts says. */
export async function outcomes(endpoint: string): Promise<readonly unknown[]> {
  const how = {
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'AKIA', secretAccessKey: 'secret' },
    maxAttempts: 1,
  };
  const s3 = new S3Client({ ...how, forcePathStyle: true });
  const cloudwatch = new CloudWatchClient(how);
  const ec2 = new EC2Client(how);
  // What is tried again is, in either mode.
  const patient = { ...how, maxAttempts: 3 };
  const Key = { pk: { S: 'scan' } };
  const calls: readonly (() => Promise<unknown>)[] = [
    () => new DynamoDBClient(how).send(new PutItemCommand({ TableName: 'state', Item: { pk: { S: 'a' } } })),
    () => s3.send(new GetObjectCommand({ Bucket: 'snapshots', Key: 'missing' })),
    async () => {
      const { Body, ...rest } = await s3.send(new GetObjectCommand({ Bucket: 'snapshots', Key: 'latest' }));
      return { ...rest, text: await Body?.transformToString() };
    },
    () => s3.send(new PutObjectCommand({ Bucket: 'snapshots', Key: 'latest', Body: 'text' })),
    () => s3.send(new DeleteObjectsCommand({ Bucket: 'snapshots', Delete: { Objects: [{ Key: 'a' }, { Key: 'b' }] } })),
    async () => {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket: 'snapshots', Key: 'damaged' }));
      return Body?.transformToByteArray();
    },
    () =>
      new S3Client({ ...patient, forcePathStyle: true }).send(
        new PutObjectCommand({ Bucket: 'snapshots', Key: 'busy', Body: Buffer.from('bytes') }),
      ),
    () => new DynamoDBClient(patient).send(new GetItemCommand({ TableName: 'state', Key, ConsistentRead: true })),
    () => new DynamoDBClient(how).send(new QueryCommand({ TableName: 'state', ExclusiveStartKey: Key })),
    () => new EC2Client({ ...patient, retryMode: 'adaptive' }).send(new DescribeNetworkInterfacesCommand({})),
    () => cloudwatch.send(new PutMetricDataCommand({ Namespace: 'Headroom', MetricData: METRICS })),
    () => cloudwatch.send(new DescribeAlarmsCommand({})),
    () => cloudwatch.send(new DeleteDashboardsCommand({ DashboardNames: ['gone'] })),
    () => ec2.send(new DescribeSubnetsCommand({ SubnetIds: ['subnet-1'] })),
    () => ec2.send(new DescribeInstancesCommand({})),
    () => new EventBridgeClient(how).send(new PutEventsCommand({ Entries: [] })),
    () =>
      new LambdaClient(how).send(
        new PutFunctionConcurrencyCommand({ FunctionName: 'gone', ReservedConcurrentExecutions: 0 }),
      ),
    () => new SecretsManagerClient(how).send(new GetSecretValueCommand({ SecretId: 'gone' })),
    () => new SNSClient(how).send(new PublishCommand({ TopicArn: TOPIC, Message: 'x' })),
    () => new SQSClient(how).send(new SendMessageCommand({ QueueUrl: `${endpoint}/1/q`, MessageBody: 'x' })),
    () => new SSMClient(how).send(new GetParameterCommand({ Name: '/headroom/stop' })),
  ];
  const all: unknown[] = [];
  for (const call of calls) all.push(await call().then(answer, failure));
  return all;
}

/** An answer with what came of it: how often it was tried, for how long and when aside. */
function answer(of: unknown): unknown {
  const { $metadata, ...rest } = of as { readonly $metadata?: { readonly totalRetryDelay?: number } };
  if ($metadata === undefined) return of;
  const { totalRetryDelay: _, ...metadata } = $metadata;
  return { ...rest, metadata };
}

function failure(error: unknown): unknown {
  const { name, message, $fault, $metadata } = error as Error & {
    readonly $fault?: string;
    readonly $metadata?: { readonly httpStatusCode?: number };
  };
  return { failed: { name, message, fault: $fault, status: $metadata?.httpStatusCode } };
}
