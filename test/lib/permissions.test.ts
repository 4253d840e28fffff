import { describe, expect, test } from '@jest/globals';
import { READ_PERMISSIONS } from '../../lambdas/contract/read-calls.ts';
import { type Resource, readable, resourcesOf, synthesise, type Template } from './template.ts';

interface Statement {
  readonly Sid: string;
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: unknown;
}

const PARTITION_REGION_ACCOUNT = '<AWS::Region>:<AWS::AccountId>';
const ALARMS = [
  `arn:<AWS::Partition>:cloudwatch:${PARTITION_REGION_ACCOUNT}:alarm:headroom/*/*/critical`,
  `arn:<AWS::Partition>:cloudwatch:${PARTITION_REGION_ACCOUNT}:alarm:headroom/*/*/warning`,
];
const via = (...services: string[]) => ({
  StringLike: { 'kms:ViaService': services.map((service) => `${service}.<AWS::Region>.amazonaws.com*`) },
});
const allow = (sid: string, action: string | string[], resource: string | string[], condition?: object): Statement => ({
  Sid: sid,
  Effect: 'Allow',
  Action: action,
  Resource: resource,
  ...(condition === undefined ? {} : { Condition: condition }),
});
const key = (...services: string[]) =>
  allow('UseKey', ['kms:Decrypt', 'kms:GenerateDataKey'], '<EncryptionKey.Arn>', via(...services));

