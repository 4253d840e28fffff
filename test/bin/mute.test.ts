import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type AwsAnswer, type AwsCall, type AwsStandIn, startAwsStandIn } from '../support/aws-stand-in.ts';
import { headroom } from '../support/run-headroom.ts';

const SECONDS = 60_000;
const WHO = 'arn:aws:sts::111122223333:assumed-role/on-call/jo';
const NOW = ['--now', '2026-11-30T12:00:00Z'] as const;
const UNTIL = ['--until', '2026-12-01T08:00:00Z'] as const;

const stack = `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackId>arn:aws:cloudformation:eu-central-1:111122223333:stack/Headroom/9</StackId><StackName>Headroom</StackName><CreationTime>2026-11-30T12:00:00Z</CreationTime><StackStatus>CREATE_COMPLETE</StackStatus><Outputs><member><OutputKey>TableName</OutputKey><OutputValue>the-table</OutputValue></member></Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;
const answers: Readonly<Record<string, AwsAnswer>> = {
  DescribeStacks: { body: stack },
  GetCallerIdentity: {
    body: `<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>${WHO}</Arn></GetCallerIdentityResult></GetCallerIdentityResponse>`,
  },
  GetItem: { body: '{}' },
  PutItem: { body: '{}' },
};

let aws: AwsStandIn;
let over: Record<string, AwsAnswer>;
beforeEach(async () => {
  over = {};
  aws = await startAwsStandIn(({ action }: AwsCall) => over[action] ?? answers[action]);
});
afterEach(() => aws.stop());

const run = (...args: readonly string[]) =>
  headroom(['mute', ...args], {
    env: { AWS_ENDPOINT_URL: aws.url, AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', AWS_REGION: 'eu-central-1' },
  });

describe('headroom mute', () => {
  test(
    'writes who, why and until when into the table of the service',
    async () => {
      const ran = await run('SUBNET_LOW/subnet-0a1', ...UNTIL, ...NOW, '--why', 'new subnet on Monday');
      expect(ran).toEqual({
        status: 0,
        stdout: `No message about SUBNET_LOW/subnet-0a1 until 2026-12-01T08:00:00.000Z (${WHO}: new subnet on Monday). Alarms go on paging.\n`,
        stderr: 'headroom: SUBNET_LOW/subnet-0a1 is not open now; the mute counts should it come\n',
      });
      expect(aws.calls.find(({ action }) => action === 'PutItem')?.parameters).toMatchObject({
        TableName: 'the-table',
        Item: {
          pk: { S: 'mute' },
          sk: { S: 'SUBNET_LOW/subnet-0a1' },
          value: {
            M: {
              until: { N: String(Date.UTC(2026, 11, 1, 8)) },
              by: { S: WHO },
              why: { S: 'new subnet on Monday' },
              at: { N: String(Date.UTC(2026, 10, 30, 12)) },
            },
          },
        },
      });
    },
    SECONDS,
  );

  test.each([
    ['no end', ['X', '--why', 'y'], '--until TIME'],
    ['no reason', ['X', ...UNTIL], '--why TEXT'],
    ['an end that is over', ['X', '--until', '2026-11-30T11:00:00Z', '--why', 'y'], 'is over already'],
    ['an end that is far off', ['X', '--until', '2027-11-30T11:00:00Z', '--why', 'y'], 'at most 90 days'],
    ['what must not be muted', ['NOBODY_IS_PAGED/arn', ...UNTIL, '--why', 'y'], 'cannot be muted'],
  ])(
    '%s: an error, and nothing is asked of AWS',
    async (_, args, words) => {
      const { status, stderr } = await run(...args, ...NOW);
      expect([status, stderr]).toEqual([1, expect.stringContaining(words)]);
      expect(aws.calls).toEqual([]);
    },
    SECONDS,
  );

  test(
    'denied: names the permission',
    async () => {
      over.PutItem = { status: 400, body: JSON.stringify({ __type: 'AccessDeniedException', message: 'no' }) };
      const { status, stderr } = await run('X', ...UNTIL, ...NOW, '--why', 'y');
      expect([status, stderr]).toEqual([1, expect.stringContaining('Allow dynamodb:PutItem')]);
    },
    SECONDS,
  );
});
