/** The requests of clients whose endpoints or signing a bundle has less of: run from source and from a bundle, they must be the same. */
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { CreateTagsCommand, DescribeSubnetsCommand, EC2Client } from '@aws-sdk/client-ec2';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import type { HttpRequest } from '@smithy/types';

const REGIONS = ['us-east-1', 'eu-central-1', 'cn-north-1', 'us-gov-west-1'];
const Bucket = 'headroom-snapshots';

/** What differs from one second, call or process to the next. */
const PASSING = /^(?:x-amz-date|amz-sdk-invocation-id|user-agent|x-amz-user-agent)$/;

function told(request: HttpRequest) {
  const { method, protocol, hostname, path, query, headers } = request;
  const kept = Object.entries(headers).map(([name, value]) => [name, PASSING.test(name) ? '*' : unsigned(value)]);
  return {
    method,
    protocol,
    hostname,
    path,
    query,
    headers: Object.fromEntries(kept) as unknown,
    body: String(request.body),
  };
}

/** Service, region and signed headers of a signature, without its day and value. */
function unsigned(value: string): string {
  return value.replace(/\/\d{8}\//, '/day/').replace(/Signature=\w+/, '');
}

const FLAGS = [false, true];
const ENDPOINTS = REGIONS.flatMap((region) =>
  FLAGS.flatMap((useFipsEndpoint) =>
    FLAGS.map((useDualstackEndpoint) => ({ region, useFipsEndpoint, useDualstackEndpoint })),
  ),
);

/** The requests as they would be sent, or why there is none. */
export async function requests(): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  const requestHandler = {
    handle: (request: HttpRequest): Promise<never> => {
      all.push(told(request));
      return Promise.reject(new Error('not sent'));
    },
  };
  const credentials = { accessKeyId: 'AKIA', secretAccessKey: 'secret', sessionToken: 'token' };
  for (const endpoint of ENDPOINTS) {
    const how = { ...endpoint, requestHandler, credentials, maxAttempts: 1 };
    const s3 = new S3Client(how);
    const ec2 = new EC2Client(how);
    const calls: readonly (() => Promise<unknown>)[] = [
      () => s3.send(new GetObjectCommand({ Bucket, Key: 'facts/a b.json' })),
      () => s3.send(new PutObjectCommand({ Bucket, Key: 'latest', Body: 'text', ContentEncoding: 'gzip' })),
      () => s3.send(new ListObjectsV2Command({ Bucket, Prefix: 'facts/' })),
      () => s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: 'a' }], Quiet: true } })),
      () => new DynamoDBClient(how).send(new PutItemCommand({ TableName: 'state', Item: { pk: { S: 'a' } } })),
      () => new EventBridgeClient(how).send(new PutEventsCommand({ Entries: [{ Source: 'headroom' }] })),
      () => ec2.send(new DescribeSubnetsCommand({ Filters: [{ Name: 'vpc-id', Values: ['vpc-1'] }] })),
      () => ec2.send(new CreateTagsCommand({ Resources: ['subnet-1'], Tags: [{ Key: 'a', Value: 'b' }] })),
    ];
    for (const call of calls) {
      await call().catch(({ name, message }: Error) => {
        if (message !== 'not sent') all.push({ ...endpoint, name, message });
      });
    }
  }
  return all;
}
