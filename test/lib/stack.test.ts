import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { ENVIRONMENT, variablesToSet } from '../../lambdas/contract/environment.ts';
import { DIMENSION_SETS, METRICS, type MetricDefinition } from '../../lambdas/contract/metrics.ts';
import { CLUSTER_ALARM_HEADINGS, isRunTimeAlarm, runbookAnchor, STACK_OUTPUTS } from '../../lambdas/contract/names.ts';
import { type Resource, readable, resourcesOf, synthesise } from './template.ts';

const template = synthesise();
const all = (type: string): readonly Resource[] => [...resourcesOf(template, type).values()];
const only = (type: string, idStart: string): Resource => {
  const found = [...resourcesOf(template, type)].filter(([id]) => id.startsWith(idStart));
  expect(found.map(([id]) => id)).toHaveLength(1);
  return found[0]![1];
};

describe('functions', () => {
  const byName = new Map([
    ['observe', only('AWS::Lambda::Function', 'ObserverObserveFunction')],
    ['react', only('AWS::Lambda::Function', 'ReactorReactFunction')],
    ['notify', only('AWS::Lambda::Function', 'NotifierNotifyFunction')],
    ['widget', only('AWS::Lambda::Function', 'WidgetFunction')],
    ['cleanup', only('AWS::Lambda::Function', 'CleanupFunction')],
  ] as const);

  test('there is none besides', () => {
    expect(all('AWS::Lambda::Function')).toHaveLength(byName.size);
  });

  test.each([...byName])('%s gets exactly the environment it reads', (name, { Properties }) => {
    const { Variables } = Properties.Environment as { Variables: Record<string, unknown> };
    expect(Object.keys(Variables).sort()).toEqual([...variablesToSet(name).values()].sort());
    expect(ENVIRONMENT[name].length).toBeGreaterThan(0);
  });

  test('run on arm64 and Node.js 24, outside any VPC, with no reserved concurrency', () => {
    for (const { Properties } of byName.values()) {
      expect(Properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'], Handler: 'index.handler' });
      expect(Properties).not.toHaveProperty('VpcConfig');
      expect(Properties).not.toHaveProperty('ReservedConcurrentExecutions');
    }
  });

  test('keep their logs for as long as the configuration says, and no longer than the stack', () => {
    const groups = all('AWS::Logs::LogGroup');
    expect(groups).toHaveLength(byName.size);
    for (const { Properties, DeletionPolicy } of groups) {
      expect(Properties.RetentionInDays).toBe(30);
      expect(DeletionPolicy).toBe('Delete');
    }
  });

  test('no code of the CDK runs in the account: the one custom resource is ours', () => {
    expect(all('AWS::CloudFormation::CustomResource')).toHaveLength(1);
    const types = Object.values(template.Resources).map(({ Type }) => Type);
    expect(types.filter((type) => type.startsWith('Custom::'))).toEqual([]);
  });
});

describe('when observe runs', () => {
  test('every minute', () => {
    expect(only('AWS::Events::Rule', 'ObserverTick').Properties.ScheduleExpression).toBe('rate(1 minute)');
    const slow = synthesise({ schedule: { tick: '5 minutes' } });
    const [tick] = [...resourcesOf(slow, 'AWS::Events::Rule')].filter(([id]) => id.startsWith('ObserverTick'));
    expect(tick?.[1].Properties.ScheduleExpression).toBe('rate(5 minutes)');
  });

  const pattern = (id: string) => only('AWS::Events::Rule', `Observer${id}`).Properties.EventPattern;
  const call = 'AWS API Call via CloudTrail';
  const succeeded = [{ exists: false }];

  test('after instances came or went', () => {
    expect(pattern('Instances')).toEqual({
      source: ['aws.ec2'],
      'detail-type': ['EC2 Instance State-change Notification'],
      detail: { state: ['running', 'terminated'] },
    });
  });

  test('after calls that change subnets, VPC ranges or reservations, and succeeded', () => {
    expect(pattern('Subnets8')).toEqual({
      source: ['aws.ec2'],
      'detail-type': [call],
      detail: {
        eventSource: ['ec2.amazonaws.com'],
        eventName: [
          'CreateSubnet',
          'DeleteSubnet',
          'AssociateVpcCidrBlock',
          'DisassociateVpcCidrBlock',
          'CreateSubnetCidrReservation',
          'DeleteSubnetCidrReservation',
        ],
        errorCode: succeeded,
      },
    });
  });

  test('after tags of subnets changed, and of nothing else', () => {
    expect(pattern('SubnetTags')).toMatchObject({
      detail: {
        eventName: ['CreateTags', 'DeleteTags'],
        requestParameters: { resourcesSet: { items: { resourceId: [{ prefix: 'subnet-' }] } } },
        errorCode: succeeded,
      },
    });
  });

  test('after clusters, node groups or add-ons changed', () => {
    expect(pattern('Clusters')).toMatchObject({ source: ['aws.eks'], detail: { errorCode: succeeded } });
    expect(pattern('Addons')).toEqual({ source: ['aws.eks'], 'detail-type': [{ prefix: 'EKS Addon' }] });
  });

  test('changes wait in a queue until reads have caught up, and are taken up in batches', () => {
    const queue = only('AWS::SQS::Queue', 'ObserverChangesQueue');
    expect(queue.Properties).toMatchObject({ DelaySeconds: 30, VisibilityTimeout: 1080 });
    expect(readable(queue.Properties.RedrivePolicy)).toEqual({
      deadLetterTargetArn: '<ObserverChangesDeadLetters.Arn>',
      maxReceiveCount: 3,
    });
    expect(only('AWS::Lambda::EventSourceMapping', 'Observer').Properties).toMatchObject({
      BatchSize: 1000,
      MaximumBatchingWindowInSeconds: 5,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 2 },
    });
    const rules = all('AWS::Events::Rule').filter(({ Properties }) => Properties.EventPattern !== undefined);
    for (const { Properties } of rules) {
      const [target, ...more] = readable(Properties.Targets) as { Arn: string; DeadLetterConfig: { Arn: string } }[];
      expect(more).toEqual([]);
      expect(target?.Arn).toMatch(/Queue\.Arn>$/);
      expect(target?.DeadLetterConfig.Arn).toMatch(/DeadLetters\.Arn>$/);
    }
  });

  test('a tick that failed for good is a dead letter', () => {
    expect(readable(only('AWS::Lambda::EventInvokeConfig', 'Observer').Properties)).toMatchObject({
      MaximumRetryAttempts: 2,
      MaximumEventAgeInSeconds: 300,
      DestinationConfig: { OnFailure: { Destination: '<ObserverChangesDeadLetters.Arn>' } },
    });
  });
});

