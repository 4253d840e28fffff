/** Which events reach react: every one of the real cases that says something about a subnet, and no read. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { parseConfig } from '../../lambdas/contract/config.ts';
import { variablesToSet } from '../../lambdas/contract/environment.ts';
import { FEATURE_FLAGS } from '../../lib/flags.ts';
import { Reactor } from '../../lib/reactor/reactor.ts';
import { Encryption } from '../../lib/storage/encryption.ts';
import { Storage } from '../../lib/storage/storage.ts';
import { type Resource, readable, resourcesOf, type Template } from './template.ts';

function template(): Template {
  const app = new App({ analyticsReporting: false, context: FEATURE_FLAGS });
  const stack = new Stack(app, 'Only');
  const { key } = new Encryption(stack, 'Encryption', {});
  const storage = new Storage(stack, 'Storage', { key, snapshotRetentionSeconds: 86_400 });
  const code = (name: string) => Code.fromInline(`export const name = '${name}';`);
  new Reactor(stack, 'Reactor', { config: parseConfig({}), code, key, storage, bus: new EventBus(stack, 'Bus') });
  return app.synth().getStackByName('Only').template as Template;
}

const made = template();
const of = (type: string): readonly Resource[] => [...resourcesOf(made, type).values()];
const patterns = of('AWS::Events::Rule').map(({ Properties }) => Properties.EventPattern as Pattern);

type Matcher = string | { readonly exists: boolean } | { readonly prefix: string };
interface Pattern {
  readonly [key: string]: Pattern | readonly Matcher[];
}

/** The part of EventBridge's rules that these patterns use (EventBridge user guide, "Comparison operators"). */
function matches(pattern: Pattern, event: unknown): boolean {
  return Object.entries(pattern).every(([key, wanted]) => {
    const value: unknown = typeof event === 'object' && event !== null ? Reflect.get(event, key) : undefined;
    return Array.isArray(wanted)
      ? wanted.some((matcher) => fits(matcher as Matcher, value))
      : matches(wanted as Pattern, value);
  });
}

function fits(matcher: Matcher, value: unknown): boolean {
  if (typeof matcher === 'string') return value === matcher;
  if ('exists' in matcher) return (value !== undefined) === matcher.exists;
  if ('prefix' in matcher) return typeof value === 'string' && value.startsWith(matcher.prefix);
  throw new Error(`a comparison this test does not know: ${JSON.stringify(matcher)}`);
}

const CASES = new URL('../cases/', import.meta.url).pathname;
const read = (...parts: string[]) => JSON.parse(readFileSync(path.join(CASES, ...parts), 'utf8')) as unknown;
const c35 = 'c35-cloudtrail-events';
const { events: expected } = read(c35, 'expected.json') as { events: Record<string, { class: string }> };
const events = readdirSync(path.join(CASES, c35))
  .filter((name) => /^e\d+\.json$/.test(name))
  .map((name) => ({
    name: name.replace('.json', ''),
    event: read(c35, name) as { readonly detail: { readonly eventName?: string } },
  }));

