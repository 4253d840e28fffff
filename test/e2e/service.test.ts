/** The service as it is deployed: it finds a cluster by itself, measures it, pages for it, and lets go of it. */
import { join } from 'node:path';
import { DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import { CreateClusterCommand, CreateNodegroupCommand, DeleteClusterCommand } from '@aws-sdk/client-eks';
import { DisableRuleCommand, EnableRuleCommand, ListRulesCommand, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { GetQueueAttributesCommand, ListQueuesCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ConfigDocument } from '../../lambdas/contract/config.ts';
import { BUCKET_PREFIXES, STACK_OUTPUTS } from '../../lambdas/contract/names.ts';
import { type Simulator, startSimulator } from '../../simulator/index.ts';
import { runChild } from './child.ts';
import { deployService } from './deploy.ts';
import { CACHE, ROOT } from './paths.ts';
import type { RecordedCall } from './recorder/call.ts';
import { deployedPolicy, judge } from './recorder/judge.ts';
import { fragment, freeBlocks, type ServiceRegion, serviceRegion } from './service/region.ts';
import { ACCOUNT, REGION, startTestbed, type Testbed } from './testbed.ts';
import { type TopicTap, tapTopic } from './topic-tap.ts';
import { waitFor } from './wait-for.ts';

/** The defaults, but that a change is up after a second, so that a test need not wait half a minute. */
const CONFIG: ConfigDocument = { schedule: { settle: '1 second' } };
/** Milliseconds for anything that takes a few ticks on a busy machine. */
const SOON = 120_000;
/** Milliseconds without a call of observe after which nothing is under way: a message is up a second after it was sent, and an event source polls each second. */
const QUIET_MS = 5_000;

let region: ServiceRegion;
let simulator: Simulator;
let testbed: Testbed;
let critical: TopicTap;
let tickRule: string;

interface Datum {
  readonly MetricName: string;
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: string }[];
  readonly Value?: number;
}

/** Every call of observe since the start, whatever the tests forget in between. */
const all: RecordedCall[] = [];
function forget(): void {
  all.push(...testbed.recordedCalls());
  testbed.forgetCalls();
}

const isObserve = ({ functionName }: RecordedCall): boolean => functionName.includes('Observe');
const calls = (action: string): readonly RecordedCall[] =>
  testbed.recordedCalls().filter((call) => isObserve(call) && call.action === action);
/** The scans so far, by what each published last. */
const scans = () => calls('PutMetricData');

function metric(scan: RecordedCall | undefined, name: string, ...dimensions: readonly string[]): number | undefined {
  const data = (scan?.params.MetricData ?? []) as readonly Datum[];
  return data.find(
    ({ MetricName, Dimensions = [] }) =>
      MetricName === name &&
      Dimensions.length === dimensions.length &&
      dimensions.every((value) => Dimensions.some((one) => one.Value === value)),
  )?.Value;
}

async function alarms(): Promise<ReadonlyMap<string, string>> {
  const { MetricAlarms = [] } = await testbed.clients.cloudwatch.send(
    new DescribeAlarmsCommand({ AlarmNamePrefix: 'headroom/' }),
  );
  const own = MetricAlarms.filter(({ AlarmName = '' }) => !AlarmName.startsWith('headroom/service/'));
  return new Map(own.map(({ AlarmName = '', StateValue = '' }) => [AlarmName, StateValue]));
}

async function send(source: string, detailType: string, details: readonly object[]): Promise<void> {
  for (let at = 0; at < details.length; at += 10) {
    const Entries = details
      .slice(at, at + 10)
      .map((detail) => ({ Source: source, DetailType: detailType, Detail: JSON.stringify(detail) }));
    const { FailedEntryCount } = await testbed.clients.events.send(new PutEventsCommand({ Entries }));
    if (FailedEntryCount !== 0) throw new Error('an event was refused');
  }
}

const eksChanged = () =>
  send('aws.eks', 'AWS API Call via CloudTrail', [{ eventSource: 'eks.amazonaws.com', eventName: 'CreateNodegroup' }]);

async function quiet(): Promise<void> {
  await waitFor(() => Date.now() - (testbed.recordedCalls().filter(isObserve).at(-1)?.at ?? 0) > QUIET_MS, {
    what: 'no call of observe for a while',
    timeoutMs: SOON,
  });
}

async function withoutTicks<T>(work: () => Promise<T>): Promise<T> {
  await testbed.clients.events.send(new DisableRuleCommand({ Name: tickRule }));
  try {
    await quiet();
    return await work();
  } finally {
    await testbed.clients.events.send(new EnableRuleCommand({ Name: tickRule }));
  }
}

async function createCluster(name: string, subnets: readonly string[]): Promise<void> {
  const roleArn = `arn:aws:iam::${ACCOUNT}:role/eks`;
  await testbed.clients.eks.send(
    new CreateClusterCommand({ name, roleArn, resourcesVpcConfig: { subnetIds: [...subnets] } }),
  );
  await testbed.clients.eks.send(
    new CreateNodegroupCommand({
      clusterName: name,
      nodegroupName: 'nodes',
      nodeRole: roleArn,
      subnets: [...subnets],
      instanceTypes: ['m5.large'],
    }),
  );
}

beforeAll(async () => {
  region = serviceRegion();
  simulator = await startSimulator(region.world);
  testbed = await startTestbed({ ec2Endpoint: simulator.url, minuteSeconds: 5 });
  await createCluster('prod', [region.subnets.a, region.subnets.b]);
  const output = await deployService(testbed, 'service', CONFIG);
  critical = await tapTopic(testbed.clients, output(STACK_OUTPUTS.criticalTopic), 'critical-tap');
  const { Rules = [] } = await testbed.clients.events.send(new ListRulesCommand({}));
  tickRule = Rules.find(({ Name = '' }) => Name.includes('ObserverTick'))?.Name ?? '';
}, 300_000);

afterAll(async () => {
  await critical?.close();
  await testbed?.stop();
  await simulator?.close();
});

test('the schedule fires, and each tick measures every subnet and keeps the alarms of the cluster’s zones', async () => {
  const last = await waitFor(() => scans().length >= 3 && scans().at(-1), { what: 'three scans', timeoutMs: SOON });
  expect(last.status).toBe(200);
  expect(metric(last, 'ObservedSubnets')).toBe(3);
  expect(metric(last, 'FailedSubnets')).toBe(0);
  expect(metric(last, 'AvailableIps', 'prod', 'use1-az1')).toBe(region.world.availableIps(region.subnets.a));
  expect(metric(last, 'FreePrefixes', 'prod', 'use1-az1')).toBe(freeBlocks(region.world, region.subnets.a).length);
  await waitFor(async () => (await alarms()).size === 4, { what: 'four alarms', timeoutMs: SOON });
});

test('a subnet that fragments on running nodes, with no event, moves the metrics within two ticks, and raises its zone’s alarms and no other', async () => {
  await waitFor(async () => (await alarms()).size >= 4 && [...(await alarms()).values()].every((one) => one === 'OK'), {
    what: 'every alarm to be fine',
    timeoutMs: SOON,
  });
  const before = scans().length;
  const { recover } = fragment(region, region.subnets.a, region.nodeEnis.a, 0);
  expect(freeBlocks(region.world, region.subnets.a)).toEqual([]);
  const left = region.world.availableIps(region.subnets.a);
  expect(left).toBeGreaterThan(100);
  const moved = await waitFor(
    () =>
      scans()
        .slice(before)
        .findIndex((scan) => metric(scan, 'FreePrefixes', 'prod', 'use1-az1') === 0) + 1 || undefined,
    { what: 'the metrics to move', timeoutMs: SOON },
  );
  // One scan may have been under way already.
  expect(moved).toBeLessThanOrEqual(3);
  expect(metric(scans()[before + moved - 1], 'AvailableIps', 'prod', 'use1-az1')).toBe(left);
  const told = await critical.waitUntil(
    'the page',
    (all) => all.find(({ subject }) => subject?.startsWith('ALARM: "headroom/prod/use1-az1/critical"')),
    SOON,
  );
  expect(JSON.parse(told.message)).toMatchObject({
    AlarmName: 'headroom/prod/use1-az1/critical',
    NewStateValue: 'ALARM',
    AlarmDescription: expect.stringContaining('docs/runbook.md#critical-alarm-of-a-cluster-and-zone'),
    Trigger: { MetricName: 'Severity', Threshold: 2 },
  });
  const states = await alarms();
  expect(
    [...states]
      .filter(([, state]) => state === 'ALARM')
      .map(([name]) => name)
      .sort(),
  ).toEqual(['headroom/prod/use1-az1/critical', 'headroom/prod/use1-az1/warning']);

  recover();
  await waitFor(async () => [...(await alarms()).values()].every((state) => state === 'OK'), {
    what: 'recovery',
    timeoutMs: SOON,
  });
  await critical.waitUntil('the recovery', (all) => all.some(({ subject }) => subject?.startsWith('OK:')), SOON);
});

test('a burst of 200 events costs at most two scans, the last of which began after the last event', async () => {
  await withoutTicks(async () => {
    forget();
    const states = Array.from({ length: 200 }, (_, n) => ({
      'instance-id': `i-${n.toString(16).padStart(17, '0')}`,
      state: n % 2 === 0 ? 'running' : 'terminated',
    }));
    await send('aws.ec2', 'EC2 Instance State-change Notification', states);
    const sent = Date.now();
    await waitFor(() => scans().some(({ at }) => at > sent) || calls('DescribeSubnets').some(({ at }) => at >= sent), {
      what: 'a scan after the last event',
      timeoutMs: SOON,
    });
    await quiet();
    expect(scans().length).toBeGreaterThanOrEqual(1);
    expect(scans().length).toBeLessThanOrEqual(2);
    const began = calls('DescribeSubnets').map(({ at }) => at);
    expect(Math.max(...began)).toBeGreaterThanOrEqual(sent);
  });
});

test('a change that comes while a scan runs gets another scan', async () => {
  await withoutTicks(async () => {
    forget();
    let inside: Promise<void> | undefined;
    const stop = testbed.intercept(async ({ action }) => {
      if (action !== 'DescribeSubnets' || inside !== undefined) return undefined;
      inside = send('aws.ec2', 'EC2 Instance State-change Notification', [{ 'instance-id': 'i-1', state: 'running' }]);
      await inside;
      // The message is up after its second, and finds the scan under way.
      await waitFor(() => calls('PutItem').length >= 2, { what: 'the mark', timeoutMs: 20_000 });
      return undefined;
    });
    await send('aws.ec2', 'EC2 Instance State-change Notification', [{ 'instance-id': 'i-0', state: 'running' }]);
    await waitFor(() => scans().length >= 2, { what: 'two scans', timeoutMs: SOON });
    stop();
    await quiet();
    expect(scans().length).toBe(2);
  });
});

test('a new cluster in a new zone gets its alarms, and one that is gone loses them', async () => {
  await createCluster('blue', [region.subnets.c]);
  await eksChanged();
  const names = ['headroom/blue/use1-az3/critical', 'headroom/blue/use1-az3/warning'];
  await waitFor(
    async () => {
      const all = await alarms();
      return names.every((name) => all.has(name));
    },
    { what: 'the alarms of blue', timeoutMs: SOON },
  );
  await testbed.clients.eks.send(new DeleteClusterCommand({ name: 'blue' }));
  await waitFor(
    async () => {
      await eksChanged();
      return ![...(await alarms()).keys()].some((name) => names.includes(name));
    },
    { what: 'the alarms of blue to go', timeoutMs: SOON, everyMs: 3_000 },
  );
  expect((await alarms()).size).toBe(4);
});

test('the command reads back what the service saw', async () => {
  const kept = ({ action, status, params }: RecordedCall) =>
    action === 'PutObject' && status === 200 && String(params.Key).startsWith(BUCKET_PREFIXES.snapshots);
  await waitFor(() => [...all, ...testbed.recordedCalls()].some(kept), {
    what: 'a snapshot to be kept',
    timeoutMs: SOON,
  });
  // A tick that finds nothing changed keeps none: the newest one is that of the last scan, once this is over.
  const { exitCode, output } = await withoutTicks(() =>
    runChild({
      command: 'node',
      args: [
        join(ROOT, 'bin', 'headroom.js'),
        'assess',
        '--json',
        '--at',
        new Date().toISOString(),
        '--region',
        REGION,
      ],
      env: testbed.env,
      cwd: ROOT,
      logFile: join(CACHE, 'assess-at.log'),
      timeoutMs: 60_000,
    }),
  );
  // Before the output is read as a document: where the command fails, the failure shows its words.
  expect({ exitCode, output }).toEqual({ exitCode: 0, output: expect.stringMatching(/^\{/) });
  const document = JSON.parse(output) as { readonly source: object; readonly subnets: readonly object[] };
  expect(document.source).toMatchObject({ kind: 'snapshot', region: REGION, account: ACCOUNT });
  expect(document.subnets).toContainEqual(
    expect.objectContaining({
      subnetId: region.subnets.a,
      freePrefixes: freeBlocks(region.world, region.subnets.a).length,
      availableIps: region.world.availableIps(region.subnets.a),
    }),
  );
});

test('no call was refused but those that say so by their nature, and no work is left for good', async () => {
  // No add-on, no such cluster, nothing kept yet; and a condition of the table that does not hold, which is how two scans keep out of each other's way.
  const answers = new Set(['DescribeAddon 404', 'DescribeCluster 404', 'GetObject 404', 'PutItem 400']);
  const refused = [...all, ...testbed.recordedCalls()].filter(({ status }) => status >= 400);
  expect(refused.map(({ action, status }) => `${action} ${status}`).filter((one) => !answers.has(one))).toEqual([]);
  const { QueueUrls = [] } = await testbed.clients.sqs.send(new ListQueuesCommand({}));
  for (const QueueUrl of QueueUrls.filter((url) => url.includes('ObserverChangesDeadLetters'))) {
    const { Attributes } = await testbed.clients.sqs.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['ApproximateNumberOfMessages'] }),
    );
    expect(Attributes?.ApproximateNumberOfMessages).toBe('0');
  }
});

