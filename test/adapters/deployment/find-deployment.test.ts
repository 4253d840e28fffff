import { afterEach, describe, expect, test } from '@jest/globals';
import { findDeployment, requiredOutput } from '../../../lambdas/adapters/deployment/find-deployment.ts';
import { type AwsAnswer, type AwsStandIn, startAwsStandIn } from '../../support/aws-stand-in.ts';

let aws: AwsStandIn | undefined;
afterEach(async () => {
  await aws?.stop();
  aws = undefined;
});

const STACK_ID = 'arn:aws-cn:cloudformation:cn-north-1:111122223333:stack/Headroom/9f0f';

function stack(status: string, outputs: Readonly<Record<string, string>>): AwsAnswer {
  const members = Object.entries(outputs)
    .map(([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`)
    .join('');
  return {
    body: `<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><DescribeStacksResult><Stacks><member><StackId>${STACK_ID}</StackId><StackName>Headroom</StackName><CreationTime>2026-11-30T12:00:00Z</CreationTime><StackStatus>${status}</StackStatus><Outputs>${members}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
  };
}

function refusal(status: number, code: string, message: string): AwsAnswer {
  return {
    status,
    body: `<ErrorResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error><RequestId>r</RequestId></ErrorResponse>`,
  };
}

async function find(answer: AwsAnswer) {
  aws = await startAwsStandIn(() => answer);
  return findDeployment({
    region: 'cn-north-1',
    endpoint: aws.url,
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    attempts: 1,
  });
}

describe('a deployed service is found by its stack', () => {
  test('account, region and partition are those of the stack; outputs of others are left out', async () => {
    const found = await find(stack('UPDATE_COMPLETE', { TableName: 'the-table', SomebodyElses: 'x' }));
    expect(found).toEqual({
      stackName: 'Headroom',
      stackId: STACK_ID,
      account: '111122223333',
      region: 'cn-north-1',
      partition: 'aws-cn',
      status: 'UPDATE_COMPLETE',
      outputs: { table: 'the-table' },
    });
    expect(aws?.calls.map(({ action, parameters }) => [action, parameters.StackName])).toEqual([
      ['DescribeStacks', 'Headroom'],
    ]);
    expect(requiredOutput(found, 'table')).toBe('the-table');
    expect(() => requiredOutput(found, 'bucket')).toThrow(
      'The stack Headroom (UPDATE_COMPLETE) has no output BucketName.',
    );
  });

  test('none there: says where it looked', async () => {
    const missing = find(refusal(400, 'ValidationError', 'Stack with id Headroom does not exist'));
    await expect(missing).rejects.toMatchObject({
      name: 'ReadError',
      code: 'NOT_FOUND',
      message: 'No deployed service was found in cn-north-1: there is no stack Headroom.',
    });
  });

  test('a stack that was deleted counts as none', async () => {
    await expect(find(stack('DELETE_COMPLETE', {}))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('not allowed: names the permission', async () => {
    await expect(find(refusal(403, 'AccessDenied', 'no'))).rejects.toMatchObject({
      code: 'DENIED',
      remedy: expect.stringContaining('Allow cloudformation:DescribeStacks'),
    });
  });
});
