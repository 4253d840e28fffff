import { describe, expect, test } from '@jest/globals';
import { ENVIRONMENT, variablesToSet } from '../../lambdas/contract/environment.ts';
import { STACK_OUTPUTS } from '../../lambdas/contract/names.ts';
import { lookup, readable, resourcesOf, synthesise } from './template.ts';

const template = synthesise();
const { all, only } = lookup(template);

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