describe('events of the real cases', () => {
  const writes = events.filter(({ event }) => !event.detail.eventName?.startsWith('Describe'));
  const failures = writes.filter(({ name }) => expected[name]?.class !== 'NONE');

  test.each(failures.map(({ name, event }) => [name, expected[name]?.class ?? '?', event] as const))(
    '%s (%s) is heard',
    (_name, _class, event) => {
      expect(patterns.some((pattern) => matches(pattern, event))).toBe(true);
    },
  );

  test('the cases hold failures of each kind', () => {
    expect(failures.length).toBeGreaterThan(10);
  });

  test('no read is heard, whether it failed or not', () => {
    const reads = events.filter(({ event }) => event.detail.eventName?.startsWith('Describe'));
    expect(reads.length).toBeGreaterThan(0);
    for (const { event } of reads) expect(patterns.some((pattern) => matches(pattern, event))).toBe(false);
  });

  test('events of other cases are heard, and those of other services are not', () => {
    const heard = ['c03-create-eni-invalidparameter-650-free', 'c08-one-az-exhausted'].map((name) =>
      read(name, 'event.json'),
    );
    for (const event of heard) expect(patterns.some((pattern) => matches(pattern, event))).toBe(true);
    const call = { source: 'aws.s3', 'detail-type': 'AWS API Call via CloudTrail' };
    const others = [
      { ...call, detail: { eventSource: 's3.amazonaws.com', eventName: 'CreateBucket', errorCode: 'AccessDenied' } },
      { source: 'aws.ec2', 'detail-type': 'EC2 Instance State-change Notification', detail: { state: 'running' } },
      { source: 'aws.autoscaling', 'detail-type': 'EC2 Instance Launch Successful', detail: {} },
    ];
    for (const event of others) expect(patterns.some((pattern) => matches(pattern, event))).toBe(false);
  });

  test('a call that took an address without trouble is not heard', () => {
    const fine = events.filter(({ name }) => expected[name]?.class === 'NONE');
    const single = fine.filter(({ event }) => event.detail.eventName === 'CreateNetworkInterface');
    expect(single.length).toBeGreaterThan(0);
    for (const { event } of single) expect(patterns.some((pattern) => matches(pattern, event))).toBe(false);
  });
});

describe('the function', () => {
  test('gets exactly the environment it reads', () => {
    const [react] = of('AWS::Lambda::Function');
    const { Variables } = react!.Properties.Environment as { Variables: object };
    expect(Object.keys(Variables).sort()).toEqual([...variablesToSet('react').values()].sort());
  });

  test('takes failures in batches, a few seconds after they came', () => {
    expect(of('AWS::Lambda::EventSourceMapping')[0]?.Properties).toMatchObject({
      BatchSize: 200,
      MaximumBatchingWindowInSeconds: 2,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
  });

  test('may read, remember and say, and change nothing', () => {
    const [role] = of('AWS::IAM::Role');
    const [policy] = role!.Properties.Policies as {
      PolicyDocument: { Statement: { Sid: string; Action: string | string[] }[] };
    }[];
    const byId = Object.fromEntries(
      policy!.PolicyDocument.Statement.map(({ Sid, Action, ...rest }) => [Sid, { Action, ...rest }]),
    );
    expect(readable(byId)).toEqual({
      WriteOwnLogs: {
        Effect: 'Allow',
        Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
        Resource: '<ReactorReactLogs.Arn>',
      },
      ResolveInterfaces: {
        Effect: 'Allow',
        Action: 'ec2:DescribeNetworkInterfaces',
        Resource: '*',
        Condition: { StringEquals: { 'aws:RequestedRegion': '<AWS::Region>' } },
      },
      FoldRepeats: {
        Effect: 'Allow',
        Action: ['dynamodb:GetItem', 'dynamodb:PutItem'],
        Resource: '<StorageTable.Arn>',
      },
      ReadSnapshot: { Effect: 'Allow', Action: 's3:GetObject', Resource: '<StorageBucket.Arn>/cache/*' },
      ListSnapshot: {
        Effect: 'Allow',
        Action: 's3:ListBucket',
        Resource: '<StorageBucket.Arn>',
        Condition: { StringLike: { 's3:prefix': 'cache/*' } },
      },
      PublishLag: {
        Effect: 'Allow',
        Action: 'cloudwatch:PutMetricData',
        Resource: '*',
        Condition: { StringEquals: { 'cloudwatch:namespace': 'Headroom' } },
      },
      SendEvents: {
        Effect: 'Allow',
        Action: 'events:PutEvents',
        Resource: '<Bus.Arn>',
        Condition: { 'ForAllValues:StringEquals': { 'events:source': 'headroom' } },
      },
      ConsumeQueue: {
        Effect: 'Allow',
        Action: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
        Resource: '<ReactorFailuresQueue.Arn>',
      },
      UseKey: {
        Effect: 'Allow',
        Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
        Resource: '<EncryptionKey.Arn>',
        Condition: {
          StringLike: { 'kms:ViaService': ['sqs.<AWS::Region>.amazonaws.com*', 's3.<AWS::Region>.amazonaws.com*'] },
        },
      },
    });
  });
});