/** Granted, and not called in a run like this one; each with the reason why it is there all the same. */
const UNUSED_GRANTS: Readonly<Record<string, string>> = {
  'cloudtrail:GetEventSelectors': 'asked of each trail, and the emulator has none',
  'cloudtrail:GetTrailStatus': 'asked of each trail, and the emulator has none',
  'cloudwatch:PutCompositeAlarm': 'where clusters share subnets',
  'cloudwatch:SetAlarmState': 'where an alarm that is about to go is on',
  'kms:Decrypt': 'S3 and SQS ask the key with the function’s role; that is no call of the function',
  'kms:GenerateDataKey': 'S3 and SQS ask the key with the function’s role; that is no call of the function',
  'logs:CreateLogStream': 'Lambda writes the log with the function’s role',
  'logs:PutLogEvents': 'Lambda writes the log with the function’s role',
  'sqs:DeleteMessage': 'Lambda polls the queue with the function’s role',
  'sqs:GetQueueAttributes': 'Lambda polls the queue with the function’s role',
  'sqs:ReceiveMessage': 'Lambda polls the queue with the function’s role',
  'sqs:SendMessage': 'Lambda puts dead letters there with the function’s role',
};

/** Granted, and called only in the tests of this file that may come later. */
const USED_ELSEWHERE: Readonly<Record<string, string>> = {
  'cloudwatch:DeleteAlarms': 'where a cluster is gone',
  'dynamodb:DeleteItem': 'where a finding is cleared',
};

test('every call of observe is one that its role allows, and nothing is granted that is neither used nor accounted for', async () => {
  await waitFor(() => scans().length > 0, { what: 'a scan', timeoutMs: SOON });
  const own = [...all, ...testbed.recordedCalls()].filter(isObserve);
  const policy = await deployedPolicy(testbed.endpoint, own[0]?.roleArn ?? '', 'headroom');
  const { denied, unused } = await judge(own, policy);
  expect(denied).toEqual([]);
  expect(unused.filter((action) => !(action in UNUSED_GRANTS) && !(action in USED_ELSEWHERE))).toEqual([]);
});
