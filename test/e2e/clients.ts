import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EC2Client } from '@aws-sdk/client-ec2';
import { EKSClient } from '@aws-sdk/client-eks';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SNSClient } from '@aws-sdk/client-sns';
import { SQSClient } from '@aws-sdk/client-sqs';
import { SSMClient } from '@aws-sdk/client-ssm';
import { STSClient } from '@aws-sdk/client-sts';

/** The real SDK clients, pointed at the testbed. */
export const makeClients = (region: string, endpoint: string, ec2Endpoint: string) => {
  const settings = { region, endpoint, credentials: { accessKeyId: 'test', secretAccessKey: 'test' } };
  return {
    cloudformation: new CloudFormationClient(settings),
    cloudwatch: new CloudWatchClient(settings),
    dynamodb: new DynamoDBClient(settings),
    ec2: new EC2Client({ ...settings, endpoint: ec2Endpoint }),
    eks: new EKSClient(settings),
    events: new EventBridgeClient(settings),
    lambda: new LambdaClient(settings),
    s3: new S3Client({ ...settings, forcePathStyle: true }),
    secrets: new SecretsManagerClient(settings),
    sns: new SNSClient(settings),
    sqs: new SQSClient(settings),
    ssm: new SSMClient(settings),
    sts: new STSClient(settings),
  };
};

/** One client for each service that the tests talk to. */
export type Clients = ReturnType<typeof makeClients>;
