/** The doctor's look at a deployed service on AWS. */
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CloudTrailClient } from '@aws-sdk/client-cloudtrail';
import { CloudWatchClient, DescribeAlarmHistoryCommand, DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import { DescribeRuleCommand, EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { IAMClient } from '@aws-sdk/client-iam';
import { GetKeyPolicyCommand, KMSClient } from '@aws-sdk/client-kms';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SNSClient } from '@aws-sdk/client-sns';
import { ALARM_PREFIX, latestSnapshotKey } from '../../contract/names.ts';
import type { AlarmFacts, RuleFacts } from '../../core/doctor/judge.ts';
import { snapshotFromText } from '../../core/stored/stored-region.ts';
import type { Deployment, OutputName } from '../../ports/deployment.ts';
import { ProbeFailure, type ServiceProbes } from '../../ports/service-probes.ts';
import { awsCode } from '../aws-error.ts';
import { readTrails } from '../cloudtrail/trails.ts';
import { type ServiceOptions, serviceClientConfig } from '../deployment/find-deployment.ts';
import { webhookIn, webhookProblem } from '../slack/webhook-url.ts';
import { Bucket } from '../snapshots/bucket.ts';
import { readTopics } from '../sns/topics.ts';
import { functionFacts } from './functions.ts';
import { probing } from './probing.ts';
import { stackResources } from './stack-resources.ts';

const SERVICE_ALARM_PREFIX = `${ALARM_PREFIX}service/`;

export interface ProbeOptions extends ServiceOptions {
  /** Epoch milliseconds. */
  readonly now: number;
  /** Whether a webhook on this machine counts as well-formed: tests alone. */
  readonly loopback: boolean;
}

export function awsProbes(deployment: Deployment, options: ProbeOptions): ServiceProbes {
  const config = serviceClientConfig({ ...options, region: deployment.region });
  const cloudwatch = new CloudWatchClient(config);
  const sns = new SNSClient(config);
  const clients = { lambda: new LambdaClient(config), iam: new IAMClient(config), cloudwatch };
  const cloudformation = new CloudFormationClient(config);
  let listed: Promise<ReadonlyMap<string, readonly string[]>> | undefined;
  const resources = async (type: string) => {
    listed ??= probing('cloudformation:ListStackResources', () => stackResources(cloudformation, deployment.stackName));
    return (await listed).get(type) ?? [];
  };
  const topics = (names: readonly (readonly [OutputName, 'critical' | 'warning'])[]) =>
    probing('sns:GetTopicAttributes', () =>
      readTopics(
        sns,
        names.map(([name, level]) => ({ arn: output(deployment, name), level })),
      ),
    );
  return {
    trails: () => probing('cloudtrail:DescribeTrails', () => readTrails(new CloudTrailClient(config))),
    alarmTopics: () =>
      topics([
        ['criticalTopic', 'critical'],
        ['warningTopic', 'warning'],
      ]),
    messageTopics: () =>
      topics([
        ['messagesTopic', 'warning'],
        ['chatTopic', 'warning'],
      ]),
    webhookProblem: () =>
      probing('secretsmanager:GetSecretValue', async () => {
        const get = new GetSecretValueCommand({ SecretId: output(deployment, 'slackSecret') });
        const { SecretString = '' } = await new SecretsManagerClient(config).send(get);
        return webhookProblem(webhookIn(SecretString), options);
      }),
    keyPolicy: () =>
      probing('kms:GetKeyPolicy', async () => {
        const get = new GetKeyPolicyCommand({ KeyId: output(deployment, 'key'), PolicyName: 'default' });
        return (await new KMSClient(config).send(get)).Policy ?? '{}';
      }),
    functions: async () => {
      const names = await resources('AWS::Lambda::Function');
      return Promise.all(names.map((name) => functionFacts(clients, name, options.now)));
    },
    rules: async () => {
      const events = new EventBridgeClient(config);
      const rules = await resources('AWS::Events::Rule');
      return Promise.all(
        rules.map((id) => probing('events:DescribeRule', () => ruleFacts(events, id, output(deployment, 'bus')))),
      );
    },
    alarms: async () => {
      const all = await probing('cloudwatch:DescribeAlarms', () => serviceAlarms(cloudwatch));
      return probing('cloudwatch:DescribeAlarmHistory', () => withFailedActions(cloudwatch, all));
    },
    snapshot: () =>
      probing('s3:GetObject', () => newestSnapshot(new S3Client(config), output(deployment, 'bucket'), deployment)),
  };
}

function output({ outputs, stackName }: Deployment, name: OutputName): string {
  const value = outputs[name];
  if (value === undefined)
    throw new ProbeFailure(`the stack ${stackName} does not say its ${name}: deploy this version`);
  return value;
}

/** CloudFormation's id of a rule on another bus than the default one is `bus|rule`; a rule that the default bus does not know is looked for on ours. */
async function ruleFacts(client: EventBridgeClient, id: string, ourBus: string): Promise<RuleFacts> {
  const [named, rule] = id.includes('|') ? id.split('|') : [undefined, id];
  const Name = rule ?? id;
  const ask = async (EventBusName: string | undefined) => {
    const describe = new DescribeRuleCommand({ Name, ...(EventBusName === undefined ? {} : { EventBusName }) });
    const { State, ScheduleExpression } = await client.send(describe);
    return { name: Name, enabled: State !== 'DISABLED', schedule: ScheduleExpression };
  };
  try {
    return await ask(named);
  } catch (error) {
    if (named !== undefined || awsCode(error) !== 'ResourceNotFoundException') throw error;
    return ask(ourBus);
  }
}

async function serviceAlarms(client: CloudWatchClient): Promise<readonly AlarmFacts[]> {
  // A service has some dozen of these; a page holds 100.
  const { MetricAlarms = [] } = await client.send(
    new DescribeAlarmsCommand({ AlarmNamePrefix: SERVICE_ALARM_PREFIX, MaxRecords: 100 }),
  );
  return MetricAlarms.map(({ AlarmName = '', StateValue = '' }) => ({ name: AlarmName, state: StateValue }));
}

async function withFailedActions(
  client: CloudWatchClient,
  alarms: readonly AlarmFacts[],
): Promise<readonly AlarmFacts[]> {
  return Promise.all(
    alarms.map(async (alarm) => {
      const { AlarmHistoryItems: [last] = [] } = await client.send(
        new DescribeAlarmHistoryCommand({ AlarmName: alarm.name, HistoryItemType: 'Action', MaxRecords: 1 }),
      );
      const summary = last?.HistorySummary ?? '';
      return summary.startsWith('Failed') ? { ...alarm, failedAction: summary } : alarm;
    }),
  );
}

async function newestSnapshot(client: S3Client, bucket: string, { account, region }: Deployment) {
  const key = latestSnapshotKey(account, region);
  try {
    const { LastModified } = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }));
    const text = await new Bucket(client, bucket).read(key);
    if (text === undefined) return undefined;
    return { at: LastModified?.getTime() ?? 0, facts: snapshotFromText(text).facts };
  } catch (error) {
    if (/^(?:NotFound|NoSuchKey)$/.test(awsCode(error))) return undefined;
    throw error;
  }
}