describe('alarms of the service', () => {
  const alarms = all('AWS::CloudWatch::Alarm');
  const named = (name: string) => alarms.find(({ Properties }) => Properties.AlarmName === `headroom/service/${name}`);

  test('are these', () => {
    expect(alarms.map(({ Properties }) => Properties.AlarmName).sort()).toEqual(
      [
        'heartbeat',
        'snapshot-age',
        'failed-subnets',
        ...['observe', 'react', 'notify'].flatMap((name) => [
          `dead-letters-${name}`,
          `errors-${name}`,
          `throttles-${name}`,
        ]),
      ]
        .map((name) => `headroom/service/${name}`)
        .sort(),
    );
  });

  test('stand on metrics that are published, with the very dimensions they are published with', () => {
    const published = Object.values<MetricDefinition>(METRICS).map(
      ({ name, scope, worst }) => `${name} ${DIMENSION_SETS[scope].join()} ${worst}`,
    );
    const ours = alarms.filter(({ Properties }) => Properties.Namespace === 'Headroom');
    expect(ours).toHaveLength(3);
    for (const { Properties } of ours) {
      const dimensions = ((Properties.Dimensions ?? []) as { Name: string }[]).map(({ Name }) => Name);
      expect(published).toContain(
        `${String(Properties.MetricName)} ${dimensions.join()} ${String(Properties.Statistic)}`,
      );
    }
  });

  test('say what missing data means, whom they tell, and where to read on', () => {
    for (const { Properties } of alarms) {
      expect(Properties.TreatMissingData).toMatch(/^(?:breaching|notBreaching|ignore)$/);
      const [topic] = readable(Properties.AlarmActions) as string[];
      expect(topic).toMatch(/^<Topics(?:Critical|Warning)>$/);
      expect(readable(Properties.OKActions)).toEqual([topic]);
      expect(Properties.AlarmDescription).toContain('What to do: docs/runbook.md#');
      expect(String(Properties.AlarmDescription).length).toBeLessThanOrEqual(1024);
    }
  });

  test('each has its section in the runbook, and so have those that observe makes', () => {
    const runbook = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8');
    const anchors = [...runbook.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => runbookAnchor(heading!));
    const linked = alarms.map(
      ({ Properties }) => /docs\/runbook\.md#\S+/.exec(String(Properties.AlarmDescription))?.[0],
    );
    expect(anchors).toEqual(expect.arrayContaining(linked));
    expect(anchors).toEqual(expect.arrayContaining(Object.values(CLUSTER_ALARM_HEADINGS).map(runbookAnchor)));
  });

  test('the heartbeat needs three ticks without a scan, and pages', () => {
    expect(readable(named('heartbeat')?.Properties)).toMatchObject({
      TreatMissingData: 'breaching',
      DatapointsToAlarm: 3,
      EvaluationPeriods: 3,
      Period: 60,
      Threshold: 180,
      ComparisonOperator: 'GreaterThanThreshold',
      AlarmActions: ['<TopicsCritical>'],
    });
  });

  test('dead letters are counted where they can be seen, and page', () => {
    for (const [name, queue] of [
      ['observe', 'ObserverChangesDeadLetters'],
      ['notify', 'NotifierMessagesDeadLetters'],
    ]) {
      expect(readable(named(`dead-letters-${name}`)?.Properties)).toMatchObject({
        Namespace: 'AWS/SQS',
        MetricName: 'ApproximateNumberOfMessagesVisible',
        Statistic: 'Maximum',
        Threshold: 0,
        Dimensions: [{ Name: 'QueueName', Value: `<${queue}.QueueName>` }],
        AlarmActions: ['<TopicsCritical>'],
      });
    }
  });

  test('are not taken for those that observe makes, so that neither observe nor cleanup touches them', () => {
    expect(alarms.filter(({ Properties }) => isRunTimeAlarm(String(Properties.AlarmName)))).toEqual([]);
  });
});

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

