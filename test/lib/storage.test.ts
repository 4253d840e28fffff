import { describe, expect, test } from '@jest/globals';
import { lookup, readable, synthesise } from './template.ts';

const template = synthesise();
const { all, only } = lookup(template);

describe('what is kept, and who may come near', () => {
  test('one key, whose policy lets in what must use it', () => {
    const { KeyPolicy, EnableKeyRotation } = only('AWS::KMS::Key', 'Encryption').Properties;
    expect(EnableKeyRotation).toBe(true);
    const use = ['kms:Decrypt', 'kms:GenerateDataKey*'];
    const account = { 'aws:SourceAccount': '<AWS::AccountId>' };
    const letIn = (sid: string, service: string, condition?: object) => ({
      Sid: sid,
      Effect: 'Allow',
      Principal: { Service: service },
      Action: use,
      Resource: '*',
      ...(condition === undefined ? {} : { Condition: condition }),
    });
    expect((readable(KeyPolicy) as { Statement: unknown }).Statement).toEqual([
      {
        Effect: 'Allow',
        Principal: { AWS: 'arn:<AWS::Partition>:iam::<AWS::AccountId>:root' },
        Action: 'kms:*',
        Resource: '*',
      },
      letIn('AlarmsToTopics', 'cloudwatch.amazonaws.com', {
        StringEquals: account,
        ArnLike: { 'aws:SourceArn': 'arn:<AWS::Partition>:cloudwatch:<AWS::Region>:<AWS::AccountId>:alarm:headroom/*' },
      }),
      letIn('TopicsToSubscribedQueues', 'sns.amazonaws.com', { StringEquals: account }),
      letIn('RulesToQueues', 'events.amazonaws.com'),
    ]);
  });

  test('topics, queues and bucket are encrypted with it', () => {
    const key = '<EncryptionKey.Arn>';
    expect(all('AWS::SNS::Topic').map(({ Properties }) => readable(Properties.KmsMasterKeyId))).toEqual([
      key,
      key,
      key,
      key,
    ]);
    expect(all('AWS::SQS::Queue').map(({ Properties }) => readable(Properties.KmsMasterKeyId))).toEqual([
      key,
      key,
      key,
      key,
      key,
      key,
    ]);
    expect(readable(only('AWS::S3::Bucket', 'Storage').Properties.BucketEncryption)).toEqual({
      ServerSideEncryptionConfiguration: [
        {
          BucketKeyEnabled: true,
          ServerSideEncryptionByDefault: { KMSMasterKeyID: key, SSEAlgorithm: 'aws:kms' },
        },
      ],
    });
  });

  test('nothing is spoken without TLS', () => {
    for (const type of ['AWS::SNS::TopicPolicy', 'AWS::SQS::QueuePolicy', 'AWS::S3::BucketPolicy'] as const) {
      const policies = all(type);
      const expected = { 'AWS::SNS::TopicPolicy': 4, 'AWS::SQS::QueuePolicy': 6, 'AWS::S3::BucketPolicy': 1 }[type];
      expect(policies.length).toBe(expected);
      for (const { Properties } of policies) {
        const { Statement } = Properties.PolicyDocument as { Statement: readonly object[] };
        expect(Statement).toContainEqual(
          expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
        );
      }
    }
  });

  test('only rules of this account may fill the queues', () => {
    for (const { Properties } of all('AWS::SQS::QueuePolicy')) {
      const { Statement } = Properties.PolicyDocument as {
        Statement: readonly { Effect: string; Condition?: unknown }[];
      };
      for (const statement of Statement.filter(({ Effect }) => Effect === 'Allow')) {
        expect(JSON.stringify(statement.Condition)).toMatch(/aws:SourceAccount|aws:SourceArn/);
      }
    }
  });

  test('only alarms of Headroom may publish to its topics by policy', () => {
    for (const { Properties } of all('AWS::SNS::TopicPolicy')) {
      const { Statement } = readable(Properties.PolicyDocument) as { Statement: readonly { Effect: string }[] };
      expect(Statement.filter(({ Effect }) => Effect === 'Allow')).toEqual([
        expect.objectContaining({
          Action: 'sns:Publish',
          Principal: { Service: 'cloudwatch.amazonaws.com' },
          Condition: {
            StringEquals: { 'aws:SourceAccount': '<AWS::AccountId>' },
            ArnLike: {
              'aws:SourceArn': 'arn:<AWS::Partition>:cloudwatch:<AWS::Region>:<AWS::AccountId>:alarm:headroom/*',
            },
          },
        }),
      ]);
    }
  });

  test('the table is paid by use, forgets what has expired, and can be brought back', () => {
    expect(only('AWS::DynamoDB::Table', 'Storage').Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });
  });

  test('snapshots are kept for a month, facts and caches are not touched by it', () => {
    const { LifecycleConfiguration } = only('AWS::S3::Bucket', 'Storage').Properties as {
      LifecycleConfiguration: { Rules: readonly { Id: string; Prefix?: string; ExpirationInDays?: number }[] };
    };
    expect(LifecycleConfiguration.Rules.filter(({ ExpirationInDays }) => ExpirationInDays !== undefined)).toEqual([
      expect.objectContaining({ Id: 'snapshots', Prefix: 'snapshots/', ExpirationInDays: 30, Status: 'Enabled' }),
    ]);
  });

  test('all of it goes with the stack', () => {
    for (const type of ['AWS::KMS::Key', 'AWS::DynamoDB::Table', 'AWS::S3::Bucket']) {
      expect(all(type).map(({ DeletionPolicy }) => DeletionPolicy)).toEqual(['Delete']);
    }
  });

  test('cleanup goes first: it depends on schedule, function, queue and bucket', () => {
    const { DependsOn = [] } = only('AWS::CloudFormation::CustomResource', 'CleanupOnDelete');
    for (const start of [
      'ObserverTick',
      'ObserverObserveFunction',
      'ObserverChangesQueue',
      'StorageBucket',
      'StorageTable',
    ]) {
      expect(DependsOn.some((id) => id.startsWith(start))).toBe(true);
    }
  });
});