/** Every statement of every role in the default deployment, written by hand: a change of a permission is a change here. */
const EXPECTED: Readonly<Record<string, readonly Statement[]>> = {
  ObserverObserveRole: [
    allow('WriteOwnLogs', ['logs:CreateLogStream', 'logs:PutLogEvents'], '<ObserverObserveLogs.Arn>'),
    allow(
      'ReadNetwork',
      [
        'ec2:DescribeAvailabilityZones',
        'ec2:DescribeInstanceTypes',
        'ec2:DescribeInstances',
        'ec2:DescribeNetworkAcls',
        'ec2:DescribeNetworkInterfaces',
        'ec2:DescribeRouteTables',
        'ec2:DescribeSubnets',
        'ec2:DescribeVpcs',
        'ec2:GetSubnetCidrReservations',
      ],
      '*',
      { StringEquals: { 'aws:RequestedRegion': '<AWS::Region>' } },
    ),
    allow('ListClusters', 'eks:ListClusters', '*'),
    allow(
      'ReadClusters',
      ['eks:DescribeCluster', 'eks:ListNodegroups'],
      `arn:<AWS::Partition>:eks:${PARTITION_REGION_ACCOUNT}:cluster/*`,
    ),
    allow(
      'ReadNodegroupsAndAddons',
      ['eks:DescribeNodegroup', 'eks:DescribeAddon'],
      [
        `arn:<AWS::Partition>:eks:${PARTITION_REGION_ACCOUNT}:nodegroup/*/*/*`,
        `arn:<AWS::Partition>:eks:${PARTITION_REGION_ACCOUNT}:addon/*/*/*`,
      ],
    ),
    allow('FindTrails', 'cloudtrail:DescribeTrails', '*'),
    allow(
      'ReadTrails',
      ['cloudtrail:GetTrailStatus', 'cloudtrail:GetEventSelectors'],
      'arn:<AWS::Partition>:cloudtrail:*:*:trail/*',
    ),
    allow('PublishMetrics', 'cloudwatch:PutMetricData', '*', { StringEquals: { 'cloudwatch:namespace': 'Headroom' } }),
    allow('KeepAlarms', ['cloudwatch:PutMetricAlarm', 'cloudwatch:PutCompositeAlarm'], ALARMS, {
      'ForAllValues:StringEquals': { 'cloudwatch:AlarmActions': ['<TopicsCritical>', '<TopicsWarning>'] },
    }),
    allow('RemoveAlarms', ['cloudwatch:DeleteAlarms', 'cloudwatch:SetAlarmState'], ALARMS),
    allow('ReadAlarms', 'cloudwatch:DescribeAlarms', '*'),
    allow('ReadSubscribers', 'sns:GetTopicAttributes', ['<TopicsCritical>', '<TopicsWarning>']),
    allow('SendEvents', 'events:PutEvents', '<Bus.Arn>', {
      'ForAllValues:StringEquals': { 'events:source': 'headroom' },
    }),
    allow(
      'KeepState',
      ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'],
      '<StorageTable.Arn>',
    ),
    allow('KeepSnapshots', 's3:PutObject', ['<StorageBucket.Arn>/snapshots/*', '<StorageBucket.Arn>/cache/*']),
    allow('ReadCacheAndFacts', 's3:GetObject', ['<StorageBucket.Arn>/cache/*', '<StorageBucket.Arn>/facts/*']),
    allow('ListCacheAndFacts', 's3:ListBucket', '<StorageBucket.Arn>', {
      StringLike: { 's3:prefix': ['cache/*', 'facts/*'] },
    }),
    allow(
      'ConsumeQueue',
      ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
      '<ObserverChangesQueue.Arn>',
    ),
    allow('SendDeadLetters', 'sqs:SendMessage', '<ObserverChangesDeadLetters.Arn>'),
    key('sqs', 's3'),
  ],
  ReactorReactRole: [
    allow('WriteOwnLogs', ['logs:CreateLogStream', 'logs:PutLogEvents'], '<ReactorReactLogs.Arn>'),
    allow('ResolveInterfaces', 'ec2:DescribeNetworkInterfaces', '*', {
      StringEquals: { 'aws:RequestedRegion': '<AWS::Region>' },
    }),
    allow('FoldRepeats', ['dynamodb:GetItem', 'dynamodb:PutItem'], '<StorageTable.Arn>'),
    allow('ReadSnapshot', 's3:GetObject', '<StorageBucket.Arn>/cache/*'),
    allow('ListSnapshot', 's3:ListBucket', '<StorageBucket.Arn>', { StringLike: { 's3:prefix': 'cache/*' } }),
    allow('PublishLag', 'cloudwatch:PutMetricData', '*', { StringEquals: { 'cloudwatch:namespace': 'Headroom' } }),
    allow('SendEvents', 'events:PutEvents', '<Bus.Arn>', {
      'ForAllValues:StringEquals': { 'events:source': 'headroom' },
    }),
    allow(
      'ConsumeQueue',
      ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
      '<ReactorFailuresQueue.Arn>',
    ),
    key('sqs', 's3'),
  ],
  NotifierNotifyRole: [
    allow('WriteOwnLogs', ['logs:CreateLogStream', 'logs:PutLogEvents'], '<NotifierNotifyLogs.Arn>'),
    allow(
      'KeepMessages',
      ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query', 'dynamodb:DeleteItem'],
      '<StorageTable.Arn>',
    ),
    allow('SendMessages', 'sns:Publish', ['<TopicsMessages>', '<TopicsChat>', '<TopicsCritical>', '<TopicsWarning>']),
    allow(
      'ConsumeQueue',
      ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
      '<NotifierMessagesQueue.Arn>',
    ),
    key('sqs', 'sns'),
  ],
  WidgetRole: [
    allow('WriteOwnLogs', ['logs:CreateLogStream', 'logs:PutLogEvents'], '<WidgetLogs.Arn>'),
    allow('ReadLatestSnapshot', 's3:GetObject', '<StorageBucket.Arn>/cache/*/latest.json.gz'),
    allow('ListCache', 's3:ListBucket', '<StorageBucket.Arn>', { StringLike: { 's3:prefix': 'cache/*' } }),
    allow('Decrypt', 'kms:Decrypt', '<EncryptionKey.Arn>', via('s3')),
  ],
  CleanupRole: [
    allow('WriteOwnLogs', ['logs:CreateLogStream', 'logs:PutLogEvents'], '<CleanupLogs.Arn>'),
    allow('StopSchedule', 'events:DisableRule', '<ObserverTick.Arn>'),
    allow('StopObserve', 'lambda:PutFunctionConcurrency', '<ObserverObserveFunction.Arn>'),
    allow('FindAlarms', 'cloudwatch:DescribeAlarms', '*'),
    allow('RemoveAlarms', 'cloudwatch:DeleteAlarms', ALARMS),
    allow('ListObjects', 's3:ListBucket', '<StorageBucket.Arn>'),
    allow('RemoveObjects', 's3:DeleteObject', '<StorageBucket.Arn>/*'),
  ],
};

/** Statements by role, for every role of the template, wherever they are attached. */
function statementsByRole(template: Template): Readonly<Record<string, readonly Statement[]>> {
  const byRole: Record<string, Statement[]> = {};
  for (const [id, role] of resourcesOf(template, 'AWS::IAM::Role')) {
    const policies = (role.Properties.Policies ?? []) as readonly { PolicyDocument: { Statement: Statement[] } }[];
    byRole[id.replace(/[0-9A-F]{8}$/, '')] = readable(
      policies.flatMap((policy) => policy.PolicyDocument.Statement),
    ) as Statement[];
  }
  return byRole;
}

const list = (value: string | readonly string[]) => [value].flat();
/** AWS's own names for what does not change anything. */
const READS = /^(?:ec2|eks|cloudtrail|elasticloadbalancing):(?:Describe|Get|List)/;