describe('telling people', () => {
  test('notify hears everything of ours on our bus, and nothing else', () => {
    expect(readable(only('AWS::Events::Rule', 'NotifierFindings').Properties)).toMatchObject({
      EventBusName: '<Bus>',
      EventPattern: {
        source: ['headroom'],
        'detail-type': [
          'Subnet Finding Raised',
          'Subnet Finding Cleared',
          'Remediation Planned',
          'Remediation Approved',
          'Remediation Refused',
          'Remediation Applied',
          'Remediation Failed',
          'Remediation Undone',
          'Test Alert',
        ],
      },
    });
    expect(only('AWS::Events::EventBus', 'Bus').Properties.Name).toBe('headroom');
  });

  test('what is held is looked at every minute, by a tick through the same queue', () => {
    const rule = readable(only('AWS::Events::Rule', 'NotifierLetGo').Properties);
    expect(rule).toMatchObject({
      ScheduleExpression: 'rate(1 minute)',
      Targets: [{ Arn: '<NotifierMessagesQueue.Arn>', RetryPolicy: { MaximumRetryAttempts: 0 } }],
    });
  });

  test('mail goes to those who are named; topics that were brought along are not made', () => {
    const critical = 'arn:aws:sns:eu-central-1:111122223333:on-call';
    const told = synthesise({ notifications: { criticalTopicArn: critical, email: ['ops@example.com'] } });
    const subscriptions = [...resourcesOf(told, 'AWS::SNS::Subscription').values()].map(({ Properties }) =>
      readable([Properties.Protocol, Properties.Endpoint, Properties.TopicArn]),
    );
    expect(subscriptions.toSorted()).toEqual(
      [critical, '<TopicsWarning>', '<TopicsMessages>'].map((topic) => ['email', 'ops@example.com', topic]).toSorted(),
    );
    expect(resourcesOf(told, 'AWS::SNS::Topic').size).toBe(3);
  });
});

describe('the dashboard', () => {
  const { DashboardBody } = only('AWS::CloudWatch::Dashboard', 'Monitoring').Properties;
  const body = JSON.parse(String(readable(DashboardBody))) as {
    readonly widgets: readonly { readonly properties: object }[];
  };
  const text = JSON.stringify(body);

  test('finds clusters, zones and subnets by itself, each metric with its exact dimensions and worst statistic', () => {
    for (const { scope, name, worst } of Object.values<MetricDefinition>(METRICS)) {
      if (scope === 'service') continue;
      const wanted = `SEARCH('{Headroom,${DIMENSION_SETS[scope].join(',')}} MetricName=\\"${name}\\"', '${worst}', 300)`;
      expect(text).toContain(JSON.stringify(wanted).slice(1, -1).replaceAll('\\\\\\"', '\\"'));
    }
  });

  test('shows the health of the service itself', () => {
    for (const { scope, name } of Object.values<MetricDefinition>(METRICS)) {
      if (scope === 'service') expect(text).toContain(`"Headroom","${name}"`);
    }
    expect(text).toContain('<AlarmsHeartbeat.Arn>');
  });

  test('never adds gauges up', () => {
    const metrics = body.widgets.flatMap(({ properties }) =>
      'metrics' in properties ? [JSON.stringify(properties.metrics)] : [],
    );
    const ours = metrics.filter((line) => line.includes('"Headroom"') || line.includes('{Headroom'));
    expect(ours.length).toBeGreaterThan(10);
    expect(ours.filter((line) => line.includes('Sum'))).toEqual([]);
  });
});

describe('anywhere', () => {
  test('the outputs are those by which the CLI finds the service', () => {
    const { approvalUrl: _onlyWithApprovals, slackSecret, ...outputs } = STACK_OUTPUTS;
    expect(Object.keys(template.Outputs).sort()).toEqual(Object.values(outputs).sort());
    const slackWebhookSecretArn = 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:slack-AbCdEf';
    const told = synthesise({ notifications: { slackWebhookSecretArn } });
    expect(readable(told.Outputs[slackSecret])).toEqual({ Value: slackWebhookSecretArn });
  });

  test.each([
    ['aws', 'eu-central-1'],
    ['aws-cn', 'cn-north-1'],
    ['aws-us-gov', 'us-gov-west-1'],
  ])('partition %s: no ARN of another', (partition, region) => {
    const written = JSON.stringify(readable(synthesise({}, { account: '111122223333', region })));
    const arns = written.match(/arn:[^:"<]*:|arn:<AWS::Partition>:/g) ?? [];
    expect(arns.length).toBeGreaterThan(10);
    expect(arns.filter((arn) => arn !== `arn:${partition}:` && arn !== 'arn:<AWS::Partition>:')).toEqual([]);
  });
});
