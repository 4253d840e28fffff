import { CloudWatchClient, PutMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { DescribeSubnetsCommand, EC2Client } from '@aws-sdk/client-ec2';
import { DescribeClusterCommand, EKSClient } from '@aws-sdk/client-eks';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import type { APIGatewayProxyEventV2, SQSEvent } from 'aws-lambda';

const table = process.env.TABLE;
const bucket = process.env.BUCKET;

/** Publishes the severity of each cluster, as the parameter has it. */
const tick = async (): Promise<void> => {
  const { Parameter } = await new SSMClient().send(new GetParameterCommand({ Name: '/tiny/severity' }));
  const severities = JSON.parse(Parameter?.Value ?? '{}') as Record<string, number>;
  await new CloudWatchClient().send(
    new PutMetricDataCommand({
      Namespace: 'Tiny',
      MetricData: Object.entries(severities).map(([cluster, value]) => ({
        MetricName: 'Severity',
        Dimensions: [{ Name: 'Cluster', Value: cluster }],
        Value: value,
      })),
    }),
  );
};

/** Asks EC2 and EKS, and keeps each change and who asked. */
const changed = async (event: SQSEvent): Promise<void> => {
  const { Subnets = [] } = await new EC2Client().send(new DescribeSubnetsCommand({ MaxResults: 5 }));
  const cluster = await new EKSClient()
    .send(new DescribeClusterCommand({ name: 'blue' }))
    .then(({ cluster: found }) => found?.status ?? 'unknown')
    .catch((error: unknown) => (error instanceof Error ? error.name : 'unknown'));
  const { Arn = '' } = await new STSClient().send(new GetCallerIdentityCommand());
  for (const record of event.Records) {
    await new DynamoDBClient().send(
      new PutItemCommand({
        TableName: table,
        Item: {
          pk: { S: record.messageId },
          body: { S: record.body },
          subnets: { S: Subnets.map((subnet) => subnet.SubnetId).join(',') },
          cluster: { S: cluster },
          caller: { S: Arn },
        },
      }),
    );
    await new S3Client().send(
      new PutObjectCommand({ Bucket: bucket, Key: `changes/${record.messageId}`, Body: record.body }),
    );
  }
};

type Event = SQSEvent | APIGatewayProxyEventV2 | { readonly 'detail-type': string };

/** Serves the schedule, the queue and the function URL; fails on any event of its own kind. */
export const handler = async (event: Event): Promise<unknown> => {
  if ('Records' in event) return changed(event);
  if ('requestContext' in event) {
    return { statusCode: 200, body: JSON.stringify({ requestContext: event.requestContext, node: process.version }) };
  }
  if (event['detail-type'] !== 'Scheduled Event') throw new Error(`cannot serve ${event['detail-type']}`);
  return tick();
};