describe('what each function may do', () => {
  const template = synthesise();
  const byRole = statementsByRole(template);

  test('is exactly the table above, role by role', () => {
    expect(byRole).toEqual(EXPECTED);
  });

  test('comes from nowhere else: no managed policy, no policy besides the roles', () => {
    for (const role of resourcesOf(template, 'AWS::IAM::Role').values()) {
      expect(role.Properties).not.toHaveProperty('ManagedPolicyArns');
    }
    expect([...resourcesOf(template, 'AWS::IAM::Policy').keys()]).toEqual([]);
    expect([...resourcesOf(template, 'AWS::IAM::ManagedPolicy').keys()]).toEqual([]);
  });

  test('changes nothing in EC2, EKS, load balancing or CloudTrail', () => {
    const actions = Object.values(byRole).flatMap((statements) => statements.flatMap(({ Action }) => list(Action)));
    const network = actions.filter((action) => /^(?:ec2|eks|cloudtrail|elasticloadbalancing):/.test(action));
    expect(network.length).toBeGreaterThan(10);
    expect(network.filter((action) => !READS.test(action))).toEqual([]);
  });

  test('is enough for every call that reading a region makes', () => {
    const actions = byRole.ObserverObserveRole?.flatMap(({ Action }) => list(Action));
    expect(actions).toEqual(expect.arrayContaining([...READ_PERMISSIONS]));
  });

  test('names no action by wildcard', () => {
    const actions = Object.values(byRole).flatMap((statements) => statements.flatMap(({ Action }) => list(Action)));
    expect(actions.filter((action) => action.includes('*'))).toEqual([]);
  });

  test('is assumed by Lambda alone', () => {
    for (const role of resourcesOf(template, 'AWS::IAM::Role').values()) {
      const { Statement: trust } = role.Properties.AssumeRolePolicyDocument as { Statement: unknown };
      expect(trust).toEqual([
        { Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' } },
      ]);
    }
  });
});

describe('a deployment with more of the configuration', () => {
  const topic = 'arn:aws:sns:eu-central-1:111122223333:prod-critical';
  const secret = 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:headroom-slack-AbCdEf';
  const boundary = 'arn:aws:iam::111122223333:policy/boundary';
  const keyArn = 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';
  const template = synthesise({
    clusters: { prod: { criticalTopicArn: topic } },
    notifications: { slackWebhookSecretArn: secret },
    deployment: {
      permissionsBoundaryArn: boundary,
      kmsKeyArn: keyArn,
      vpc: { subnetIds: ['subnet-0123456789abcdef0'], securityGroupIds: ['sg-0123456789abcdef0'] },
    },
  });
  const byRole = statementsByRole(template);
  const statement = (role: string, sid: string) => byRole[role]?.find(({ Sid }) => Sid === sid);

  test('lets alarms of a cluster speak to the topic of the cluster too', () => {
    expect(statement('ObserverObserveRole', 'KeepAlarms')?.Condition).toEqual({
      'ForAllValues:StringEquals': { 'cloudwatch:AlarmActions': ['<TopicsCritical>', '<TopicsWarning>', topic] },
    });
  });

  test('lets notify read the one secret', () => {
    expect(statement('NotifierNotifyRole', 'ReadWebhook')).toEqual(
      allow('ReadWebhook', 'secretsmanager:GetSecretValue', secret),
    );
  });

  test('uses the key that was brought along, and makes none', () => {
    expect(resourcesOf(template, 'AWS::KMS::Key').size).toBe(0);
    for (const role of ['ObserverObserveRole', 'NotifierNotifyRole']) {
      expect(statement(role, 'UseKey')?.Resource).toBe(keyArn);
    }
    for (const queue of resourcesOf(template, 'AWS::SQS::Queue').values()) {
      expect(queue.Properties.KmsMasterKeyId).toBe(keyArn);
    }
  });

  test('puts every role under the boundary', () => {
    const roles = [...resourcesOf(template, 'AWS::IAM::Role').values()];
    expect(roles.map(({ Properties }: Resource) => Properties.PermissionsBoundary)).toEqual(roles.map(() => boundary));
  });

  test('attaches the functions to the VPC, and keeps their code from using what Lambda needs for it', () => {
    for (const { Properties } of resourcesOf(template, 'AWS::Lambda::Function').values()) {
      expect(Properties.VpcConfig).toEqual({
        SubnetIds: ['subnet-0123456789abcdef0'],
        SecurityGroupIds: ['sg-0123456789abcdef0'],
      });
    }
    for (const role of Object.keys(byRole)) {
      const allowed = statement(role, 'LambdaAttachesToVpc');
      const denied = statement(role, 'CodeAttachesNothing');
      const writes = list(allowed?.Action ?? []).filter((action) => !READS.test(action));
      expect(writes.length).toBeGreaterThan(0);
      expect(denied?.Effect).toBe('Deny');
      expect([...list(denied?.Action ?? [])].sort()).toEqual([...writes].sort());
      expect(denied?.Condition).toEqual({
        ArnLike: { 'lambda:SourceFunctionArn': 'arn:<AWS::Partition>:lambda:*:<AWS::AccountId>:function:*' },
      });
    }
  });
});
