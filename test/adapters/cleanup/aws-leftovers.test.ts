import { CloudWatchClient, DeleteAlarmsCommand, DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import { DisableRuleCommand, EventBridgeClient, ResourceNotFoundException } from '@aws-sdk/client-eventbridge';
import { LambdaClient, PutFunctionConcurrencyCommand } from '@aws-sdk/client-lambda';
import { DeleteObjectsCommand, ListObjectsV2Command, NoSuchBucket, S3Client } from '@aws-sdk/client-s3';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { awsLeftovers } from '../../../lambdas/adapters/cleanup/aws-leftovers.ts';

const nowhere = { region: 'us-east-1', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } };
const clients = {
  cloudwatch: new CloudWatchClient(nowhere),
  events: new EventBridgeClient(nowhere),
  lambda: new LambdaClient(nowhere),
  s3: new S3Client(nowhere),
};
const stack = { bucket: 'the-bucket', scheduleRule: 'the-rule', observeFunction: 'the-function' };
const leftovers = awsLeftovers(clients, stack);

interface Answering {
  readonly send: (command: { readonly input: object }) => Promise<unknown>;
}

/** Answers a client's calls by command, and keeps them. A call that no answer stands for throws. */
function answering(client: object, answer: (command: { readonly input: object }) => unknown) {
  const calls: { readonly input: object }[] = [];
  jest.spyOn(client as Answering, 'send').mockImplementation(async (command) => {
    calls.push(command);
    return answer(command);
  });
  return calls;
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe('stopping', () => {
  test('disables the rule, then leaves the function no room', async () => {
    const order: string[] = [];
    const events = answering(clients.events, () => order.push('rule'));
    const lambda = answering(clients.lambda, () => order.push('function'));
    await leftovers.stopObserving();
    expect(order).toEqual(['rule', 'function']);
    expect(events).toEqual([expect.any(DisableRuleCommand)]);
    expect(events[0]?.input).toEqual({ Name: 'the-rule' });
    expect(lambda).toEqual([expect.any(PutFunctionConcurrencyCommand)]);
    expect(lambda[0]?.input).toEqual({ FunctionName: 'the-function', ReservedConcurrentExecutions: 0 });
  });

  test('what is gone needs no stopping', async () => {
    const gone = new ResourceNotFoundException({ message: 'gone', $metadata: {} });
    answering(clients.events, () => Promise.reject(gone));
    answering(clients.lambda, () => Promise.reject(gone));
    await expect(leftovers.stopObserving()).resolves.toBeUndefined();
  });

  test('anything else is an error', async () => {
    answering(clients.events, () => Promise.reject(new Error('AccessDenied')));
    await expect(leftovers.stopObserving()).rejects.toThrow('AccessDenied');
  });
});

describe('alarms', () => {
  test('of clusters go, composite ones first and one by one; those of the service and of others stay', async () => {
    const metric = Array.from({ length: 130 }, (_, index) => `headroom/c${index}/use1-az1/critical`);
    const pages = [
      {
        NextToken: 'more',
        CompositeAlarms: [
          { AlarmName: 'headroom/@vpc-1/use1-az1/critical' },
          { AlarmName: 'headroom/@vpc-2/use1-az1/critical' },
        ],
        MetricAlarms: metric.slice(0, 70).map((AlarmName) => ({ AlarmName })),
      },
      {
        MetricAlarms: [...metric.slice(70), 'headroom/service/heartbeat'].map((AlarmName) => ({ AlarmName })),
      },
    ];
    const calls = answering(clients.cloudwatch, (command) =>
      command instanceof DescribeAlarmsCommand ? pages.shift() : {},
    );
    expect(await leftovers.deleteAlarms()).toBe(132);
    const deleted = calls
      .filter((call) => call instanceof DeleteAlarmsCommand)
      .map(({ input }) => input.AlarmNames ?? []);
    expect(deleted).toEqual([
      ['headroom/@vpc-1/use1-az1/critical'],
      ['headroom/@vpc-2/use1-az1/critical'],
      metric.slice(0, 100),
      metric.slice(100),
    ]);
    const [first] = calls;
    expect(first?.input).toMatchObject({ AlarmNamePrefix: 'headroom/', AlarmTypes: ['MetricAlarm', 'CompositeAlarm'] });
  });

  test('none: nothing is called but the list', async () => {
    const calls = answering(clients.cloudwatch, () => ({ MetricAlarms: [] }));
    expect(await leftovers.deleteAlarms()).toBe(0);
    expect(calls).toHaveLength(1);
  });
});

describe('objects', () => {
  /** A bucket of so many objects, a thousand to a list. */
  const bucketOf = (count: number) => {
    const keys = new Set(Array.from({ length: count }, (_, index) => `snapshots/${index}`));
    answering(clients.s3, (command) => {
      if (command instanceof ListObjectsV2Command)
        return { Contents: [...keys].slice(0, 1000).map((Key) => ({ Key })) };
      if (command instanceof DeleteObjectsCommand) {
        for (const { Key } of command.input.Delete?.Objects ?? []) keys.delete(Key ?? '');
        return {};
      }
      throw new Error('an unexpected call');
    });
    return keys;
  };

  test('all of them go, whatever their number', async () => {
    const keys = bucketOf(2500);
    expect(await leftovers.deleteObjects()).toBe(2500);
    expect(keys.size).toBe(0);
  });

  test('a bucket that is gone is empty', async () => {
    answering(clients.s3, () => Promise.reject(new NoSuchBucket({ message: 'gone', $metadata: {} })));
    expect(await leftovers.deleteObjects()).toBe(0);
  });

  test('one that cannot be deleted is an error, not an endless loop', async () => {
    answering(clients.s3, (command) =>
      command instanceof ListObjectsV2Command
        ? { Contents: [{ Key: 'a' }] }
        : { Errors: [{ Key: 'a', Code: 'AccessDenied' }] },
    );
    await expect(leftovers.deleteObjects()).rejects.toThrow(
      '1 objects of the-bucket cannot be deleted, a among them: AccessDenied',
    );
  });
});
